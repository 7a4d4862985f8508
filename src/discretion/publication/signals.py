"""What all reports say about every attribute: likelihoods, with ones where a report is silent.

A model of the whole record reads each report as soft evidence, so missing attributes, personal
levels and mixed mechanisms are no special cases.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError
from discretion.joints.allocation import AllocationLaw
from discretion.joints.axes import Axis, Bins, axes_of
from discretion.joints.build import factor_of
from discretion.joints.coded import CodedPart
from discretion.joints.em import ascend
from discretion.joints.evidence import Evidence, Group, Part, part_of
from discretion.joints.outputs import NumberPart
from discretion.kernel.count import Levels, find_places
from discretion.plan import Plan
from discretion.table import ReportTable
from discretion.table.columns import present
from discretion.table.expansion import times_shared

GAIN = 0.02  # nats in all, less than which the last steps of a marginal must have brought
PASSES = 200
LEAST = 0.5  # reports that every value is given, so that none is impossible

Single = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Bits = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Signal:
    """One question: the likelihood of each of its cells, for every report."""

    axes: tuple[int, ...]  # one, or for a bundle several
    sizes: tuple[int, ...]
    likelihood: Single  # (cells, reports): of each report, in units of the likeliest cell
    told: Mask  # (reports,): who answered
    strata: Places  # (reports,): the place of each one's level, and cohort, among those that occur
    bits: Bits | None = None  # (reports, cells): of secret levels, the codes spoken for

    @property
    def n(self) -> float:
        return float(self.told.sum())

    def slope(self, f: Vector) -> tuple[float, Vector]:
        """Return the log-likelihood of frequencies of the cells, and each cell's multiplier."""
        density = f.astype(np.float32) @ self._spoken
        value = float(np.log(density, dtype=np.float64).sum())
        return value, (self._spoken @ (1 / density)).astype(np.float64) / self.n

    @cached_property
    def _spoken(self) -> Single:
        return self.likelihood if self.told.all() else self.likelihood[:, self.told]

    @cached_property
    def frequencies(self) -> Vector:
        """The most likely frequencies of the cells, none of which is zero."""
        cells = len(self.likelihood)
        fit = ascend(self, np.full(cells, 1 / cells), 0.0, PASSES, GAIN)
        return (fit.f * self.n + LEAST) / (self.n + LEAST * cells)


@dataclass(frozen=True, eq=False)
class Signals:
    """All questions of one round, about the attributes as axes."""

    plan: Plan
    axes: tuple[Axis, ...]
    each: tuple[Signal, ...]

    @classmethod
    def of(cls, reports: ReportTable, names: Sequence[str], bins: Bins | None = None) -> Self:
        """Read all reports; each attribute needs some."""
        if len(reports.rounds) > 1:
            rounds = ", ".join(map(str, reports.rounds))
            raise EstimateError(f"reports must be of one round, got {rounds}: use of_round()")
        if not names:
            raise EstimateError("there are no reports about labels, or about numbers by themselves")
        axes = axes_of(reports, names, bins, finer=False)
        signals = cls(reports.plan, axes, tuple(_read(reports, axes)))
        heard = {axis for signal in signals.each for axis in signal.axes}
        for place, name in enumerate(names):
            if place not in heard:
                raise EstimateError(f"nobody shared {name!r} in these reports")
        return signals

    @property
    def n(self) -> int:
        """The reports, silent ones included."""
        return self.each[0].likelihood.shape[1]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(axis.size for axis in self.axes)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(axis.name for axis in self.axes)

    def about(self, *axes: int) -> list[Signal]:
        """Return the questions that tell about all of these axes together."""
        return [signal for signal in self.each if set(axes) <= set(signal.axes)]

    @cached_property
    def marginals(self) -> tuple[Vector, ...]:
        """The frequencies of each attribute, by the question that most owners answered."""
        return tuple(self._marginal(axis) for axis in range(len(self.axes)))

    def _marginal(self, axis: int) -> Vector:
        signal = max(self.about(axis), key=lambda each: each.n)
        others = tuple(i for i, own in enumerate(signal.axes) if own != axis)
        return signal.frequencies.reshape(signal.sizes).sum(axis=others)


def _read(reports: ReportTable, axes: tuple[Axis, ...]) -> Iterator[Signal]:
    plan, names = reports.plan, [axis.name for axis in axes]
    answered = {name: present(reports.data[f"{name}.y"]) for name in plan.names}
    shared = times_shared(plan, np.column_stack(list(answered.values()))).sum(axis=1)
    for question in plan.names:
        parts, told = plan.parts(question), answered[question]
        if not set(parts) <= set(names) or plan.is_numbers(question) or not told.any():
            continue
        places = tuple(names.index(part) for part in parts)
        own = tuple(axes[place] for place in places)
        rows = np.flatnonzero(told)
        part = part_of(reports, own, question, rows)
        bits = None
        if isinstance(part, Part) and plan.secret:
            rows_of = _secret(reports, own, Group((part,), shared[rows]))
            bits = np.zeros((len(told), part.size), np.uint8)
            bits[rows] = part.bits
        else:
            rows_of = factor_of(plan, part).likelihood(slice(0, len(rows)))
        likelihood = np.ones((part.size, len(told)), np.float32)
        likelihood[:, rows] = (rows_of / rows_of.max(axis=1, keepdims=True)).T  # no overflow
        strata = np.zeros(len(told), np.int64)
        strata[rows] = _strata(reports.columns(question)[0][rows], part)
        yield Signal(places, tuple(axis.size for axis in own), likelihood, told, strata, bits)


def _strata(levels: Levels, part: Part | CodedPart | NumberPart) -> Places:
    """Return the place of each report's law: a device has one cohort for all that it tells."""
    which = np.empty(len(levels), np.int64)
    find_places(levels, which)
    if not isinstance(part, CodedPart) or part.coding.cohorts == 1:
        return which
    places: Places = np.unique(which * part.coding.cohorts + part.cohorts, return_inverse=True)[1]
    return places


def _secret(reports: ReportTable, axes: tuple[Axis, ...], group: Group) -> Single:
    """Return the likelihoods where the level is unknown, by the law of levels learnt from all."""
    law = AllocationLaw.learnt(Evidence(reports, axes, (group,)))
    off, on = np.split(law.tables(group), 2, axis=1)
    return np.where(group.supports[0].bits, on, off)
