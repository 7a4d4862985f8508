"""Real baskets of any size, and what is found in them: the retail data of FIMI.

Reports of published methods are drawn by the exact law of each owner's choice; the supports of OLH
are binomial, as its functions are drawn anew by each owner.
"""

from typing import NamedTuple, Self

import numpy as np
import pyarrow as pa

from papers.data import Dataset
from papers.sets.owners import Codes, Vector

RETAIL = Dataset(
    "retail",
    "retail.csv",
    88_162,
    "a39d0e1096d19d9aa0a7a24a51de2d7a76017fa271b70b7adff1467f5ec1605e",
    ({"name": "items", "kind": "text"},),
)
TOP = 32


class Baskets(NamedTuple):
    """The items of all baskets, one after the other, and where each basket starts."""

    size: int  # items there are
    items: Codes
    starts: Codes  # (n + 1,)

    @classmethod
    def of(cls, table: pa.Table) -> Self:
        """Read items that are separated by blanks, numbered from zero."""
        lists = [np.array(row.split(), np.int64) for row in table["items"].to_pylist()]
        starts = np.concatenate([[0], np.cumsum([len(own) for own in lists])])
        items = np.concatenate(lists)
        return cls(int(items.max()) + 1, items, starts)

    @property
    def n(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Codes:
        return np.diff(self.starts)

    @property
    def rows(self) -> Codes:
        """Return whose each item is."""
        return np.repeat(np.arange(self.n), self.sizes)

    @property
    def shares(self) -> Vector:
        return np.bincount(self.items, minlength=self.size) / self.n

    @property
    def names(self) -> list[str]:
        return [f"{item}" for item in range(self.size)]

    @property
    def column(self) -> pa.Array:
        """Return the baskets as lists of names."""
        values = pa.array(self.names).take(pa.array(self.items))
        return pa.ListArray.from_arrays(pa.array(self.starts, pa.int32()), values)

    def some(self, owners: Codes) -> "Baskets":
        """Return the baskets of some owners."""
        sizes = self.sizes[owners]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        at = np.repeat(self.starts[owners] - starts[:-1], sizes) + np.arange(starts[-1])
        return Baskets(self.size, self.items[at], starts)

    def among(self, items: Codes) -> "Baskets":
        """Return the same of some items only, numbered as they stand there."""
        place = np.full(self.size, -1)
        place[items] = np.arange(len(items))
        own = place[self.items]
        sizes = np.bincount(self.rows[own >= 0], minlength=self.n)
        return Baskets(len(items), own[own >= 0], np.concatenate([[0], np.cumsum(sizes)]))

    def drawn(self, length: int, rng: np.random.Generator) -> Codes:
        """Count what owners draw who pad to a length: each item once in max(size, length)."""
        room = np.maximum(self.sizes, length)
        slot = np.floor(rng.random(self.n) * room).astype(np.int64)
        own = slot < self.sizes
        return np.bincount(self.items[(self.starts[:-1] + slot)[own]], minlength=self.size)

    def f1(self, shares: Vector) -> float:
        """Return which part of the most frequent items is among those found to be so."""
        best, found = (np.argsort(-each, kind="stable")[:TOP] for each in (self.shares, shares))
        return len(np.intersect1d(best, found)) / TOP

    def error(self, shares: Vector) -> float:
        """Return the mean squared error of the most frequent items, times the owners."""
        best = np.argsort(-self.shares, kind="stable")[:TOP]
        return self.n * float(((shares - self.shares)[best] ** 2).mean())
