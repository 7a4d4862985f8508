"""What the reports say about one number: its laws, each with the outputs that were counted.

A number is reported alone, in a stratum (level and range) that has its own law, or in a bundle,
whose report holds one of a few levels of it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from discretion.aggregate import Aggregate, Evidence, check_round, counted, reports_of
from discretion.budget.level import level_of
from discretion.errors import EstimateError
from discretion.estimate.noise import Vector
from discretion.family import Blocks, Numbers
from discretion.family.numbers import decoded
from discretion.mechanism.law import Decodable
from discretion.plan import Family, Plan
from discretion.schema import Numeric
from discretion.table import Reports
from discretion.table.support import Counts

if TYPE_CHECKING:
    from discretion.numbers.density import Density

ROUNDED = 65  # codes at which the noise of a rounding law is evaluated


@dataclass(frozen=True, eq=False)
class LawCounts:
    """The reports of one law. ``first`` is the grid point at which their owners' range begins."""

    law: Decodable
    counts: Counts  # (outputs,)
    level: int
    first: int
    whole: bool  # whether the range is all of the grid
    gap: float | None = None  # in a bundle: how much more probable the own level is than another

    @cached_property
    def n(self) -> int:
        return int(self.counts.sum())

    @cached_property
    def decoded(self) -> Vector:
        """What each output stands for, in steps of the grid (outputs,)."""
        return decoded(self.law) + self.first

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
        return max(float(self._noises.min()), 0.0)

    @property
    def most_scatter(self) -> float:
        """The most that decoded reports may scatter: the worst noise, and numbers at both ends."""
        return float(self._noises.max()) + (self.law.size - 1) ** 2 / 4

    @property
    def _noises(self) -> Vector:
        """The noise at both ends of the grid, and between them where it is least or most."""
        constant, linear, square = self.noise
        bend = [-linear / (2 * square)] if square else []
        at = np.clip([0.0, *bend, self.law.size - 1], 0, self.law.size - 1)
        noises: Vector = constant + linear * at + square * at**2
        return noises


@cache
def noise_of(law: Decodable) -> Vector:
    """Return the variance of a law at code x, as the coefficients of 1, x and x^2.

    It is a parabola for windows and points. For what is rounded to a few knots or levels, which
    adds noise between them, it is the parabola nearest to it.
    """
    count = ROUNDED if law.rounds else 3
    at = np.unique(np.linspace(0, law.size - 1, count).astype(np.int64))
    variances = [float(law.variance(int(code))) for code in at]
    fit = np.polynomial.polynomial.polyfit(at, variances, min(2, len(at) - 1))
    return np.pad(np.asarray(fit, np.float64), (0, 3 - len(fit)))


@dataclass(frozen=True, eq=False)
class NumberEvidence:
    """All that was reported about one number, in one round."""

    plan: Plan
    number: Numeric
    parts: tuple[LawCounts, ...]  # from the smallest stratum up, then those of bundles
    everyone: int  # reports of the round, whatever they share
    fitted: "dict[float, Density]" = field(default_factory=dict, init=False)  # by smoothing

    @classmethod
    def of(cls, data: "Reports | Aggregate | NumberEvidence", name: str) -> "NumberEvidence":
        """Count the reports, if that is not done; there must be some, and of one round."""
        if isinstance(data, NumberEvidence):
            return data.about(name)
        plan = _plan(data)
        number = plan.questions[name].attribute.number
        if number is None or not is_reported_as_number(plan, name):
            raise plan.questions[name].refused("a number")
        check_round(data)
        parts = (*_alone(data, name, number), *_bundled(data, number))
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

    def only(self, parts: Iterable[LawCounts]) -> Self:
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
        low, step = self.number.low * self.number.unit, self.number.stride * self.number.unit
        return float(low) + float(step) * position

    @property
    def step(self) -> float:
        return float(self.number.stride * self.number.unit)


def _alone(data: Reports | Aggregate, name: str, number: Numeric) -> Iterator[LawCounts]:
    if name not in data.plan.questions[name].numbers:
        return  # labels are reported as a number by bundles alone
    family = Numbers(data.plan.questions[name])
    for stratum, outputs in counted(data, family).items():
        law, first = family.law(stratum), family.first_point(stratum)
        yield LawCounts(law, outputs.counts, level_of(stratum), first, law.size == number.size)


def _bundled(data: Reports | Aggregate, number: Numeric) -> Iterator[LawCounts]:
    for block in _blocks(data.plan, number.name):
        part = block.question.parts.index(number.name)
        for level, outputs in counted(data, block).items():
            law = block.marginal_law(number, level)
            yield LawCounts(law, outputs.counts[part], level, 0, whole=True, gap=float(law.gap))


def _blocks(plan: Plan, name: str) -> list[Blocks]:
    """Return the blocks of numbers that a number is in."""
    bundles = (plan.questions[bundle.name] for bundle in plan.bundles)
    return [Blocks(question) for question in bundles if name in question.numbers]


Data = Reports | Aggregate | NumberEvidence  # what estimates of numbers are made from


def _plan(data: Data) -> Plan:
    if not isinstance(data, Reports | Aggregate | NumberEvidence):
        kind = type(data).__name__
        raise EstimateError(f"numbers need reports or an Aggregate, got {kind}")
    return data.plan


def evidence_of(data: Data | Evidence, name: str) -> Evidence | NumberEvidence:
    """Count the reports, if that is not done: those about labels, or those about a number."""
    if isinstance(data, Evidence | NumberEvidence):
        return data.about(name)
    return (
        NumberEvidence.of(data, name)
        if is_reported_as_number(_plan(data), name)
        else Evidence.of(data, name)
    )


def is_reported_as_number(plan: Plan, name: str) -> bool:
    """Whether an attribute is reported as a number, by itself or in a bundle."""
    return any(name in question.numbers for question in plan.questions.values())


def menu_of(plan: Plan, name: str) -> Iterator[tuple[int, Decodable]]:
    """Yield every level at which a number may be reported, and its law in the whole range."""
    question = plan.questions[name]
    number = question.attribute.number
    assert number is not None
    if name in question.numbers:
        yield from ((level, question.law(level, Family.NUMBERS)) for level in question.menu)
    for block in _blocks(plan, name):
        yield from ((level, block.marginal_law(number, level)) for level in block.menu)
