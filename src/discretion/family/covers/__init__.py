"""Codes of sets: a report has codes that meet the owner's set more often than chance has it.

A false report has a code, or lacks it, whatever its owner has: it moves a share by 1 / (p - q) of
its weight at most. The mean of a key is a quotient, so it moves by that over the share besides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, cast

import numpy as np

from discretion.budget.level import RANGE
from discretion.estimate.noise import Matrix, Vector
from discretion.family.counts import BitCounts
from discretion.family.covers.linear import PooledCovers, channel
from discretion.family.family import Displacement, LinearFamily
from discretion.kernel.count import count_bits, level_index
from discretion.mechanism import Cover
from discretion.plan import Family
from discretion.schema.entries import Entries
from discretion.schema.numeric import Numeric
from discretion.table.columns import Bytes, Levels


@dataclass(frozen=True)
class Covers(LinearFamily[BitCounts]):
    """Reports about sets of listed items; of maps, about their symbols."""

    reported = "codes of sets"
    tabulated = False
    several = True

    @property
    def estimated(self) -> tuple[str, ...]:
        return self.entries.labels

    @property
    def entries(self) -> Entries:
        """What is asked."""
        return cast("Entries", self.question.attribute)

    @property
    def grid(self) -> Numeric | None:
        """The grid of a map's numbers; None of a set."""
        return self.entries.values

    @property
    def ends(self) -> tuple[float, float] | None:
        """The ends of the range of a map's numbers; None of a set."""
        if self.grid is None:
            return None
        return float(self.grid.low * self.grid.unit), float(self.grid.high * self.grid.unit)

    @property
    def affected(self) -> tuple[str, ...]:
        means = () if self.ends is None else tuple(f"mean of {key}" for key in self.estimated)
        return self.estimated + means

    @property
    def exhaustive(self) -> bool:
        return True

    def covered(self) -> "Covers":
        return self

    def law(self, stratum: int) -> Cover:
        return self.question.law(stratum, Family.COVERS)

    def variance(self, level: int) -> Fraction:
        """Return it at the default length."""
        law = self.law(level)
        half = (law.own + law.other) / 2
        return half * (1 - half) / (law.own - law.other) ** 2

    def counted(self, strata: Levels, y: Bytes) -> Iterable[tuple[int, BitCounts]]:
        used, index = level_index(strata)
        rows = np.ascontiguousarray(y)
        counts, _ = count_bits(rows, strata, index, len(used), 8 * y.shape[1])
        n = np.bincount(index[strata], minlength=len(used)) if len(strata) else ()
        for stratum, own, reports in zip(used.tolist(), counts, n, strict=True):
            codes = self.law(stratum).n_codes
            yield stratum, BitCounts(np.array([reports]), own[None, :codes])

    def restored(self, stratum: int, document: Mapping[str, Any]) -> BitCounts:
        law = self.law(stratum)
        found = BitCounts.restored(self.name, (1, law.n_codes), 1, document)
        if found.counts.sum() != found.n * law.count:
            raise ValueError(f"{self.name}: counts must be of {law.count} codes in each report")
        return found

    def pooled(
        self,
        counts: Mapping[int, BitCounts],
        cap: float | None = None,
        *,
        by_owners: bool = False,
    ) -> PooledCovers:
        """Return the pooled estimate, by precision or with equal weight for all owners."""
        self.refuse(cap)
        levels = [(self.law(stratum), tally) for stratum, tally in counts.items()]
        return PooledCovers(levels, len(self.entries.symbols), by_owners)

    def displaced(
        self, counts: Mapping[int, BitCounts], share: float, added: float, cap: float | None = None
    ) -> Displacement:
        """Return what false reports of each level do, of any length, that are all alike."""
        pooled, moved = self.pooled(counts, cap), []
        for level in self.some_levels:
            laws = [self.law(level + RANGE * place) for place in self.places]
            parts = [weight_of(law, pooled, share, added) for law in laws]
            own = zip(laws, parts, strict=True)
            moved.append(np.vstack([self._moved(law, pooled.value, part) for law, part in own]))
        most, least = ([side(own, axis=0) for own in moved] for side in (np.max, np.min))
        return Displacement(self.some_levels, np.array(most), np.array(least))

    def _moved(self, law: Cover, value: Vector, part: float) -> Matrix:
        if self.ends is None:
            return shares_moved(law, value, part)
        return keys_moved(law, value, part, self.ends)


def weight_of(law: Cover, pooled: PooledCovers, share: float, added: float) -> float:
    """Return the part of the estimate that false reports by this law have."""
    odds = added / float(channel(law).variance(np.zeros(1))[0]) / ((1 - share) * pooled.weight)
    return odds / (1 + odds)


def shares_moved(law: Cover, value: Vector, part: float) -> Matrix:
    """Return how far the share of each code moves by either report: (2, codes)."""
    own = channel(law)
    return np.array([part * ((code - own.other) / own.gap - value) for code in (0.0, 1.0)])


def keys_moved(law: Cover, value: Vector, part: float, ends: tuple[float, float]) -> Matrix:
    """Return how far the share of each key moves, and its mean, by any report: (3 or 4, 2 keys).

    Nothing bounds a mean where the share of the key may become zero or less.
    """
    own, honest = channel(law), value.reshape(-1, 2)
    reports = [codes for codes in product((0.0, 1.0), repeat=2) if sum(codes) <= law.count]
    scores = (np.array(reports) - own.other) / own.gap
    moved = (1 - part) * honest + part * scores[:, None]
    shares = np.concatenate([honest.sum(axis=1)[None], moved.sum(axis=2)])
    products = np.concatenate([(honest @ ends)[None], moved @ ends])
    there = (shares > 0).all(axis=0)
    means = products / np.where(shares > 0, shares, 1.0)
    apart = np.where(there, means[1:] - means[0], np.inf)
    apart[0, ~there] = -np.inf
    return np.hstack([shares[1:] - shares[0], apart])
