"""What is counted about one question in one stratum: supports, bits, or outputs.

Exact integers, and a commutative monoid: counts of different reports add up in any order, and the
counts of reports that are withdrawn are subtracted again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate
from typing import Any, Self

import numpy as np

from discretion.table.support import Counts


@dataclass(slots=True, eq=False)
class _Summable:
    """Counts that add up field by field."""

    def __add__(self, other: Self) -> Self:
        return type(self)(*(a + b for a, b in self._pairs(other)))

    def __sub__(self, other: Self) -> Self:
        return type(self)(*(a - b for a, b in self._pairs(other)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.document() == other.document()

    def document(self) -> dict[str, object]:
        """Return the counts for machines."""
        raise NotImplementedError

    def _pairs(self, other: Self) -> Iterable[tuple[Counts, Counts]]:
        return ((getattr(self, f.name), getattr(other, f.name)) for f in fields(self))


@dataclass(slots=True, eq=False)
class Tally(_Summable):
    """Counts of sets of codes."""

    n: int  # reports
    supports: Counts  # (size,): reports whose support holds the code
    sizes: Counts  # (size + 1,): reports whose support has so many codes

    @classmethod
    def zero(cls, size: int) -> Self:
        return cls(0, np.zeros(size, np.int64), np.zeros(size + 1, np.int64))

    def document(self) -> dict[str, object]:
        return {"n": self.n, "supports": self.supports.tolist(), "sizes": self.sizes.tolist()}


@dataclass(slots=True, eq=False)
class BitCounts(_Summable):
    """How often each bit was set, by cohort; of quantised bits their sum."""

    reports: Counts  # (cohorts,)
    counts: Counts  # (cohorts, bits)

    @classmethod
    def restored(
        cls, name: str, shape: tuple[int, int], top: int, document: Mapping[str, Any]
    ) -> Self:
        """Return the counts of which this is the document; no bit may count more than ``top``."""
        n, counts = np.array(document["n"], np.int64), np.array(document["bits"], np.int64)
        if n.shape != shape[:1] or counts.shape != shape:
            raise ValueError(f"{name}: counts do not fit the plan")
        few = n.min() < 0 or n.sum() < 1 or counts.min() < 0
        if few or (counts > n[:, None] * top).any():
            raise ValueError(f"{name}: counts must be of some reports, and no more than those")
        return cls(n, counts)

    @property
    def n(self) -> int:
        return int(self.reports.sum())

    def document(self) -> dict[str, object]:
        return {"n": self.reports.tolist(), "bits": self.counts.tolist()}


@dataclass(slots=True, eq=False)
class Outputs(_Summable):
    """How often each output was reported; of a block of numbers, each level of each part."""

    n: int  # reports
    counts: Counts  # (outputs,), or (parts, levels)

    @classmethod
    def restored(cls, name: str, shape: tuple[int, ...], document: Mapping[str, Any]) -> Self:
        """Return the counts of which this is the document; each row has one output per report."""
        n, counts = int(document["n"]), np.array(document["outputs"], np.int64)
        fits = counts.shape == shape
        if not fits or n < 1 or counts.min() < 0 or (counts.sum(axis=-1) != n).any():
            raise ValueError(f"{name}: counts do not fit the plan")
        return cls(n, counts)

    def document(self) -> dict[str, object]:
        return {"n": self.n, "outputs": self.counts.tolist()}


@dataclass(slots=True, eq=False)
class NodeCounts(_Summable):
    """Counts of sets of nodes, by the depth of a tree at which they are."""

    reports: Counts  # (depths,)
    counts: Counts  # of all nodes, depth after depth: reports whose set holds the node
    ends: tuple[int, ...]  # where the nodes of each depth end

    @classmethod
    def zero(cls, nodes: Sequence[int]) -> Self:
        return cls(np.zeros(len(nodes), np.int64), np.zeros(sum(nodes), np.int64), _ends(nodes))

    @classmethod
    def restored(cls, name: str, nodes: Sequence[int], document: Mapping[str, Any]) -> Self:
        """Return the counts of which this is the document; no node has more than all reports."""
        n, counts = np.array(document["n"], np.int64), np.array(document["nodes"], np.int64)
        if n.shape != (len(nodes),) or counts.shape != (sum(nodes),):
            raise ValueError(f"{name}: counts do not fit the plan")
        few = n.min() < 0 or n.sum() < 1 or counts.min() < 0
        if few or (counts > np.repeat(n, nodes)).any():
            raise ValueError(f"{name}: counts must be of some reports, and no more than those")
        return cls(n, counts, _ends(nodes))

    @property
    def n(self) -> int:
        return int(self.reports.sum())

    def at(self, depth: int) -> Counts:
        """Return the counts of the nodes of a depth."""
        return self.counts[self.ends[depth - 1] if depth else 0 : self.ends[depth]]

    def document(self) -> dict[str, object]:
        return {"n": self.reports.tolist(), "nodes": self.counts.tolist()}

    def __add__(self, other: Self) -> Self:
        return type(self)(self.reports + other.reports, self.counts + other.counts, self.ends)

    def __sub__(self, other: Self) -> Self:
        return type(self)(self.reports - other.reports, self.counts - other.counts, self.ends)


def _ends(nodes: Sequence[int]) -> tuple[int, ...]:
    return tuple(accumulate(nodes))
