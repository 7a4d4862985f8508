"""Cells of sets of texts: each report is codes of the cells that its cohort makes of a set.

Within a cohort a report is one of ``covers``, whose items are cells: debiased, it is on average 1
for each cell that the set falls in. What an owner's other texts add to the cell of a candidate is,
over all cohorts, the mean of all cells: docs/proofs/sets.md, section 8.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from discretion.budget.level import RANGE
from discretion.errors import EstimateError
from discretion.family.counts import BitCounts
from discretion.family.covers.linear import PooledCovers
from discretion.family.family import Displacement, LinearFamily
from discretion.family.sketches import Channel, Sketch
from discretion.mechanism import Encoding, HashedCover
from discretion.plan import Family
from discretion.table.coded import count_codewords
from discretion.table.columns import Bytes, Levels

ANY_ITEM = "any item"


@dataclass(frozen=True)
class SetSketch(Sketch):
    """The cells of all cohorts, by all reports about one attribute; a set falls in several."""

    @cached_property
    def each(self) -> float:
        """How many cells the set of an owner falls in, as far as they are reported."""
        return max(float(self.totals.sum() / self.weight.sum()), 0.0)


@dataclass(frozen=True)
class Cells(LinearFamily[BitCounts]):
    """Reports about sets of texts that nobody listed before; analysts bring candidates."""

    reported = "cells of sets"
    tabulated = False
    open = True
    several = True

    @property
    def encoding(self) -> Encoding:
        return self.question.encoding

    @property
    def estimated(self) -> tuple[str, ...]:
        """What false reports move: of no item more or less than of others."""
        return (ANY_ITEM,)

    def law(self, stratum: int) -> HashedCover:
        return self.question.law(stratum or self.menu[0], Family.CELLS)

    def labelled(self) -> NoReturn:
        raise EstimateError(f"{self.name!r} lists no items: ask for the shares of candidates")

    def cells(self) -> "Cells":
        return self

    def counted(self, strata: Levels, y: Bytes) -> Iterable[tuple[int, BitCounts]]:
        for stratum in np.unique(strata).tolist():
            rows, law = strata == stratum, self.law(stratum)
            words = replace(law.encoding, bits=law.cover.n_codes)
            _, (n,), (counts,) = count_codewords(words, y[rows], strata[rows])
            yield stratum, BitCounts(n, counts)

    def restored(self, stratum: int, document: Mapping[str, Any]) -> BitCounts:
        law = self.law(stratum)
        found = BitCounts.restored(self.name, (law.cohorts, law.cover.n_codes), 1, document)
        ones = law.cover.count
        if (found.counts.sum(axis=1) != found.reports * ones).any():
            raise ValueError(f"{self.name}: counts must be of {ones} codes in each report")
        return found

    def sketch(self, counts: Mapping[int, BitCounts]) -> SetSketch:
        """Return the pooled linear estimate of all cells."""
        channels = []
        for stratum, tally in counts.items():
            cover, own = self.law(stratum).cover, tally.counts[:, : self.encoding.bits]
            means = float(cover.own), float(cover.other)
            channels.append(Channel(*means, False, tally.reports.astype(np.float64), own))
        return SetSketch(self.encoding, channels, sum(tally.n for tally in counts.values()))

    def pooled(self, counts: Mapping[int, BitCounts], cap: float | None = None) -> PooledCovers:
        """Return the estimate of the cells, those of all cohorts with one number together."""
        self.refuse(cap)
        together = {
            stratum: BitCounts(np.array([tally.n]), tally.counts.sum(axis=0, keepdims=True))
            for stratum, tally in counts.items()
        }
        levels = [(self.law(stratum).cover, tally) for stratum, tally in together.items()]
        return PooledCovers(levels, self.encoding.bits)

    def displaced(
        self, counts: Mapping[int, BitCounts], share: float, added: float, cap: float | None = None
    ) -> Displacement:
        """Return what false reports of each level do to an item that nobody has, or everybody.

        They are all of the length that does most, and have the cell of the item in their cohort, or
        lack it.
        """
        self.refuse(cap)
        sketch = self.sketch(counts)
        honest = (1 - share) * float(sketch.weight.sum())
        moved = []
        for level in self.some_levels:
            laws = [self.law(level + RANGE * place) for place in self.places]
            moved.append([self._moved(law, sketch, added, honest) for law in laws])
        up, down = np.array(moved).transpose(2, 0, 1)
        return Displacement(self.some_levels, up.max(axis=1)[:, None], down.min(axis=1)[:, None])

    def _moved(
        self, law: HashedCover, sketch: Sketch, added: float, honest: float
    ) -> tuple[float, float]:
        own, other = float(law.cover.own), float(law.cover.other)
        channel = Channel(own, other, False, np.zeros(0), np.zeros((0, 0), np.int64))
        odds = added / float(channel.variance(sketch.unit)) / honest
        part, base = odds / (1 + odds), sketch.base
        up, down = (1 - other) / channel.gap - base, -other / channel.gap - 1
        return part * up / (1 - base), part * down / (1 - base)
