"""A joint table as the product of two parts, divided by entropy. For comparison only.

Formula  P(A) = P(A1) P(A2), with the division into A1 and A2 that has the smallest H(A1) + H(A2);
         both parts by ``lasso``, a single attribute by its frequencies.
Source   Shen, Xia and Yu (2021), Situation 2, Algorithm 2. The prose asks for the largest sum of
         entropies; I(A1; A2) = H(A1) + H(A2) - H(A), so the smallest is right, and it is what the
         algorithm does, as it prints H without its minus sign. The smallest A2 that can be had goes
         first; a part can be had if some reports hold all of it (the paper: enough of them).

It is meant for sets of attributes that no report holds together; here it divides any set. It cannot
give dependence between the parts, even where reports show it; dependence within a part is
``lasso``'s, which is none. The choice is blind too: entropies of tables made of marginals do not
show which attributes belong together. With the true tables of the parts it would be the right one.
"""

from collections.abc import Callable
from functools import cache
from itertools import combinations

import numpy as np
from scipy.special import entr

from discretion.errors import EstimateError
from discretion.joints.lasso import marginals, regressed
from discretion.joints.likelihood import Table
from discretion.joints.table_evidence import TableEvidence

Axes = tuple[int, ...]


def entropy_split(evidence: TableEvidence) -> Table:
    """Return the product of the two parts that look least dependent."""
    single, k = marginals(evidence), len(evidence.shape)

    @cache
    def part(axes: Axes) -> Table:
        own = [single[axis] for axis in axes]
        return own[0] if len(own) == 1 else regressed(own, evidence.n)

    divisions = possible(k, lambda axes: evidence.holding(axes) > 0)
    if not divisions:
        names = ", ".join(evidence.names)
        rule = "entropy-split needs a division into two parts that some reports hold"
        raise EstimateError(f"{rule}: {names} have none")
    one, other = least_dependent(divisions, part)
    return np.multiply.outer(part(one), part(other)).transpose(np.argsort(one + other))


def possible(k: int, held: Callable[[Axes], bool]) -> list[tuple[Axes, Axes]]:
    """Return the divisions of k axes whose parts are held, those with the smallest second part."""
    for size in range(1, k // 2 + 1):
        seconds = combinations(range(k), size)
        both = [(tuple(a for a in range(k) if a not in second), second) for second in seconds]
        found = [division for division in both if all(map(held, division))]
        if found:
            return found
    return []


def least_dependent(
    divisions: list[tuple[Axes, Axes]], part: Callable[[Axes], Table]
) -> tuple[Axes, Axes]:
    """Return the division whose parts have the smallest sum of entropies."""
    return min(divisions, key=lambda parts: sum(float(entr(part(axes)).sum()) for axes in parts))
