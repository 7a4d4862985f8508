"""The rows of the likelihood, as sums of products of two sides, so that passes are matrix products.

The questions of a group are split in two sides of cells, a and b. With disclosed levels the
likelihood of a report is one product, L(a, b) = A(a) B(b). With secret ones it depends on which of
the cell's bits are set, L(a, b) = T[bits]; expanding the bits of side a leaves a sum of products, a
term for each set of questions in a. In a term, the questions of a that are not in its set do not
matter, so the cells are summed over them first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from math import prod
from typing import Protocol

import numpy as np
import numpy.typing as npt

from discretion.engine import namespace
from discretion.engine.arrays import PackedBits
from discretion.family.part import Factor, Single
from discretion.family.sets.part import Bits, eigenvalues

BLOCK = 1 << 20  # entries of a block: it should stay in the cache
LEAST = 1e-30  # keeps ratios finite

Term = tuple[Single, Single]  # (rows, cells of side a that the term distinguishes), (rows, side b)
Sides = tuple[tuple[int, ...], tuple[int, ...]]  # the questions on side a, and on side b


class Rows(Protocol):
    """The reports of one group as the likelihood sees them."""

    @property
    def sides(self) -> Sides: ...

    @property
    def eigenvalues(self) -> npt.NDArray[np.floating]:
        """Fisher's eigenvalue of each report about each question (n, questions).

        It is in units of a record, hence at most 1.
        """

    @property
    def kept(self) -> Sequence[tuple[int, ...]]:
        """For each term, the questions of side a that it distinguishes."""

    @property
    def packed(self) -> "Rows":
        """The same in few bytes, for a device."""

    def terms(self, rows: slice) -> list[Term]:
        """Return the terms of some rows: of packed ones, by array code."""


@dataclass(frozen=True)
class DisclosedRows:
    """Reports with known laws: one product of likelihoods."""

    factors: tuple[Factor, ...]
    sides: Sides

    @property
    def eigenvalues(self) -> npt.NDArray[np.floating]:
        return np.column_stack([factor.eigenvalues for factor in self.factors])

    @property
    def kept(self) -> list[tuple[int, ...]]:
        return [self.sides[0]]

    @property
    def packed(self) -> "DisclosedRows":
        return replace(self, factors=tuple(factor.packed for factor in self.factors))

    def terms(self, rows: slice) -> list[Term]:
        a, b = ([self.factors[q].likelihood(rows) for q in side] for side in self.sides)
        return [(products(a, rows), products(b, rows))]


@dataclass(frozen=True)
class SecretRows:
    """Reports with a table each: the likelihood of a cell by which of its bits are set."""

    bits: tuple[Bits | PackedBits, ...]
    tables: Single  # (n, 2, 2, ...): an axis of length two for each question
    sides: Sides

    @property
    def eigenvalues(self) -> npt.NDArray[np.floating]:
        pairs = zip(self.bits, self.ratios.T, strict=True)
        return np.column_stack([eigenvalues(bits[:], ratios) for bits, ratios in pairs])

    @property
    def ratios(self) -> npt.NDArray[np.floating]:
        """How much more likely a report is where a question's bit is set: (n, questions).

        Taken where no other question's bit is set.
        """
        flat = self.tables.reshape(len(self.tables), -1)
        alone = [1 << q for q in reversed(range(len(self.bits)))]
        return flat[:, alone] / np.maximum(flat[:, :1], LEAST)

    @property
    def kept(self) -> list[tuple[int, ...]]:
        side = self.sides[0]
        return [kept for r in range(len(side) + 1) for kept in combinations(side, r)]

    @property
    def packed(self) -> "SecretRows":
        return replace(self, bits=tuple(PackedBits.of(bits[:]) for bits in self.bits))

    def terms(self, rows: slice) -> list[Term]:
        xp, (a, b) = namespace(self.tables), self.sides
        tables = self.tables[rows].transpose(0, *(1 + q for q in (*a, *b)))
        for axis in range(1, 1 + len(a)):  # what the bit adds, instead of what it makes
            off, on = xp.split(tables, 2, axis)
            tables = xp.concatenate([off, on - off], axis)
        sets = tables.reshape(len(tables), 2 ** len(a), -1)
        return [self._term(sets[:, _set_index(kept, a)], kept, rows) for kept in self.kept]

    def _term(self, tables: Single, kept: tuple[int, ...], rows: slice) -> Term:
        a = products([self.bits[q][rows].astype(np.float32) for q in kept], rows)
        n, b = len(tables), tables.reshape(len(tables), 1, -1)
        for question in self.sides[1]:
            off, on = namespace(b).split(b, 2, axis=2)
            bits = self.bits[question][rows].astype(np.float32)[:, None, :, None]
            b = (off[:, :, None] + bits * (on - off)[:, :, None]).reshape(n, -1, off.shape[2])
        return a, b.reshape(n, -1)


def _set_index(kept: tuple[int, ...], side: tuple[int, ...]) -> int:
    """Return where a set of questions stands among all sets of a side's, in binary order."""
    return sum(1 << i for i, question in enumerate(reversed(side)) if question in kept)


def products(factors: Sequence[Single], rows: slice) -> Single:
    """Return row by row the products of all entries, the last factor's running fastest."""
    if not factors:
        return np.ones((rows.stop - rows.start, 1), np.float32)
    return reduce(lambda x, y: (x[:, :, None] * y[:, None]).reshape(len(x), -1), factors)


def split(sizes: Sequence[int], *, secret: bool) -> Sides:
    """Return the sides that make the fewest entries per row."""
    questions = range(len(sizes))

    def entries(a: tuple[int, ...]) -> int:
        b = prod(sizes[q] for q in questions if q not in a)
        if secret:
            return prod(1 + sizes[q] for q in a) + 2 ** len(a) * b
        return prod(sizes[q] for q in a) + b

    every = (a for r in range(len(sizes) + 1) for a in combinations(questions, r))
    best = min(every, key=entries)
    return best, tuple(q for q in questions if q not in best)


def blocks(n: int, entries: int) -> Iterator[slice]:
    """Yield slices of rows that have so many entries each, a block at a time."""
    size = max(64, BLOCK // max(entries, 1))
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))
