"""The reports about one attribute as the likelihood sees them: packed supports and a class each.

A report's likelihood is 1 + (ratio - 1) [code in support]. Its class says which ratio: the level,
or for secret allocations the number of ones. Equal reports are counted, not repeated.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import scipy

from discretion.estimate.expansion import Diagonal
from discretion.estimate.noise import Matrix, Vector
from discretion.kernel.count import level_index
from discretion.kernel.distinct import distinct
from discretion.kernel.slope import slope_of
from discretion.mechanism import SupportLaw
from discretion.plan import Family
from discretion.table import ReportTable
from discretion.table.columns import Bytes, Codes, Levels
from discretion.table.support import packed_supports, support_sizes

BLOCK = 1 << 22  # cells of a block: bounds the memory, whatever n and the domain
KEY_BYTES = 4  # reports this short make one integer, with four bytes for the class


@dataclass(frozen=True)
class Supports:
    """Distinct reports (m), their classes, and how often each came."""

    size: int
    packed: Bytes  # (m, ceil(size / 8))
    classes: Codes  # (m,)
    counts: Vector  # (m,)

    @classmethod
    def by_level(cls, reports: ReportTable, name: str, times: Vector | None = None) -> "Supports":
        """Return the supports of an attribute with the rank of the level as class.

        ``times``: how often each report, all of which differ, came; None for once.
        """
        levels, y = _gather(reports, name)
        used, index = level_index(levels)
        question = reports.plan.questions[name]
        strata = used.tolist() or question.menu[:1]  # where nobody reports it
        laws = [question.law(level, Family.SETS) for level in strata]
        classes, size = index[levels], laws[0].size
        if times is not None:
            return cls(size, packed_supports(laws, classes, y), classes, times)
        if laws[0].repeats:  # many functions have the same cell
            return cls(size, *counted(packed_supports(laws, classes, y), classes))
        rows, own, counts = counted(y, classes)
        return cls(size, packed_supports(laws, own, rows), own, counts)

    @classmethod
    def by_size(cls, reports: ReportTable, name: str, times: Vector | None = None) -> "Supports":
        """Return the supports of an attribute with the number of ones as class."""
        question = reports.plan.questions[name]
        law = question.law(question.menu[0], Family.SETS)
        _, y = _gather(reports, name)
        classes = support_sizes(law, y)
        if times is not None:
            return cls(law.size, y, classes, times)
        rows, own, counts = counted(y, classes)
        return cls(law.size, packed_supports([law], np.zeros_like(own), rows), own, counts)

    @cached_property
    def n(self) -> float:
        return float(self.counts.sum())

    def blocks(self) -> Iterator[tuple[Matrix, Codes, Vector]]:
        """Yield supports as 0/1 matrices (rows, size), with their classes and counts."""
        rows = max(1, BLOCK // self.size)
        for start in range(0, len(self.counts), rows):
            block = slice(start, start + rows)
            bits = np.unpackbits(self.packed[block], axis=1, count=self.size, bitorder="little")
            yield bits.astype(np.float64), self.classes[block], self.counts[block]


@dataclass(frozen=True)
class ReportLikelihood:
    """The likelihood of reports, given the ratio of each class of them."""

    supports: Supports
    ratios: Vector  # (classes,)

    @property
    def n(self) -> float:
        return self.supports.n

    def at(self, f: Vector) -> Diagonal:
        s = self.supports
        value, slope, squares = slope_of(s.packed, s.classes, s.counts, self.ratios - 1, f)
        return Diagonal(f, value, slope / self.n, (squares - 2 * slope) / self.n + 1)

    def curvature(self, f: Vector) -> Matrix:
        size = self.supports.size
        ones, singles = 0.0, np.zeros(size)
        pairs = np.zeros((size, size), order="F")  # its upper half
        for bits, classes, counts in self.supports.blocks():
            excess = self.ratios[classes] - 1
            root = np.sqrt(counts) / (1 + excess * (bits @ f))
            ones += float(root @ root)
            singles += (root**2 * excess) @ bits
            weighed = bits * (root * excess)[:, None]
            pairs = scipy.linalg.blas.dsyrk(1.0, weighed.T, 1.0, pairs, overwrite_c=1)
        pairs += np.triu(pairs, 1).T
        pairs += ones
        pairs += singles
        pairs += singles[:, None]
        pairs /= self.n
        return pairs

    def sensitivity(self, f: Vector) -> Matrix:
        """Return the derivative of the score at f by the ratio of each class: (classes, size)."""
        total = np.zeros((len(self.ratios), self.supports.size))
        for bits, classes, counts in self.supports.blocks():
            density = 1 + (self.ratios[classes] - 1) * (bits @ f)
            np.add.at(total, classes, bits * (counts / density**2)[:, None])
        return total


def set_likelihood(
    name: str, reports: ReportTable, times: Vector | None, _: int
) -> ReportLikelihood:
    """Return the likelihood of a table's reports about an attribute with disclosed levels."""
    question, levels = reports.plan.questions[name], [own for own, _ in reports.answers(name)]
    used = np.unique(np.concatenate([level_index(own)[0] for own in levels])).tolist()
    laws = [question.law(level, Family.SETS) for level in used]
    supports = Supports.by_level(reports, name, times)
    return ReportLikelihood(supports, np.array([_ratio(law) for law in laws]))


@cache
def _ratio(law: SupportLaw) -> float:
    return float(law.lift)


def _gather(reports: ReportTable, name: str) -> tuple[Levels, Bytes]:
    """Return the levels and bytes of all who shared an attribute."""
    chunks = list(reports.answers(name))
    levels = np.concatenate([levels for levels, _ in chunks])
    return levels, np.concatenate([y for _, y in chunks])


def counted(y: Bytes, classes: Codes) -> tuple[Bytes, Codes, Vector]:
    """Return distinct reports, their classes, and how often each came.

    Equal ones are found where they fit into one integer; longer ones are seldom equal.
    """
    width = y.shape[1]
    if width > KEY_BYTES:
        return y, classes, np.ones(len(y))
    rows = np.zeros((len(y), 8), np.uint8)
    rows[:, :width] = y
    rows[:, KEY_BYTES:] = classes.astype("<u4")[:, None].view(np.uint8)
    found, counts = distinct(rows.view("<u8")[:, 0])
    rows = found[:, None].view(np.uint8)
    own = rows[:, KEY_BYTES:].copy().view("<u4")[:, 0].astype(np.int64)
    return rows[:, :width], own, counts.astype(np.float64)
