"""Codes of sets: a report has codes that meet the owner's set more often than chance has it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np

from discretion.budget.level import RANGE
from discretion.family.counts import BitCounts
from discretion.family.covers.linear import PooledCovers, channel
from discretion.family.family import Displacement, LinearFamily
from discretion.kernel.count import count_bits, level_index
from discretion.mechanism import Cover
from discretion.plan import Family
from discretion.schema.entries import Entries
from discretion.table.columns import Bytes, Levels


@dataclass(frozen=True)
class Covers(LinearFamily[BitCounts]):
    """Reports about sets of listed items; of maps, about their symbols."""

    reported = "codes of sets"
    tabulated = False
    several = True

    @property
    def estimated(self) -> tuple[str, ...]:
        return cast("Entries", self.question.attribute).symbols

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
        return PooledCovers(levels, len(self.estimated), by_owners)

    def displaced(
        self, counts: Mapping[int, BitCounts], share: float, added: float, cap: float | None = None
    ) -> Displacement:
        """Return what false reports of each level do that all have a code, or all lack it.

        A liar moves a share by 1 / (p - q) at most; those of all lengths are looked at.
        """
        pooled, moved = self.pooled(counts, cap), []
        kept = (1 - share) * pooled.weight
        for level in self.some_levels:
            ends = [self._ends(level + RANGE * place, added, kept) for place in self.places]
            scores = np.array([(odds, score) for own in ends for odds, score in own])
            odds, score = scores.T[:, :, None]
            moved.append(odds / (1 + odds) * (score - pooled.value))
        changes = np.array(moved)
        return Displacement(self.some_levels, changes.max(axis=1), changes.min(axis=1))

    def _ends(self, stratum: int, added: float, kept: float) -> list[tuple[float, float]]:
        """Return the weight of false reports over that of others, with either score of a code."""
        own = channel(self.law(stratum))
        odds = added / float(own.variance(np.zeros(1))[0]) / kept
        return [(odds, (reported - own.other) / own.gap) for reported in (0.0, 1.0)]
