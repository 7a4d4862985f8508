"""Screening of sets and maps: every level and length is tested, and shares given without some.

Every report has the same number of codes, which is checked when it is read. So there are two tests:
whether each code is as often reported as some sets could make it, from q to p; and whether the
shares of a group agree with those of the others, code by code. Groups of different lengths may
disagree without any false report, where sets are cut.
"""

from collections.abc import Sequence

import numpy as np

from discretion.aggregate import Evidence
from discretion.budget.level import level_of, range_of
from discretion.estimate.homogeneity import FEWEST_REPORTS
from discretion.estimate.noise import Vector
from discretion.family import Covers
from discretion.family.counts import BitCounts
from discretion.family.covers.linear import channel
from discretion.family.goodness import bounds_pvalue
from discretion.robustness.screening import Screening, group_of, most_reports
from discretion.robustness.testing import Disagreement, judged
from discretion.sets.shares import pooled_shares
from discretion.sets.strata import Strata, agreement, counted

LENGTHS = "groups of different lengths may also disagree because sets are cut"


def screen_sets(evidence: Evidence) -> Screening:
    """Test the reports about a set or a map, level by level and length by length."""
    family, counts = counted(evidence)
    strata = list(counts)
    largest = most_reports([counts[stratum].n for stratum in strata])

    def compare(own: int, rest: Sequence[int]) -> Disagreement | None:
        if own not in largest or not rest:
            return None
        sides = [{strata[i]: counts[strata[i]] for i in each} for each in ([own], rest)]
        return _apart(family, *sides)

    results = judged([(None, codes_pvalue(family, s, counts[s])) for s in strata], compare)
    rows = zip(strata, results, strict=True)
    groups = tuple(
        group_of(level_of(s), _length(family, s), counts[s].n, result) for s, result in rows
    )
    left = {
        s: counts[s] for s, result in zip(strata, results, strict=True) if not result.suspicious
    }
    value, stderr = _estimate(family, counts)
    without, error = _estimate(family, left) if left else (None, None)
    note = LENGTHS if len({range_of(stratum) for stratum in strata}) > 1 else ""
    what = family.estimated
    return Screening(family.name, groups, what, value, stderr, without, error, note)


def codes_pvalue(family: Covers, stratum: int, tally: BitCounts) -> float:
    """Test whether every code is in between q and p of the reports."""
    law = family.law(stratum)
    own = channel(law)
    return bounds_pvalue(tally.counts[0, : law.n_codes], tally.n, own.other, own.own)


def _apart(family: Covers, one: Strata, other: Strata) -> Disagreement | None:
    """Test whether two groups have the same shares; None where too few reports came."""
    if min(sum(tally.n for tally in each.values()) for each in (one, other)) < FEWEST_REPORTS:
        return None
    test = agreement([family.pooled(one), family.pooled(other)])
    return None if test is None else Disagreement(test.statistic, test.pvalue)


def _estimate(family: Covers, counts: Strata) -> tuple[Vector, Vector]:
    """Return the shares of items or keys and their standard errors."""
    value, spread = pooled_shares(family, family.pooled(counts), 0.0)
    return value, np.sqrt(np.maximum(spread.variance, 0.0))


def _length(family: Covers, stratum: int) -> str:
    """Return which length a stratum has, where there is a choice."""
    return f"length {family.law(stratum).length}" if family.question.ranges else ""
