"""Figures 5 to 12 of the PMPM paper: which settings they are made of, errors, and the bars."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, nan
from typing import NamedTuple

import numpy as np

from discretion.design.mean_designs import reported
from papers.county import Survey
from papers.means import Errors, Setting, Way, expected, simulated

FIRST_SEED = 9001  # none of these was used while the methods were made
TAUS = (1.125, 1.25, 1.375, 1.5)
BUDGETS = tuple(float(budget) for budget in range(8, 15))
BARRED = (8.0, 10.0, 12.0, 14.0)
DIMENSIONS, AT = (20, 22, 24, 26, 28, 30), 10.0  # of Figures 9 to 12, and their budget
HALF, NO_MORE = 0.5, 1.0
Watch = Callable[[Sequence[str]], Iterator[str]]


class Point(NamedTuple):
    """One way, asked about the first numbers of a survey; tau is 0 where it does not matter."""

    survey: str
    numbers: int
    budget: float
    way: Way
    tau: float


@dataclass(frozen=True)
class Scope:
    """How much is done: the crowds for each point, and the budgets and taus they are drawn at."""

    seeds: int = 20
    budgets: tuple[float, ...] = BARRED
    taus: tuple[float, ...] = (TAUS[0], TAUS[-1])
    figures: bool = True

    @classmethod
    def of(cls, seeds: int | None, *, quick: bool) -> "Scope":
        """Return the whole of it, or with ``quick`` two budgets and the bars alone."""
        if quick:
            return cls(seeds or 3, (8.0, 14.0), TAUS[:1], figures=False)
        return cls(seeds or cls.seeds)


@dataclass(frozen=True)
class Findings:
    """The errors to expect, and those of simulated crowds."""

    scope: Scope
    surveys: Mapping[str, tuple[str, ...]]  # the attributes of each
    moments: tuple[float, float]  # mean of squares and variance, in the mean over all numbers
    designs: Mapping[tuple[str, float, Way], str]  # who tells what
    expected: Mapping[Point, float]
    errors: Mapping[Point, tuple[float, ...]]

    def point(self, survey: str, budget: float, way: Way, tau: float) -> Point:
        """Return the point of all numbers."""
        return Point(survey, len(self.surveys[survey]), budget, way, tau if way.personal else 0.0)

    def simulated(self, point: Point) -> tuple[float, float]:
        """Return the mean error over the crowds, and its standard error; nan where unknown."""
        found: Errors = np.array(self.errors.get(point, ()))
        if not len(found):
            return nan, nan
        error = found.std(ddof=1) / np.sqrt(len(found)) if len(found) > 1 else nan
        return float(found.mean()), float(error)


@dataclass(frozen=True)
class Check:
    """A ratio of mean squared errors of simulated crowds that must not exceed its bar."""

    way: Way
    other: Way
    survey: str
    budget: float
    tau: float
    ratio: float
    stderr: float
    expected: float  # the ratio of the errors to expect
    bar: float

    @property
    def met(self) -> bool:
        return self.ratio <= self.bar and self.expected <= self.bar

    def __str__(self) -> str:
        return f"{self.ratio:.3f} ± {self.stderr:.3f} (expected {self.expected:.3f})"


def measure(scope: Scope, surveys: Sequence[Survey], watch: Watch = iter) -> Findings:
    """Work out and simulate everything in the scope; ``watch`` is given all steps."""
    budgets = BUDGETS if scope.figures else scope.budgets
    settings = [Setting(survey, budget) for survey in surveys for budget in budgets]
    smaller = [
        Setting(survey.first(count), AT)
        for survey in surveys
        for count in (DIMENSIONS if scope.figures else ())
    ]
    steps = watch([_title(setting) for setting in (*settings, *smaller)])
    to_expect: dict[Point, float] = {}
    errors: dict[Point, tuple[float, ...]] = {}
    designs: dict[tuple[str, float, Way], str] = {}
    for setting, _ in zip((*settings, *smaller), steps, strict=False):
        taus = TAUS if scope.figures else scope.taus
        to_expect |= {p: expected(setting, p.way, p.tau) for p in points(setting, taus)}
        if setting in settings:
            name, budget = setting.survey.name, setting.budget
            designs |= {(name, budget, way): _told(setting, way) for way in Way}
            errors |= _crowds(scope, setting) if budget in scope.budgets else {}
    named = {survey.name: survey.attributes for survey in surveys}
    return Findings(scope, named, _moments(settings), designs, to_expect, errors)


def points(setting: Setting, taus: Sequence[float]) -> Iterator[Point]:
    """Yield every way, at every tau if that matters."""
    survey = setting.survey
    for way in Way:
        for tau in taus if way.personal else (0.0,):
            yield Point(survey.name, len(survey.attributes), setting.budget, way, tau)


def checks(findings: Findings) -> list[Check]:
    """Return all checks, rule by rule; PMPM's error is smallest at the smallest tau."""
    scope, names = findings.scope, findings.surveys
    least = scope.taus[0]
    rules = [
        (Way.RECORD, Way.PMPM, (least,), HALF),
        (Way.RECORD, Way.MPM, (least,), HALF),
        (Way.ATTRIBUTE, Way.PMPM, scope.taus, NO_MORE),
    ]
    return [
        _check(findings, ours, theirs, name, budget, tau, bar)
        for ours, theirs, taus, bar in rules
        for name in names
        for tau in taus
        for budget in scope.budgets
    ]


def _check(
    findings: Findings, ours: Way, theirs: Way, survey: str, budget: float, tau: float, bar: float
) -> Check:
    one, other = (findings.point(survey, budget, way, tau) for way in (ours, theirs))
    (mean, error), (base, off) = findings.simulated(one), findings.simulated(other)
    ratio, known = mean / base, findings.expected[one] / findings.expected[other]
    stderr = ratio * hypot(error / mean, off / base)
    return Check(ours, theirs, survey, budget, tau, ratio, stderr, known, bar)


def _crowds(scope: Scope, setting: Setting) -> dict[Point, tuple[float, ...]]:
    """Simulate every way whose errors are not left to the formula; PMPM gives the printed ones."""
    seeds = range(FIRST_SEED, FIRST_SEED + scope.seeds)
    found: dict[Point, list[float]] = {}
    for point in points(setting, scope.taus):
        if point.way in (Way.PRINTED, Way.ALIKE, Way.EVENLY):
            continue
        for errors in simulated(setting, point.way, point.tau, seeds):
            for way, error in errors.items():
                found.setdefault(point._replace(way=way), []).append(error)
    return {point: tuple(each) for point, each in found.items()}


def _told(setting: Setting, way: Way) -> str:
    design = setting.design(way)
    if way is Way.DUCHI:
        return "the signs of all"
    return f"{design.name}: {reported(design)}"


def _moments(settings: Sequence[Setting]) -> tuple[float, float]:
    own = [guess for setting in settings for guess in setting.numbers.values()]
    return sum(g.square for g in own) / len(own), sum(g.spread for g in own) / len(own)


def _title(setting: Setting) -> str:
    survey = setting.survey
    return f"{survey.name}, {len(survey.attributes)} numbers, budget {setting.budget:g}"
