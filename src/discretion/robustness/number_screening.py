"""Screening of a number: every level is tested, and the mean given without suspicious ones.

No number says how many bits are set, so there are two tests: whether every output, or a few
neighbours together, is as frequent as some numbers could make it; and whether the mean at a level
agrees with that at the others, where reports can be decoded.
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import chdtrc

from discretion.aggregate import Evidence
from discretion.estimate.homogeneity import FEWEST_REPORTS
from discretion.estimate.noise import Vector
from discretion.family.goodness import bounds_pvalue
from discretion.family.numbers import joined
from discretion.numbers.mean import centred, weights_of
from discretion.numbers.moments import METHODS
from discretion.numbers.number_evidence import Data, LawCounts, NumberEvidence, evidence_of
from discretion.robustness.screening import Screening, group_of, most_reports
from discretion.robustness.screening import screen as screen_labels
from discretion.robustness.set_screening import screen_sets
from discretion.robustness.testing import Disagreement, judged
from discretion.table.outputs import below

UNDECODED = "reports in narrower ranges, or by laplace, are not decoded: their means are not tested"


def screen(data: Data | Evidence, attribute: str) -> Screening:
    """Test the reports about labels, a number, a set or a map, level by level; nothing is dropped.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        Labels, a number, a set of listed items or a map.

    Returns
    -------
    The groups of reports. One is suspicious if one of its tests fails, all tests of the attribute
    together doing so for honest reports with probability 0.001. The linear estimate is given with
    and without suspicious groups.

    Examples
    --------
    >>> import discretion as ds
    >>> reports = ds.simulate(ds.census_plan(), ds.census(10_000, seed=1), seed=1)
    >>> any(group.suspicious for group in ds.screen(reports, "travel").groups)
    False
    """
    evidence = evidence_of(data, attribute)
    if isinstance(evidence, Evidence):
        several = evidence.family.several and not evidence.family.open
        return screen_sets(evidence) if several else screen_labels(evidence, attribute)
    parts, largest = evidence.parts, most_reports([part.n for part in evidence.parts])

    def compare(own: int, rest: Sequence[int]) -> Disagreement | None:
        if own not in largest:
            return None
        return disagreement(evidence, parts[own], [parts[i] for i in rest])

    results = judged([(None, outputs_pvalue(part)) for part in parts], compare)
    rows = zip(parts, results, strict=True)
    groups = tuple(group_of(p.level, _name(evidence, p), p.n, result) for p, result in rows)
    left = tuple(p for p, result in zip(parts, results, strict=True) if not result.suspicious)
    value, stderr = _mean(evidence)
    without, error = _mean(evidence.only(left)) if left else (None, None)
    note = "" if evidence.decodable else UNDECODED
    return Screening(attribute, groups, ("mean",), value, stderr, without, error, note)


def outputs_pvalue(part: LawCounts) -> float:
    """Test whether outputs come as often as numbers that make them most, or least, likely do."""
    edges = joined(part.law)
    probabilities = np.diff(below(part.law, edges), axis=0)
    counts = np.add.reduceat(part.counts, edges[:-1])
    low, high = np.clip([probabilities.min(axis=1), probabilities.max(axis=1)], 0.0, 1.0)
    return bounds_pvalue(counts, part.n, low, high)


def disagreement(
    evidence: NumberEvidence, own: LawCounts, rest: Sequence[LawCounts]
) -> Disagreement | None:
    """Test whether the mean at one level is that at others, by the noise that the laws have."""
    others = tuple(part for part in rest if _decodable(part))
    enough = min(own.n, sum(part.n for part in others)) >= FEWEST_REPORTS
    if not _decodable(own) or not enough:
        return None
    at = centred(evidence.only((own, *others)))
    (mine,), weights = weights_of([own], *at), weights_of(others, *at)
    apart = own.mean - weights @ [part.mean for part in others] / weights.sum()
    statistic = float(apart**2 / (1 / mine + 1 / weights.sum()))
    return Disagreement(statistic, float(chdtrc(1, statistic)))


def _decodable(part: LawCounts) -> bool:
    return part.whole and bool(part.law.pieces)


def _name(evidence: NumberEvidence, part: LawCounts) -> str:
    if part.gap is not None:
        return "bundle"
    last = part.first + part.law.size - 1
    return "" if part.whole else f"{evidence.value(part.first):g} to {evidence.value(last):g}"


def _mean(evidence: NumberEvidence) -> tuple[Vector, Vector]:
    method = METHODS["weighted" if evidence.decodable else "likelihood"]
    position, variance, _ = method(evidence)
    return np.array([evidence.value(position)]), np.array([evidence.step * np.sqrt(variance)])
