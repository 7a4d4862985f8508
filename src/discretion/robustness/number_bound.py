"""How far false reports can move what is estimated about a number.

The weighted mean is linear in the decoded reports. With their weights held where the honest reports
put them, w for one report at a level, W in all, and m the mean, a share b of the N reports of the
round, replaced by copies of one that is decoded to d, moves it by

    b N w (d - m) / ((1 - b) W + b N w),

which is largest, at every level of the menu, where d is at an end. Weights that are estimated anew
change little of that (5 % of it in tests) as long as false ones are not many among the reports
about the number; where they are, they may do more, and it is called an attack. Quantiles, and the
mean where reports cannot be decoded, come from a likelihood. For those an attack is shown: false
reports at the highest level that all are the lowest output, or the highest. It may not be the
worst.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from discretion.aggregate import Evidence
from discretion.errors import EstimateError
from discretion.estimate.noise import Vector
from discretion.mechanism.law import Decodable
from discretion.numbers.density import Density
from discretion.numbers.distribution import QUARTILES, checked_levels, density_of
from discretion.numbers.mean import centred, weight_of, weights_of
from discretion.numbers.number_evidence import Data, LawCounts, NumberEvidence, evidence_of, menu_of
from discretion.order.evidence import is_ordered
from discretion.order.runs import Range
from discretion.robustness.bound import ATTACK, SHARE, WORST, ManipulationBound, check_share
from discretion.robustness.bound import margin as label_bound
from discretion.robustness.range_bound import range_margin

MANY = 0.4  # false ones of the reports about a number: from there on they move the weights as well


class FalseReports(NamedTuple):
    """How many of the reports are false; all of these are about the number."""

    share: float  # of all reports of the round
    n: float


def margin(
    data: Data | Evidence,
    attribute: str,
    share: float = SHARE,
    cap: float | None = None,
    *,
    ranges: Sequence[Range] | None = None,
) -> ManipulationBound:
    """Return how far a share of false reports moves frequencies of labels, a mean, or ranges.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        Of labels it is the weighted estimate, which no reports that the plan allows move further;
        so it is of numbers whose reports can be decoded, with weights held.
    share
        Of all reports of the round, whatever they are about.
    cap
        The most that reports of one level may weigh together, as in ``frequencies``.
    ranges
        Of what is reported by intervals: those that are asked about; ten equal ones if none.

    Returns
    -------
    How far down and up. ``basis`` says whether that is the worst (``worst``), whether false reports
    of one level were examined (``one level``), or that an attack was shown (``attack``).

    Examples
    --------
    >>> import discretion as ds
    >>> reports = ds.simulate(ds.census_plan(), ds.census(10_000, seed=1), seed=1)
    >>> ds.margin(reports, "travel", share=0.01).basis
    'worst'
    """
    if not isinstance(data, Evidence) and is_ordered(data, attribute):
        return range_margin(data, attribute, share, ranges)
    if ranges is not None:
        raise EstimateError(f"ranges need reports by intervals, and {attribute!r} has others")
    evidence = evidence_of(data, attribute)
    if isinstance(evidence, Evidence):
        return label_bound(evidence, attribute, share, cap)
    if cap is not None:
        raise EstimateError(f"a cap is for labels, and {attribute!r} is a number")
    check_share(share)
    return _of_mean(evidence, attribute, _false_reports(evidence, share))


def quantile_margin(
    data: Data,
    attribute: str,
    share: float = SHARE,
    levels: npt.ArrayLike = QUARTILES,
) -> ManipulationBound:
    """Return how far quantiles move in an attack: at least so much can be done."""
    check_share(share)
    wanted, evidence = checked_levels(levels), NumberEvidence.of(data, attribute)
    what = tuple(f"{level:g}" for level in wanted)
    false = _false_reports(evidence, share)
    return _shown(evidence, attribute, false, what, lambda d: d.quantile(wanted))


def _false_reports(evidence: NumberEvidence, share: float) -> FalseReports:
    return FalseReports(share, share * evidence.everyone)


def _of_mean(evidence: NumberEvidence, name: str, false: FalseReports) -> ManipulationBound:
    if not evidence.decodable:
        return _shown(evidence, name, false, ("mean",), lambda d: np.array([d.mean]))
    at, menu = centred(evidence), list(menu_of(evidence.plan, name))
    own = weights_of(evidence.parts, *at)
    mean = own @ [part.mean for part in evidence.parts] / own.sum()
    added = false.n * weight_of([law for _, law in menu], *at)
    part = evidence.step * added / ((1 - false.share) * own.sum() + added)
    ends = np.array([_ends(law) for _, law in menu])
    down, up = part * (ends[:, 0] - mean), part * (ends[:, 1] - mean)
    worst = int(np.maximum(np.abs(up), np.abs(down)).argmax())
    many = false.n > MANY * (false.n + (1 - false.share) * evidence.n)
    basis = (
        ATTACK if many or evidence.plan.questions[name].ranges else WORST
    )  # a narrower range may do more as well
    ways = np.array([up.max()]), np.array([down.min()])
    return ManipulationBound(name, ("mean",), false.share, *ways, menu[worst][0], basis)


def _ends(law: Decodable) -> tuple[float, float]:
    """Return the least and the largest number of steps that an output is decoded to."""
    ends = [float(p.origin + p.pitch * y) for p in law.pieces for y in (p.start, p.stop - 1)]
    return min(ends), max(ends)


def _shown(
    evidence: NumberEvidence,
    name: str,
    false: FalseReports,
    what: tuple[str, ...],
    asked: Callable[[Density], Vector],
) -> ManipulationBound:
    """Return how far a statistic moves if false reports at the highest level are all an end."""
    level, law = max(menu_of(evidence.plan, name), key=lambda each: each[0])
    honest = asked(density_of(evidence))
    moved = [asked(density_of(_attacked(evidence, level, law, y, false))) for y in _outputs(law)]
    down, up = (evidence.step * (found - honest) for found in moved)
    return ManipulationBound(
        name, what, false.share, np.maximum(up, down), np.minimum(up, down), level, ATTACK
    )


def _outputs(law: Decodable) -> tuple[int, int]:
    """Return the outputs that speak for the lowest and for the highest number."""
    if not law.pieces:
        return 0, law.n_outputs - 1
    ends = {float(p.origin + p.pitch * y): y for p in law.pieces for y in (p.start, p.stop - 1)}
    return ends[min(ends)], ends[max(ends)]


def _attacked(
    evidence: NumberEvidence, level: int, law: Decodable, y: int, false: FalseReports
) -> NumberEvidence:
    """Return the evidence with a share of all reports, taken evenly, replaced by one output."""
    counts = np.concatenate([part.counts for part in evidence.parts])
    below = np.floor((1 - false.share) * np.cumsum(counts) + 0.5).astype(np.int64)
    kept = np.split(np.diff(below, prepend=0), np.cumsum([len(p.counts) for p in evidence.parts]))
    parts = [replace(part, counts=own) for part, own in zip(evidence.parts, kept, strict=False)]
    sent = np.bincount([y], minlength=law.n_outputs) * round(false.n)
    parts.append(LawCounts(law, sent, level, 0, whole=True))
    return evidence.only(part for part in parts if part.n)
