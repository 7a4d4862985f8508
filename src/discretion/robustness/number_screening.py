"""Which reports about a number look dishonest: every level tested, and the mean without some.

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
from discretion.mechanism import Marginal
from discretion.numbers.aggregates import METHODS
from discretion.numbers.mean import centred, weights_of
from discretion.numbers.readings import Data, Reading, Readings, evidence_of
from discretion.robustness.screening import Screening, group_of, most_reports
from discretion.robustness.screening import screen as screen_labels
from discretion.robustness.testing import Disagreement, judged
from discretion.table.outputs import below

UNDECODED = "reports in narrower ranges, or by laplace, are not decoded: their means are not tested"


def screen(data: Data | Evidence, attribute: str) -> Screening:
    """Test the reports about labels or a number, level by level; nothing is dropped.

    A group is suspicious if one of its tests fails, all tests of the attribute together doing so
    for honest reports with probability 0.001. The linear estimate is given with and without.
    """
    readings = evidence_of(data, attribute)
    if isinstance(readings, Evidence):
        return screen_labels(readings, attribute)
    parts, largest = readings.parts, most_reports([part.n for part in readings.parts])

    def compare(own: int, rest: Sequence[int]) -> Disagreement | None:
        if own not in largest:
            return None
        return disagreement(readings, parts[own], [parts[i] for i in rest])

    verdicts = judged([(None, outputs_pvalue(part)) for part in parts], compare)
    rows = zip(parts, verdicts, strict=True)
    groups = tuple(group_of(p.level, _name(readings, p), p.n, verdict) for p, verdict in rows)
    left = tuple(p for p, verdict in zip(parts, verdicts, strict=True) if not verdict.suspicious)
    value, stderr = _mean(readings)
    without, error = _mean(readings.only(left)) if left else (None, None)
    note = "" if readings.decodable else UNDECODED
    return Screening(attribute, groups, ("mean",), value, stderr, without, error, note)


def outputs_pvalue(part: Reading) -> float:
    """Test whether outputs come as often as numbers that make them most, or least, likely do."""
    edges = joined(part.law)
    chance = np.diff(below(part.law, edges), axis=0)
    counts = np.add.reduceat(part.counts, edges[:-1])
    low, high = np.clip([chance.min(axis=1), chance.max(axis=1)], 0.0, 1.0)
    return bounds_pvalue(counts, part.n, low, high)


def disagreement(readings: Readings, own: Reading, rest: Sequence[Reading]) -> Disagreement | None:
    """Test whether the mean at one level is that at others, by the noise that the laws have."""
    others = tuple(part for part in rest if _decodable(part))
    enough = min(own.n, sum(part.n for part in others)) >= FEWEST_REPORTS
    if not _decodable(own) or not enough:
        return None
    at = centred(readings.only((own, *others)))
    (mine,), weights = weights_of([own], *at), weights_of(others, *at)
    apart = own.mean - weights @ [part.mean for part in others] / weights.sum()
    statistic = float(apart**2 / (1 / mine + 1 / weights.sum()))
    return Disagreement(statistic, float(chdtrc(1, statistic)))


def _decodable(part: Reading) -> bool:
    return part.whole and bool(part.law.pieces)


def _name(readings: Readings, part: Reading) -> str:
    if isinstance(part.law, Marginal):
        return "bundle"
    last = part.first + part.law.size - 1
    return "" if part.whole else f"{readings.value(part.first):g} to {readings.value(last):g}"


def _mean(readings: Readings) -> tuple[Vector, Vector]:
    method = METHODS["weighted" if readings.decodable else "likelihood"]
    position, variance, _ = method(readings)
    return np.array([readings.value(position)]), np.array([readings.step * np.sqrt(variance)])
