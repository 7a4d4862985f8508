"""What the reports say about one number: its laws, each with the outputs that were counted.

A number is reported alone, at a grade (level and range) that has its own law, or in a bundle, whose
report tells one of a few levels of it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from discretion.aggregate import Aggregate, Outputs, count_numbers
from discretion.budget.grade import level_of, place_of
from discretion.errors import EstimateError, KindError
from discretion.estimate.evidence import Evidence, reports_of
from discretion.estimate.noise import Vector
from discretion.mechanism import Choice, HalfSpace, Table, Told
from discretion.mechanism.law import Decodable, Piece
from discretion.plan import Family, Plan
from discretion.schema import Bundle, Numeric
from discretion.table import Reports
from discretion.table.support import Counts

if TYPE_CHECKING:
    from discretion.numbers.density import Density

ROUNDED = 65  # codes at which the noise of a rounding law is looked at


@dataclass(frozen=True, eq=False)
class Reading:
    """The reports of one law. ``first`` is the grid point at which their owners' range begins."""

    law: Decodable
    counts: Counts  # (reach,)
    level: int
    first: int
    whole: bool  # whether the range is all of the grid

    @cached_property
    def n(self) -> int:
        return int(self.counts.sum())

    @cached_property
    def decoded(self) -> Vector:
        """What each output stands for, in steps of the grid (reach,)."""
        pieces = [_line(p) for p in self.law.pieces]
        return np.concatenate(pieces) + self.first

    @cached_property
    def mean(self) -> float:
        return float(self.counts @ self.decoded) / self.n

    def scatter(self, centre: float) -> float:
        """Return the mean squared distance of decoded reports from a centre."""
        return float(self.counts @ (self.decoded - centre) ** 2) / self.n

    @property
    def noise(self) -> Vector:
        """The noise that the law adds to code x, as the coefficients of 1, x and x^2."""
        return noise_of(self.law)

    @property
    def least_noise(self) -> float:
        """The noise at the code where it is least."""
        constant, linear, square = self.noise
        bend = [-linear / (2 * square)] if square > 0 else []
        at = np.clip([0.0, *bend, self.law.size - 1], 0, self.law.size - 1)
        return max(float((constant + linear * at + square * at**2).min()), 0.0)


@cache
def noise_of(law: Decodable) -> Vector:
    """Return the variance of a law at code x, as the coefficients of 1, x and x^2.

    It is a parabola for windows and points. For what is rounded to a few knots or levels, which
    adds noise between them, it is the parabola nearest to it.
    """
    count = ROUNDED if isinstance(law, Table | Told) else 3
    at = np.unique(np.linspace(0, law.size - 1, count).astype(np.int64))
    variances = [float(law.variance(int(code))) for code in at]
    fit = np.polynomial.polynomial.polyfit(at, variances, min(2, len(at) - 1))
    return np.pad(np.asarray(fit, np.float64), (0, 3 - len(fit)))


def _line(piece: Piece) -> Vector:
    outputs = np.arange(piece.start, piece.stop, dtype=np.float64)
    return float(piece.origin) + float(piece.pitch) * outputs


@dataclass(frozen=True, eq=False)
class Readings:
    """All that was reported about one number, in one round."""

    plan: Plan
    number: Numeric
    parts: tuple[Reading, ...]  # from the smallest grade up, then what bundles tell
    everyone: int  # reports of the round, whatever they share
    fitted: "dict[float, Density]" = field(default_factory=dict, init=False)  # by smoothing

    @classmethod
    def of(cls, data: "Reports | Aggregate | Readings", name: str) -> "Readings":
        """Count the reports, if that is not done; there must be some, and of one round."""
        if isinstance(data, Readings):
            return data.about(name)
        plan = _plan(data)
        number = plan.questions[name].attribute
        told = plan.questions[name].family is Family.NUMBERS or _telling(plan, name)
        if not isinstance(number, Numeric) or not told:
            raise KindError(name, plan.questions[name].mechanism, "a number")
        if not isinstance(data, Aggregate) and len(data.rounds) > 1:
            rounds = ", ".join(map(str, data.rounds))
            raise EstimateError(f"reports must be of one round, got {rounds}: use of_round()")
        parts = (*_alone(data, name, number), *_bundled(data, name, number))
        if not parts:
            raise EstimateError(f"nobody shared {name!r} in these reports")
        return cls(plan, number, parts, reports_of(data))

    @property
    def attribute(self) -> str:
        return self.number.name

    def about(self, name: str) -> Self:
        """Return the same, if it is about this number."""
        if name != self.attribute:
            raise EstimateError(f"the evidence is about {self.attribute!r}, not {name!r}")
        return self

    def only(self, parts: Iterable[Reading]) -> Self:
        """Return the evidence of some parts alone."""
        return replace(self, parts=tuple(parts))

    @property
    def n(self) -> int:
        return sum(part.n for part in self.parts)

    @property
    def decodable(self) -> bool:
        """Whether all reports can be decoded without bias: whole ranges, laws that allow it."""
        return all(part.whole and part.law.pieces for part in self.parts)

    @property
    def cuts(self) -> list[int]:
        """The grid points at which something changes: numbers outside a range are like its ends."""
        last = self.number.size - 1
        ends = {(part.first, part.first + part.law.size - 1) for part in self.parts}
        return [low + 1 for low, _ in ends if low > 0] + [high for _, high in ends if high < last]

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest number of the grid."""
        return self.value(0), self.value(self.number.size - 1)

    def value(self, position: float) -> float:
        """Return the number at a position of the grid, which counts its steps."""
        low, step = self.number.low * self.number.unit, self.number.step * self.number.unit
        return float(low) + float(step) * position

    @property
    def step(self) -> float:
        return float(self.number.step * self.number.unit)


def _counted(data: Reports | Aggregate, name: str) -> dict[int, Outputs]:
    return dict(data.outputs(name)) if isinstance(data, Aggregate) else count_numbers(data, name)


def _alone(data: Reports | Aggregate, name: str, number: Numeric) -> Iterator[Reading]:
    if data.plan.questions[name].family is not Family.NUMBERS:
        return  # of labels only bundles tell a number
    for grade, outputs in _counted(data, name).items():
        law, first = (
            data.plan.questions[name].law(grade, Family.NUMBERS),
            first_point(data.plan, name, grade),
        )
        yield Reading(law, outputs.counts, level_of(grade), first, law.size == number.size)


def first_point(plan: Plan, name: str, grade: int) -> int:
    """Return the grid point at which the range of a grade begins."""
    number = plan.questions[name].attribute
    assert isinstance(number, Numeric)
    return (number.within(place_of(grade)).low - number.low) // number.step


def _bundled(data: Reports | Aggregate, name: str, number: Numeric) -> Iterator[Reading]:
    for bundle in _telling(data.plan, name):
        place = data.plan.questions[bundle.name].parts.index(name)
        for level, outputs in _counted(data, bundle.name).items():
            law = _told(data.plan, bundle, place, number, level)
            yield Reading(law, outputs.counts[place], level, 0, whole=True)


def _telling(plan: Plan, name: str) -> list[Bundle]:
    """Return the bundles of numbers that one is told in."""
    return [
        b
        for b in plan.bundles
        if plan.questions[b.name].family is Family.BLOCKS and name in plan.questions[b.name].parts
    ]


def _told(plan: Plan, bundle: Bundle, place: int, number: Numeric, level: int) -> Told:
    return Told(number.size, bundle.sizes[place], _own(plan, bundle, level))


Data = Reports | Aggregate | Readings  # what estimates of numbers are made from


def _plan(data: Data) -> Plan:
    if not isinstance(data, Reports | Aggregate | Readings):
        kind = type(data).__name__
        raise EstimateError(f"numbers need reports or an Aggregate, got {kind}")
    return data.plan


def evidence_of(data: Data | Evidence, name: str) -> Evidence | Readings:
    """Count the reports, if that is not done: those about labels, or those about a number."""
    if isinstance(data, Evidence | Readings):
        return data.about(name)
    return Readings.of(data, name) if is_told(_plan(data), name) else Evidence.of(data, name)


def is_told(plan: Plan, name: str) -> bool:
    """Whether reports tell about an attribute as a number, by itself or in a bundle."""
    labels = plan.questions[name].labels or plan.questions[name].family is Family.SKETCHES
    return not labels or bool(_telling(plan, name))


def menu_of(plan: Plan, name: str) -> Iterator[tuple[int, Decodable]]:
    """Yield every level at which a number may be told, and its law in the whole range."""
    number = plan.questions[name].attribute
    assert isinstance(number, Numeric)
    if plan.questions[name].family is Family.NUMBERS:
        yield from (
            (level, plan.questions[name].law(level, Family.NUMBERS))
            for level in plan.questions[name].menu
        )
    for bundle in _telling(plan, name):
        place = plan.questions[bundle.name].parts.index(name)
        for level in plan.questions[bundle.name].menu:
            yield level, _told(plan, bundle, place, number, level)


def _own(plan: Plan, bundle: Bundle, level: int) -> Fraction:
    """Return how often a bundle's report has the own level of one of its numbers."""
    law, levels = plan.questions[bundle.name].law(level), bundle.sizes[0]
    match law:
        case HalfSpace():
            return law.own
        case Choice():
            keep, other = law.inclusion.own, law.inclusion.other
            return keep + other * (Fraction(law.size, levels) - 1)
    raise TypeError(f"no margin of {law!r}")
