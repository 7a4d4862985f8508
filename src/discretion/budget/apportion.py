"""Shares of an allowance, brought to the menu by largest remainder.

This is the specification; ``discretion.crowd.allocation`` does the same for many owners at once
and a test holds the two together.
"""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction

from discretion.budget.policy import Policy


def apportion(policy: Policy, weights: Sequence[Fraction]) -> list[int]:
    """Give everyone the least level and a weighted share of the rest, on the menu.

    Each target is rounded down to the menu; then, from the largest remainder to the smallest (ties:
    the first), one step up is given where what is left of the allowance pays for it.
    """
    shared, menu = len(weights), policy.menu
    if (allowance := policy.allowance(shared)) is None:
        targets = [menu[-1] * w / max(weights) for w in weights]
        return [menu[max(bisect_right(menu, t) - 1, 0)] for t in targets]
    floor = policy.floor(shared)
    rest, total, top = allowance - shared * floor, sum(weights), Fraction(menu[-1])
    targets = [min(floor + rest * w / total, top) for w in weights]
    indices = [bisect_right(menu, t) - 1 for t in targets]
    remainders = [t - menu[i] for t, i in zip(targets, indices, strict=True)]
    left = allowance - sum(menu[i] for i in indices)
    for j in sorted(range(shared), key=lambda j: -remainders[j]):
        step = menu[min(indices[j] + 1, len(menu) - 1)] - menu[indices[j]]
        if remainders[j] > 0 and step <= left:
            indices[j], left = indices[j] + 1, left - step
    return [menu[i] for i in indices]
