"""How far liars can move what is estimated about a number.

The weighted mean is linear in the decoded reports. With their weights held where the honest reports
put them, w for one report at a level, W in all, and m the mean, a share b of the N reports of the
round, replaced by copies of one that is decoded to d, moves it by

    b N w (d - m) / ((1 - b) W + b N w),

which is largest, at every level of the menu, where d is at an end. Weights that are estimated anew
change little of that (5 % of it in tests) as long as lies are not many among the reports about the
number; where they are, they may do more, and it is called an attack. Quantiles, and the mean where
reports cannot be decoded, come from a likelihood. Of those an attack is shown: liars at the highest
level who all send the lowest output, or the highest. It may not be the worst.
"""

from collections.abc import Callable
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
from discretion.numbers.mean import centred, decoded, weight_of, weights_of
from discretion.numbers.readings import Data, Reading, Readings, evidence_of, menu_of
from discretion.robustness.bound import ATTACK, SHARE, WORST, Margin, check_share
from discretion.robustness.bound import margin as label_margin
from discretion.robustness.weights import Weight
from discretion.robustness.weights import weights as label_weights

MANY = 0.4  # lies of the reports about a number: from there on they move the weights as well


class Lies(NamedTuple):
    """How many of the reports lie; all of these tell about the number."""

    share: float  # of all reports of the round
    n: float


def margin(
    data: Data | Evidence, attribute: str, share: float = SHARE, cap: float | None = None
) -> Margin:
    """Return how far a share of liars moves the frequencies of labels, or the mean of a number.

    The share is of all reports of the round, whatever they tell about. Of labels it is the weighted
    estimate, which no reports that the plan allows move further; so it is of numbers whose reports
    can be decoded, with weights held. ``basis`` says so ("worst"), or that liars of one level were
    looked at ("one level"), or that an attack was shown ("attack").
    """
    evidence = evidence_of(data, attribute)
    if isinstance(evidence, Evidence):
        return label_margin(evidence, attribute, share, cap)
    if cap is not None:
        raise EstimateError(f"a cap is for labels, and {attribute!r} is a number")
    check_share(share)
    return _of_mean(evidence, attribute, _lies(evidence, share))


def quantile_margin(
    data: Data,
    attribute: str,
    share: float = SHARE,
    levels: npt.ArrayLike = QUARTILES,
) -> Margin:
    """Return how far quantiles move in an attack: at least so much can be done."""
    check_share(share)
    wanted, readings = checked_levels(levels), Readings.of(data, attribute)
    what = tuple(f"{level:g}" for level in wanted)
    lies = _lies(readings, share)
    return _shown(readings, attribute, lies, what, lambda d: d.quantile(wanted))


def weights(data: Data | Evidence, attribute: str, cap: float | None = None) -> list[Weight]:
    """Return the reports of each level and their share of the weight, from the smallest level up.

    Of numbers, of the weight in the mean; reports that cannot be decoded have none.
    """
    evidence = evidence_of(data, attribute)
    if isinstance(evidence, Evidence):
        return label_weights(evidence, attribute, cap)
    if cap is not None:
        raise EstimateError(f"a cap is for labels, and {attribute!r} is a number")
    parts = decoded(evidence)
    own = weights_of(parts, *centred(evidence))
    levels = np.array([part.level for part in parts])
    n = np.array([part.n for part in parts])
    return [
        Weight(v, int(n[levels == v].sum()), float(own[levels == v].sum() / own.sum()))
        for v in sorted(set(levels.tolist()))
    ]


def _lies(readings: Readings, share: float) -> Lies:
    return Lies(share, share * readings.everyone)


def _of_mean(readings: Readings, name: str, lies: Lies) -> Margin:
    if not readings.decodable:
        return _shown(readings, name, lies, ("mean",), lambda d: np.array([d.mean]))
    at, menu = centred(readings), list(menu_of(readings.plan, name))
    own = weights_of(readings.parts, *at)
    mean = own @ [part.mean for part in readings.parts] / own.sum()
    added = lies.n * weight_of([law for _, law in menu], *at)
    part = readings.step * added / ((1 - lies.share) * own.sum() + added)
    ends = np.array([_ends(law) for _, law in menu])
    down, up = part * (ends[:, 0] - mean), part * (ends[:, 1] - mean)
    worst = int(np.maximum(np.abs(up), np.abs(down)).argmax())
    many = lies.n > MANY * (lies.n + (1 - lies.share) * readings.n)
    basis = (
        ATTACK if many or readings.plan.questions[name].ranges else WORST
    )  # a narrower range may do more as well
    ways = np.array([up.max()]), np.array([down.min()])
    return Margin(name, ("mean",), lies.share, *ways, menu[worst][0], basis)


def _ends(law: Decodable) -> tuple[float, float]:
    """Return the least and the largest number of steps that an output is decoded to."""
    ends = [float(p.origin + p.pitch * y) for p in law.pieces for y in (p.start, p.stop - 1)]
    return min(ends), max(ends)


def _shown(
    readings: Readings,
    name: str,
    lies: Lies,
    what: tuple[str, ...],
    asked: Callable[[Density], Vector],
) -> Margin:
    """Return how far something moves if liars at the highest level all send an end of the range."""
    level, law = max(menu_of(readings.plan, name), key=lambda each: each[0])
    honest = asked(density_of(readings))
    moved = [asked(density_of(_attacked(readings, level, law, y, lies))) for y in _outputs(law)]
    down, up = (readings.step * (found - honest) for found in moved)
    return Margin(name, what, lies.share, np.maximum(up, down), np.minimum(up, down), level, ATTACK)


def _outputs(law: Decodable) -> tuple[int, int]:
    """Return the outputs that speak for the lowest and for the highest number."""
    if not law.pieces:
        return 0, law.n_outputs - 1
    ends = {float(p.origin + p.pitch * y): y for p in law.pieces for y in (p.start, p.stop - 1)}
    return ends[min(ends)], ends[max(ends)]


def _attacked(readings: Readings, level: int, law: Decodable, y: int, lies: Lies) -> Readings:
    """Return the readings with a share of all reports, taken evenly, replaced by one output."""
    counts = np.concatenate([part.counts for part in readings.parts])
    below = np.floor((1 - lies.share) * np.cumsum(counts) + 0.5).astype(np.int64)
    kept = np.split(np.diff(below, prepend=0), np.cumsum([len(p.counts) for p in readings.parts]))
    parts = [replace(part, counts=own) for part, own in zip(readings.parts, kept, strict=False)]
    sent = np.bincount([y], minlength=law.n_outputs) * round(lies.n)
    parts.append(Reading(law, sent, level, 0, whole=True))
    return readings.only(part for part in parts if part.n)
