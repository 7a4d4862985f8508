"""An exact test: exchange owners with equal levels between both sides at random.

If both crowds answer alike, reports of one stratum (level and range) could have come from either
side, however few they are. The p-value counts the exchanges whose statistic is as large as that of
the reports as they are, these among them.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from discretion.comparisons.difference import DifferenceEstimate, SameTest
from discretion.errors import EstimateError
from discretion.estimate.linear import Pooled
from discretion.family import of
from discretion.table import ReportTable
from discretion.table.columns import Codes, Levels

MOST = 1_000_000
Statistic = Callable[[tuple[str, ...], Pooled, Pooled], float]


def permuted(
    found: DifferenceEstimate,
    sides: tuple[ReportTable, ReportTable],
    permutations: int,
    seed: int | None,
    statistic: Statistic,
) -> DifferenceEstimate:
    """Return the same differences with a test by permutations."""
    if type(permutations) is not int or not 0 < permutations <= MOST:
        rule = f"permutations must be a whole number from 1 to {MOST:,}"
        raise EstimateError(f"{rule}, got {permutations!r}")
    family = of(sides[0].plan.questions[found.attribute]).labelled()
    answers = [list(side.answers(found.attribute)) for side in sides]
    strata, y = (np.concatenate([part[i] for own in answers for part in own]) for i in (0, 1))
    n = sum(len(own) for own, _ in answers[0])
    random = np.random.default_rng(seed)

    def drawn(order: Codes) -> float:
        halves = order[:n], order[n:]
        pooled = (family.pooled(dict(sorted(family.counted(strata[h], y[h])))) for h in halves)
        return statistic(found.labels, *pooled)

    observed = drawn(np.arange(len(y)))
    as_large = sum(
        drawn(_exchanged(strata, random)) >= observed * (1 - 1e-12) for _ in range(permutations)
    )
    pvalue = (1 + as_large) / (1 + permutations)
    return replace(found, test=SameTest(observed, found.test.df, pvalue, "permutation"))


def _exchanged(strata: Levels, random: np.random.Generator) -> Codes:
    """Return a random order in which each report is replaced by one of its stratum."""
    by_stratum = np.argsort(strata, kind="stable")
    shuffled = np.lexsort((random.random(len(strata)), strata))
    order = np.empty(len(strata), np.int64)
    order[by_stratum] = shuffled
    return order
