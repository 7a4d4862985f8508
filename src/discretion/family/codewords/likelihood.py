"""The most likely frequencies from coded reports: a likelihood whose rows are powers of a ratio."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from discretion.estimate.expansion import Diagonal
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.shards import KEPT
from discretion.family.sets.likelihood import counted
from discretion.kernel.count import level_index
from discretion.mechanism import Encoding
from discretion.plan import Family
from discretion.table import ReportTable
from discretion.table.coded import Bits, Indices, codeword_bits, cohorts_of, held_of, reported_bits
from discretion.table.columns import Mask

BLOCK = 1 << 22  # entries of a block


@dataclass(frozen=True)
class CodedLikelihood:
    """Distinct reports (m), their levels and cohorts, and how often each came."""

    encoding: Encoding
    bits: Bits  # (m, bits), or quantised bits
    cohorts: Indices  # (m,)
    classes: Indices  # (m,): the index of the level
    counts: Vector  # (m,)
    lifts: Vector  # by level
    room: int  # entries that may stay in memory between passes

    @classmethod
    def of(
        cls, name: str, reports: ReportTable, times: Vector | None = None, room: int = KEPT
    ) -> "CodedLikelihood":
        """Take reports about an attribute; with ``times``, different ones that came so often."""
        chunks = list(reports.answers(name))
        strata = np.concatenate([strata for strata, _ in chunks])
        rows = np.concatenate([y for _, y in chunks])
        used, index = level_index(strata)
        y, classes, counts = counted(rows, index[strata])
        question = reports.plan.questions[name]
        encoding = question.law(question.menu[0], Family.CODEWORDS).encoding
        lifts = [float(question.law(level, Family.CODEWORDS).lift) for level in used.tolist()]
        bits, cohorts = reported_bits(encoding, y), cohorts_of(encoding, y)
        how_often = counts if times is None else times
        return cls(encoding, bits, cohorts, classes, how_often, np.array(lifts), room)

    @cached_property
    def n(self) -> float:
        return float(self.counts.sum())

    def at(self, f: Vector) -> Diagonal:
        value, slope, squares = 0.0, np.zeros(len(f)), np.zeros(len(f))
        for rows, counts in self._blocks():
            density = rows @ f
            value += float(counts @ np.log(density))
            scores = rows / density[:, None]
            slope += counts @ scores
            squares += counts @ scores**2
        return Diagonal(f, value, slope / self.n, (squares - 2 * slope) / self.n + 1)

    def curvature(self, f: Vector) -> Matrix:
        total = np.zeros((len(f), len(f)))
        for rows, counts in self._blocks():
            scores = rows * (np.sqrt(counts) / (rows @ f))[:, None]
            total += scores.T @ scores
        return total / self.n

    def _blocks(self) -> Iterator[tuple[Matrix, Vector]]:
        if len(self.counts) * self.encoding.size <= self.room:
            yield from self._memory
        else:
            yield from self._worked_out()

    @cached_property
    def _memory(self) -> list[tuple[Matrix, Vector]]:
        return list(self._worked_out())

    def _worked_out(self) -> Iterator[tuple[Matrix, Vector]]:
        """Yield likelihoods (rows, size), each row in units of its own, and how often each came."""
        rows = max(1, BLOCK // self.encoding.size)
        logs = np.log(self.lifts)
        for start in range(0, len(self.counts), rows):
            block = slice(start, start + rows)
            scaled = self.bits[block] / self.encoding.top
            held = held_of(self.encoding, scaled, self.cohorts[block])
            scale = logs[self.classes[block], None]
            yield np.exp(scale * (held - self.encoding.hashes / 2)), self.counts[block]


def distinguishes(encoding: Encoding, seen: Mask) -> bool:
    """Return whether no two mixtures of codes give the same reports, in the cohorts that are seen.

    Codewords that differ do: their likelihoods have different products of bits.
    """
    if not encoding.crowded:
        return True
    rows = [np.unique(own, axis=0, return_inverse=True)[1] for own in codeword_bits(encoding)[seen]]
    held = np.vstack([np.arange(own.max() + 1)[:, None] == own.ravel() for own in rows])
    return bool(np.linalg.matrix_rank(held.astype(np.float64)) == encoding.size)
