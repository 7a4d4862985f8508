"""What a set of cells says of some of their attributes: how many of its cells each value has.

A view's report is a set of cells. Its law treats all cells alike, so it does not change when the
cells that agree in the kept attributes are permuted. The number of the set's cells with each kept
value is therefore a report about those attributes alone: with m cells for each value, c of them in
the set, its likelihood is 1 + (ratio - 1) c / m, whatever the others' distribution. Nothing that
knows no more about the others could tell more: docs/proofs/joints.md, section 10.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.engine import namespace
from discretion.engine.arrays import Coded, narrow
from discretion.estimate.noise import Matrix, Noise, Vector
from discretion.family.part import MOST_KEYS, Floats, Indices, Keys, Part, Single
from discretion.family.sets.part import MOST_RATIO, SetPart
from discretion.mechanism import SupportLaw
from discretion.table.support import Counts


@dataclass(frozen=True)
class CountFactor:
    """Counts of cells by value with a ratio each: likelihoods in units of its root."""

    counts: npt.NDArray[np.integer]  # (n, size)
    cells: int  # of each value
    ratios: Vector | Coded  # (n,)

    @property
    def eigenvalues(self) -> Floats:
        size, lift = self.counts.shape[1], np.clip(self.ratios[:], 1, MOST_RATIO)[:, None] - 1
        rows = 1 + lift * self.counts / self.cells
        rows /= rows.sum(axis=1, keepdims=True)
        found: Floats = (size * (rows**2).sum(axis=1) - 1) / (size - 1)
        return found

    @property
    def packed(self) -> Self:
        few = narrow(self.counts, self.cells + 1)
        return replace(self, counts=few, ratios=Coded.of(self.ratios[:]))

    def likelihood(self, rows: slice) -> Single:
        ratios = self.ratios[rows]
        root = namespace(ratios).sqrt(ratios).astype(np.float32)[:, None]
        held = self.counts[rows].astype(np.float32) / np.float32(self.cells)
        made: Single = (1 - held) / root + held * root
        return made


@dataclass(frozen=True)
class FoldedPart(Part):
    """Sets of cells of a view, as reports about those of its attributes that a table has."""

    counts: Counts  # (n, size): how many cells of each value the set holds
    cells: int  # of each value
    laws: tuple[SupportLaw, ...]  # of the view, one for each level that occurs
    which: Indices  # (n,): the law of each report

    @classmethod
    def of(cls, part: SetPart, kept: Sequence[int], axes: tuple[int, ...]) -> Self:
        """Fold reports about a view to these of its attributes, which are axes of a table."""
        bits = part.bits.reshape(-1, *part.sizes)
        other = tuple(1 + i for i in range(len(part.sizes)) if i not in kept)
        sizes = tuple(part.sizes[i] for i in kept)
        counts = bits.sum(axis=other, dtype=np.int64).reshape(len(bits), -1)
        cells = prod(part.sizes) // prod(sizes)
        return cls(part.name, axes, sizes, counts, cells, part.laws, part.which)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the reports about several views, which say the same of the same axes."""
        laws = list(dict.fromkeys(law for part in parts for law in part.laws))
        which = [np.array([laws.index(law) for law in part.laws])[part.which] for part in parts]
        counts = np.concatenate([part.counts for part in parts])
        return replace(parts[0], counts=counts, laws=tuple(laws), which=np.concatenate(which))

    @property
    def alike(self) -> tuple[object, ...]:
        return self.axes, self.cells

    @property
    def size(self) -> int:
        return self.counts.shape[1]

    @property
    def factor(self) -> CountFactor:
        ratios = np.array([float(law.lift) for law in self.laws])
        return CountFactor(self.counts, self.cells, ratios[self.which])

    def scores(self, *, secret: bool) -> tuple[Matrix, Vector]:
        laws = [FoldedLaw(law, self.cells) for law in self.laws]
        gap = np.array([float(own - other) for own, other in (law.means for law in laws)])
        scale = np.array([Noise.of(law).precision(self.size) for law in laws])[self.which]
        weight = (scale / gap[self.which])[:, None]
        return (self.counts - self.counts.mean(axis=1, keepdims=True)) * weight, scale

    def keys(self, *, secret: bool) -> tuple[Keys, int]:
        radix = self.cells + 1
        room = len(self.laws) * radix**self.size
        if room > 1 << 64:
            return np.zeros(0, np.uint64), MOST_KEYS
        keys = self.which.astype(np.uint64)
        for column in self.counts.T:
            keys = keys * np.uint64(radix) + column.astype(np.uint64)
        return keys, room

    def at(self, rows: Indices) -> Self:
        return replace(self, counts=self.counts[rows], which=self.which[rows])


@dataclass(frozen=True)
class FoldedLaw:
    """The law of how many of a value's cells a view's set holds."""

    view: SupportLaw
    cells: int  # of each value

    @property
    def size(self) -> int:
        return self.view.size // self.cells

    @property
    def means(self) -> tuple[Fraction, Fraction]:
        """How many cells of the true value are held on average, and how many of another."""
        own, other = self.view.means
        return own + (self.cells - 1) * other, self.cells * other

    @property
    def noise(self) -> tuple[Fraction, Fraction]:
        """Sum the noise of the cells, H diag(a + b f) H: it is m a + b f, with m cells each."""
        constant, linear = self.view.noise
        return self.cells * constant, linear

    @property
    def extremes(self) -> tuple[int, int]:
        """The codes of sets with the largest and the smallest score, less what they hold more.

        A set of s cells, c of them of the value, has the score of a set of codes that holds one
        and has s - (c - 1) size codes, or that holds none and has s - c size.
        """
        fewest, most = self.view.extremes
        up = min(max(self.cells, fewest), most)
        down = min(max(self.view.size - self.cells, fewest), most)
        held = max(0, down - (self.view.size - self.cells))
        return up - (min(up, self.cells) - 1) * self.size, down - held * self.size
