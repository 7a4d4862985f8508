"""How far false reports can move shares of ranges, and the mean of what is reported by intervals.

The linear estimate is a sum over depths of the coefficients k of nodes times their shares. Of the N
reports of the round a share b is replaced by false ones, of which a_h are at depth h, at one level.
With W_h the weight of the honest reports there and w that of one false report, these are the part

    a_h w / ((1 - b) W_h + a_h w)

of what is known of depth h, and W_h becomes the divisor, so depths with many false reports count
more: the coefficients are worked out anew. The attackers draw no depth, but choose it. Tried are
all of them at one depth, at each one, and at depths as honest devices draw them, at every level of
the menu. Of a set of nodes each sends the one that counts most; of hashed nodes each sends, by
functions that are drawn, the truth about the node that counts most. Other mixtures may do more, so
it is called an attack. Derivation: docs/proofs/hierarchy.md, section 6.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, TypeVar, cast

import numpy as np

from discretion.estimate.noise import Matrix, Noise, Vector
from discretion.mechanism import Hierarchy, SupportLaw
from discretion.order.boxes import Data, evidence_of
from discretion.order.cells import CellsEvidence, LinearCells
from discretion.order.curves import points_of
from discretion.order.evidence import Data as OrderData
from discretion.order.evidence import OrderEvidence
from discretion.order.plane import LinearBoxes
from discretion.order.ranges import ranges
from discretion.order.result import LinearRuns
from discretion.order.runs import Range
from discretion.robustness.bound import ATTACK, SHARE, ManipulationBound, check_share

T = TypeVar("T", contravariant=True)


def range_margin(
    data: Data, attribute: str, share: float = SHARE, wanted: Sequence[Range] | None = None
) -> ManipulationBound:
    """Return how far false reports move the shares of ranges in an attack: so much can be done."""
    evidence = evidence_of(data, attribute)
    found = ranges(evidence, attribute, wanted)
    what = tuple(" to ".join(dict.fromkeys(map(str, ends))) for ends in found.ranges)
    if isinstance(evidence, CellsEvidence):
        linear = cast("LinearCells", found.linear)
        in_cells = [CellsAttack(linear, level, share) for level in evidence.labels.family.menu]
        bound = _shown(evidence.name, share, what, in_cells, range(len(what)))
    else:
        goals = cast("LinearRuns | LinearBoxes", found.linear).goals
        bound = _of_tree(evidence, share, what, goals)
    up, down = np.minimum(bound.up, 1 - found.value), np.maximum(bound.down, -found.value)
    return replace(bound, up=up, down=down)  # a share that is shown is none beyond 0 or 1


def mean_margin(data: OrderData, attribute: str, share: float = SHARE) -> ManipulationBound:
    """Return the same of the mean of a number that is reported by intervals."""
    evidence = OrderEvidence.of(data, attribute)
    return _of_tree(evidence, share, ("mean",), [points_of(evidence)])


def _of_tree(
    evidence: OrderEvidence, share: float, what: tuple[str, ...], goals: Iterable[Vector]
) -> ManipulationBound:
    attacks = [Attack(evidence, level, share) for level in evidence.family.some_levels]
    contrasts = [evidence.linear.shape.contrasts(goal) for goal in goals]
    return _shown(evidence.name, share, what, attacks, contrasts)


class Attacks(Protocol[T]):
    """False reports at one level of the menu, beside honest ones."""

    @property
    def level(self) -> int: ...

    def most(self, about: T, sign: int) -> float:
        """Return the largest change of something that is estimated, up or down."""


def _shown(
    name: str,
    share: float,
    what: tuple[str, ...],
    attacks: Sequence[Attacks[T]],
    about: Iterable[T],
) -> ManipulationBound:
    check_share(share)
    wanted = [*about]
    up = np.array([[each.most(own, 1) for own in wanted] for each in attacks])
    down = np.array([[each.most(own, -1) for own in wanted] for each in attacks])
    level = attacks[int(np.maximum(up, -down).max(axis=1).argmax())].level
    return ManipulationBound(name, what, share, up.max(axis=0), down.min(axis=0), level, ATTACK)


@dataclass(frozen=True, eq=False)
class CellsAttack:
    """False reports about the cells of two numbers, at one level, beside honest ones."""

    linear: LinearCells
    level: int
    share: float

    @cached_property
    def counted(self) -> tuple[float, Matrix]:
        """The part that false reports are of what is known, and what each cell counts then."""
        evidence, law = self.linear.evidence, self.law
        honest = (1 - self.share) / evidence.cells.variance
        each = Noise.of(law).precision(law.size)
        false = self.share * evidence.labels.everyone * each
        return false / (honest + false), self.linear.counted(1 / (honest + false))[0]

    @property
    def law(self) -> SupportLaw:
        return cast("SupportLaw", self.linear.evidence.labels.family.law(self.level))

    def most(self, about: int, sign: int) -> float:
        """Return the largest change of the share of a box, up or down."""
        part, counted = self.counted
        k, mass = sign * counted[about], self.linear.evidence.fit.table.ravel()
        return sign * part * (worst(self.law, k) - float(k @ mass))


@dataclass(frozen=True, eq=False)
class Attack:
    """False reports at one level of the menu, beside honest ones."""

    evidence: OrderEvidence
    level: int
    share: float  # of all reports of the round that is false

    @cached_property
    def law(self) -> Hierarchy:
        return self.evidence.family.law(self.level)

    @cached_property
    def honest(self) -> Vector:
        """The weight of the honest reports at each depth."""
        noise = np.array([depth.variance for depth in self.evidence.linear.depths])
        return np.asarray((1 - self.share) / noise)

    @cached_property
    def each(self) -> Vector:
        """The weight of one false report at each depth."""
        return np.array([Noise.of(own).precision(own.size) for own in self.law.laws])

    @property
    def false(self) -> Iterator[Vector]:
        """Yield how many false reports there are at each depth: all at one, or as drawn."""
        n = self.share * self.evidence.everyone
        weights = np.array(self.law.tree.weights, np.float64)
        yield from n * np.eye(len(weights))
        yield n * weights / weights.sum()

    def most(self, contrasts: Sequence[Vector], sign: int) -> float:
        """Return the largest change of a mean of leaves, up or down."""
        return sign * max(self._moved([sign * own for own in contrasts], n) for n in self.false)

    def _moved(self, contrasts: Sequence[Vector], false: Vector) -> float:
        shape, added = self.evidence.linear.shape, false * self.each
        last = int(np.flatnonzero(false)[-1]) + 1  # below it nothing is moved
        _, own = shape.weights((1 / (self.honest + added)).tolist())
        counted = shape.coefficients(contrasts[:last], own[:last])
        parts = added / (self.honest + added)
        gains = (
            weight * part * (worst(law, k) - float(k @ mass))
            for weight, part, law, k, mass in zip(
                own, parts, self.law.laws, counted, self.evidence.shares, strict=False
            )
            if part
        )
        return sum(gains)


def worst(law: SupportLaw, counted: Vector) -> float:
    """Return the largest sum of coefficients times scores that a false report can have, or expect.

    Scores are brought to sum one, as the shares of a depth are.
    """
    (own, other), whole = map(float, law.means), float(counted.sum())
    if count := law.form.ones:  # a set of so many nodes
        best, held = float(np.partition(counted, -count)[-count:].sum()), count / law.size
    else:
        best = (1 - other) * float(counted.max()) + other * whole
        held = (1 - other) / law.size + other
    return (best - held * whole) / (own - other) + whole / law.size
