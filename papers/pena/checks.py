"""What must be true of the findings of the PENA study."""

from collections.abc import Iterable, Iterator
from math import inf, nan, sqrt

import numpy as np

from papers.pena.setting import (
    AXES,
    LARGE,
    LDP_MENDED,
    LEVELS,
    LIKELY,
    NAMES,
    OURS,
    OWN_RANGES,
    PENA_MENDED,
    PRINTED,
    TWO_POINTS,
    UNWEIGHTED,
    WINDOW,
    Point,
    drawn,
    weighing,
)
from papers.study import Check, Findings, Vector

WEIGHED = ((PENA_MENDED, TWO_POINTS), (UNWEIGHTED, WINDOW))
ENOUGH = 20  # runs that make a slope known
COVER = "95 % intervals of the mean that cover it"
BOUND = "Bounds of the minimum's quantile that hold"
GAIN = "Squared error, unweighted over weighted, U(0.1, 4)"
STAY = "Mean error of the printed average over its exact bias"


def checks(found: Findings) -> Iterator[Check]:
    """Yield all checks, rule by rule."""
    for rule in (_paper, _gains, _falls, _stays, _exact, _covers, _quantiles, _bounds, _ranges):
        for name in NAMES:
            yield from rule(found, name)


def _weighing(found: Findings, name: str) -> Point:
    return weighing(name, found.mean("rows", name))


def _paper(found: Findings, name: str) -> Iterator[Check]:
    """Hold ours against the one number that the paper prints, with about as many owners."""
    rule = "Relative error at 40 % participation, which the paper says is below 0.2"
    for way in OURS if found.mean("rows", name) >= LARGE else ():
        key = ("error", Point(name, share=0.4), way)
        off = found.rms(*key)
        yield Check(rule, str(way), name, off, off / sqrt(2 * len(found.runs(*key))), high=0.2)


def _gains(found: Findings, name: str) -> Iterator[Check]:
    point = _weighing(found, name)
    for plain, ours in WEIGHED:
        for kind, about in (("expected", "exact"), ("error", "simulated")):
            ratio = (found.rms(kind, point, plain) / found.rms(kind, point, ours)) ** 2
            runs = len(found.runs(kind, point, ours))
            stderr = ratio * sqrt(4 / runs) if kind == "error" else nan
            yield Check(GAIN, f"{ours.mechanism}, {about}", name, ratio, stderr, low=5.0)


def _falls(found: Findings, name: str) -> Iterator[Check]:
    at = AXES[4].points(name)
    log = np.log([point.share for point in at])
    centred = log - log.mean()
    for way in OURS:
        for kind, about in (("expected", "exact"), ("error", "simulated")):
            runs = len(found.runs(kind, at[0], way)) if kind == "error" else inf
            if runs < ENOUGH:
                continue
            errors = [found.rms(kind, point, way) for point in at]
            slope = float(centred @ np.log(errors) / (centred @ centred))
            stderr = sqrt(1 / (2 * runs) / float(centred @ centred))
            room = 3 * stderr or 0.03  # all taking part, nobody is drawn
            rule = "Slope of log error by log participation"
            yield Check(
                rule, f"{way}, {about}", name, slope, stderr or nan, -0.5 - room, -0.5 + room
            )


def _stays(found: Findings, name: str) -> Iterator[Check]:
    off = found.mean("bias", name)
    for way in PRINTED:
        for share in (0.2, 1.0):
            point = Point(name, share=share)
            errors = found.runs("error", point, way)
            noise = sqrt(max(found.mean("expected", point, way) ** 2 - off**2, 0.0))
            stderr = noise / sqrt(len(errors)) / abs(off)
            about = f"{way}, {100 * share:.0f} % take part"
            yield _near_one(STAY, about, name, float(errors.mean()) / off, stderr)


def _exact(found: Findings, name: str) -> Iterator[Check]:
    """Compare squared errors of all settings with those to expect."""
    for way in (LDP_MENDED, *OURS):
        parts = [
            found.runs("error", point, way) / found.mean("expected", point, way)
            for point in drawn(name)
        ]
        scaled = np.concatenate(parts)
        value, stderr = float(np.mean(scaled**2)), sqrt(2 / len(scaled))
        yield _near_one("Squared error over the expected one", str(way), name, value, stderr)


def _covers(found: Findings, name: str) -> Iterator[Check]:
    at = [*drawn(name), _weighing(found, name)]
    for way in OURS:
        held = (found.runs("covered", point, way) for point in at)
        yield _share(COVER, str(way), name, held, 0.93, 0.97)


def _quantiles(found: Findings, name: str) -> Iterator[Check]:
    for level in LEVELS:
        held = [found.runs("quantile", _weighing(found, name), level)]
        rule = "95 % intervals of quantiles that cover them"
        yield _share(rule, f"level {level:g}, U(0.1, 4)", name, held, 0.93)


def _bounds(found: Findings, name: str) -> Iterator[Check]:
    """Check bounds, and those above 0 alone: others hold anyway."""
    for about, at in (("Figures 2 to 4", drawn(name)), ("U(0.1, 4)", [_weighing(found, name)])):
        held = [found.runs("holds", point) for point in at]
        yield _share(BOUND, about, name, held, 0.95)
        above = [found.runs("above", point) > 0 for point in at]
        if np.concatenate(above).any():
            shown = [each[which] for each, which in zip(held, above, strict=True)]
            yield _share(BOUND, f"{about}, those above 0", name, shown, 0.95)


def _ranges(found: Findings, name: str) -> Iterator[Check]:
    for way in LIKELY:
        held = (found.runs("covered", name, epsilon, way) for epsilon in OWN_RANGES)
        yield _share(f"{COVER}, ranges of owners' own", str(way), name, held, 0.93)


def _near_one(rule: str, about: str, name: str, value: float, stderr: float) -> Check:
    return Check(rule, about, name, value, stderr, 1 - 3 * stderr, 1 + 3 * stderr)


def _share(
    rule: str, about: str, name: str, held: Iterable[Vector], low: float, high: float = 1.0
) -> Check:
    """Check a share of runs; its bars are wider by two standard errors of so many runs."""
    runs = np.concatenate(list(held))
    share, room = float(runs.mean()), 2 * sqrt(0.95 * 0.05 / len(runs))
    stderr = sqrt(share * (1 - share) / len(runs)) or nan
    return Check(rule, about, name, share, stderr, low - room, min(high + room, 1.0))
