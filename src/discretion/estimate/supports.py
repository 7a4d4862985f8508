"""The reports about one attribute as the likelihood sees them: packed supports and a class each.

A report's likelihood is 1 + (ratio - 1) [code in support]. Its class says which ratio: the level,
or for secret allocations the number of ones. Equal reports are counted, not repeated.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Vector
from discretion.table import ReportTable
from discretion.table.columns import Bytes
from discretion.table.support import packed_supports

BLOCK = 1 << 22  # cells of a block: bounds the memory, whatever n and the domain
Classes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Supports:
    """Distinct reports (m), their classes, and how often each came."""

    size: int
    packed: Bytes  # (m, ceil(size / 8))
    classes: Classes  # (m,)
    counts: Vector  # (m,)

    @classmethod
    def by_level(cls, reports: ReportTable, name: str) -> "Supports":
        """Return the supports of an attribute with the rank of the level as class."""
        levels, packed = _gather(reports, name)
        _, classes = np.unique(levels, return_inverse=True)
        return cls._counted(reports.plan.attribute(name).size, packed, classes)

    @classmethod
    def by_size(cls, reports: ReportTable, name: str) -> "Supports":
        """Return the supports of an attribute with the number of ones as class."""
        _, packed = _gather(reports, name)
        ones = np.bitwise_count(packed).sum(axis=1, dtype=np.int64)
        return cls._counted(reports.plan.attribute(name).size, packed, ones)

    @property
    def n(self) -> float:
        return float(self.counts.sum())

    def blocks(
        self, dtype: npt.DTypeLike
    ) -> Iterator[tuple[npt.NDArray[np.floating], Classes, Vector]]:
        """Yield the supports as 0/1 matrices (rows, size), with their classes and counts."""
        rows = max(1, BLOCK // self.size)
        for start in range(0, len(self.counts), rows):
            block = slice(start, start + rows)
            bits = np.unpackbits(self.packed[block], axis=1, count=self.size, bitorder="little")
            yield bits.astype(dtype), self.classes[block], self.counts[block]

    @classmethod
    def _counted(cls, size: int, packed: Bytes, classes: Classes) -> "Supports":
        """Count equal rows, told apart as one integer where they are short."""
        width = packed.shape[1]
        rows = np.zeros((len(packed), max(8, width + 4)), np.uint8)
        rows[:, :width] = packed
        rows[:, -4:] = classes.astype("<u4")[:, None].view(np.uint8)
        keys = rows.view("<u8" if rows.shape[1] == 8 else f"V{rows.shape[1]}")[:, 0]
        distinct, counts = np.unique(keys, return_counts=True)
        rows = distinct[:, None].view(np.uint8)
        own = rows[:, -4:].copy().view("<u4")[:, 0].astype(np.int64)
        return cls(size, rows[:, :width], own, counts.astype(np.float64))


@dataclass(frozen=True)
class ReportLikelihood:
    """The likelihood of reports, given the ratio of each class of them."""

    supports: Supports
    ratios: Vector  # (classes,)

    @property
    def n(self) -> float:
        return self.supports.n

    def slope(self, f: Vector) -> tuple[float, Vector]:
        value, multiplier = 0.0, np.zeros(self.supports.size)
        for bits, classes, counts in self.supports.blocks(np.float64):
            excess = self.ratios[classes] - 1
            density = 1 + excess * (bits @ f)
            share = counts / density
            value += float(counts @ np.log(density))
            multiplier += share.sum() + (share * excess) @ bits
        return value, multiplier / self.n

    def curvature(self, f: Vector) -> Matrix:
        """In single precision: it steers the steps, and its last digits do not matter."""
        ones, singles = 0.0, np.zeros(self.supports.size)
        pairs = np.zeros((self.supports.size, self.supports.size))
        for bits, classes, counts in self.supports.blocks(np.float32):
            excess = self.ratios[classes] - 1
            root = np.sqrt(counts) / (1 + excess * (bits @ f.astype(np.float32)))
            ones += float(root @ root)
            singles += (root**2 * excess).astype(np.float32) @ bits
            weighed = bits * (root * excess).astype(np.float32)[:, None]
            pairs += weighed.T @ weighed
        return (ones + np.add.outer(singles, singles) + pairs) / self.n

    def sensitivity(self, f: Vector) -> Matrix:
        """Return the derivative of the score at f by the ratio of each class: (classes, size)."""
        total = np.zeros((len(self.ratios), self.supports.size))
        for bits, classes, counts in self.supports.blocks(np.float64):
            density = 1 + (self.ratios[classes] - 1) * (bits @ f)
            np.add.at(total, classes, bits * (counts / density**2)[:, None])
        return total


def _gather(reports: ReportTable, name: str) -> tuple[Classes, Bytes]:
    """Return the levels and packed supports of all who shared an attribute."""
    law = reports.plan.law(name, reports.plan.policy.menu[0])
    chunks = [(levels, packed_supports(law, y)) for levels, y in reports.answers(name)]
    if not chunks:
        return np.zeros(0, np.int64), np.zeros((0, (law.size + 7) // 8), np.uint8)
    return np.concatenate([c[0] for c in chunks]), np.concatenate([c[1] for c in chunks])
