"""The bars of the PENA experiment: what must be true of its findings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from papers.pena import (
    ENOUGH,
    LARGE,
    LEVELS,
    OURS,
    OWN_RANGES,
    PRINTED,
    SHARES,
    WEIGHED,
    Findings,
    Point,
    points,
    root_mean_square,
    weighing,
)
from papers.pena_crowd import Pooled, Way


@dataclass(frozen=True)
class Check:
    """A value that must lie between two bars; ``stderr`` is its own."""

    rule: str
    dataset: str
    about: str
    value: float
    stderr: float
    low: float
    high: float

    @property
    def met(self) -> bool:
        return self.low <= self.value <= self.high

    @property
    def verdict(self) -> str:
        return "met" if self.met else "missed"

    def __str__(self) -> str:
        return f"{self.value:.3g}" + (f" ± {self.stderr:.2g}" if self.stderr > 0 else "")

    @property
    def bars(self) -> str:
        if self.high == np.inf:
            return f"≥ {self.low:.3g}"
        return f"{self.low:.3g} to {self.high:.3g}"


PAPER = "relative error at 40 % participation, which the paper says is below 0.2"
GAIN = "squared error, unweighted over weighted, U(0.1, 4)"
FALL = "slope of log error by log participation"
STAY = "mean error of the printed average over its exact bias"
EXACT = "squared error over the expected one"
COVER = "95 % intervals of the mean that cover"
QUANTILE = "95 % intervals of quantiles that cover"
BOUND = "bounds of the minimum's quantile that hold"
TELLING = "the same, of bounds above 0 alone: others hold anyway"
RANGES = "95 % intervals of the mean that cover, ranges of owners' own"


def checks(findings: Findings) -> list[Check]:
    """Return all checks, rule by rule."""
    rules = (_paper, _gains, _falls, _stays, _exact, _covers, _quantiles, _bounds, _ranges)
    return [check for rule in rules for name in findings.facts for check in rule(findings, name)]


def _paper(findings: Findings, name: str) -> Iterator[Check]:
    """Hold ours against the one number that the paper prints, with about as many owners."""
    point = Point(name, share=0.4)
    for way in OURS if findings.facts[name].rows >= LARGE else ():
        errors = findings.errors(point, way)
        found = root_mean_square(errors)
        yield Check(PAPER, name, str(way), found, found / sqrt(2 * len(errors)), 0.0, 0.2)


def _gains(findings: Findings, name: str) -> Iterator[Check]:
    point = weighing(name, findings.facts[name].rows)
    for plain, ours in WEIGHED:
        known = findings.expected[point, plain] ** 2 / findings.expected[point, ours] ** 2
        yield Check(GAIN, name, f"{ours.mechanism}, exact", known, 0.0, 5.0, np.inf)
        off, near = (findings.errors(point, way) ** 2 for way in (plain, ours))
        ratio = float(off.mean() / near.mean())
        stderr = ratio * sqrt(4 / len(off))
        about = f"{ours.mechanism}, {len(off)} runs"
        yield Check(GAIN, name, about, ratio, stderr, 5.0, np.inf)


def _falls(findings: Findings, name: str) -> Iterator[Check]:
    at = points(name)[2]
    log = np.log([point.share for point in at])
    centred = log - log.mean()
    for way in OURS:
        for about, errors, runs in (
            ("exact", [findings.expected[point, way] for point in at], 0),
            *_measured(findings, at, way),
        ):
            slope = float(centred @ np.log(errors) / (centred @ centred))
            stderr = sqrt(1 / (2 * runs) / float(centred @ centred)) if runs else 0.0
            allowed = 3 * stderr if runs else 0.03  # all taking part, nobody is drawn
            low, high = -0.5 - allowed, -0.5 + allowed
            yield Check(FALL, name, f"{way}, {about}", slope, stderr, low, high)


def _measured(
    findings: Findings, at: Sequence[Point], way: Way
) -> Iterator[tuple[str, list[float], int]]:
    runs = len(findings.answers[at[0], way])
    if runs < ENOUGH:
        return
    yield f"{runs} runs", [root_mean_square(findings.errors(p, way)) for p in at], runs


def _stays(findings: Findings, name: str) -> Iterator[Check]:
    off = findings.facts[name].bias
    for way in PRINTED:
        for share in (SHARES[0], SHARES[-1]):
            point = Point(name, share=share)
            errors = findings.errors(point, way)
            noise = sqrt(max(findings.expected[point, way] ** 2 - off**2, 0.0))
            stderr = noise / sqrt(len(errors)) / abs(off)
            about = f"{way}, {100 * share:.0f} % take part"
            ratio = float(errors.mean()) / off
            yield Check(STAY, name, about, ratio, stderr, 1 - 3 * stderr, 1 + 3 * stderr)


def _exact(findings: Findings, name: str) -> Iterator[Check]:
    """Compare squared errors of all settings with those to expect."""
    at = [point for figure in points(name) for point in figure]
    for way in (Way.EQUAL, *OURS):
        parts = [findings.errors(p, way) / findings.expected[p, way] for p in at]
        scaled = np.concatenate(parts)
        stderr = sqrt(2 / len(scaled))
        value = float(np.mean(scaled**2))
        yield Check(EXACT, name, str(way), value, stderr, 1 - 3 * stderr, 1 + 3 * stderr)


def _covers(findings: Findings, name: str) -> Iterator[Check]:
    at = [*(p for figure in points(name) for p in figure)]
    at.append(weighing(name, findings.facts[name].rows))
    for way in OURS:
        held = [answer.covered for p in at for answer in findings.answers[p, way]]
        yield _share(COVER, name, str(way), held, 0.93, 0.97)


def _quantiles(findings: Findings, name: str) -> Iterator[Check]:
    held = findings.covered[weighing(name, findings.facts[name].rows)]
    for i, level in enumerate(LEVELS):
        about = f"level {level:g}, U(0.1, 4)"
        yield _share(QUANTILE, name, about, [run[i] for run in held], 0.93, 1.0)


def _bounds(findings: Findings, name: str) -> Iterator[Check]:
    own = weighing(name, findings.facts[name].rows)
    drawn = [p for figure in points(name) for p in figure]
    for about, at in (("Figures 2 to 4", drawn), ("U(0.1, 4)", [own])):
        found = [extreme for p in at for extreme in findings.extremes[p]]
        yield _share(BOUND, name, about, [each.covered for each in found], 0.95, 1.0)
        telling = [each.covered for each in found if each.limit > 0]  # others hold anyway
        if telling:
            yield _share(TELLING, name, about, telling, 0.95, 1.0)


def _ranges(findings: Findings, name: str) -> Iterator[Check]:
    for way in (Pooled.LIKELIHOOD, Pooled.WINDOW):
        each = [findings.pooled[name, epsilon, way] for epsilon in OWN_RANGES]
        held = [answer.covered for runs in each for answer in runs]
        yield _share(RANGES, name, str(way), held, 0.93, 1.0)


def _share(
    rule: str, name: str, about: str, held: Sequence[bool], low: float, high: float
) -> Check:
    """Check a share of runs; its bars are wider by two standard errors of so many runs."""
    room = 2 * sqrt(0.95 * 0.05 / len(held))
    share = float(np.mean(held))
    stderr = sqrt(share * (1 - share) / len(held))
    return Check(
        rule, name, f"{about}, {len(held)} runs", share, stderr, low - room, min(high + room, 1.0)
    )
