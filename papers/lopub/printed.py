"""What the LoPub paper prints about its data sets, in its tables and its text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Pruned(NamedTuple):
    """A column of Tables 7 to 9; dependent pairs are counted twice, as entries of a matrix."""

    dependent: int  # with pruning
    all_dependent: int
    pairs: int  # with pruning
    all_pairs: int

    @property
    def loss(self) -> float:
        """The part of the dependencies that pruning loses; below zero it adds some."""
        return 1 - self.dependent / self.all_dependent if self.all_dependent else 0.0

    @property
    def reduction(self) -> float:
        """The part of the pairs that need not be estimated."""
        return 1 - self.pairs / self.all_pairs

    def __str__(self) -> str:
        found = f"{self.dependent} of {self.all_dependent} ({self.loss:.3f})"
        return f"{found}, {self.pairs} of {self.all_pairs} ({self.reduction:.3f})"


@dataclass(frozen=True)
class Printed:
    """One data set of the paper."""

    name: str
    records: int  # in its samples, or in ours of what stands for it
    worst: float  # rate of its random forests
    guess: float  # rate of guessing
    right: float  # share of dependencies identified for f < 0.9, about
    table: int
    pruned: Mapping[float, Pruned]  # that table, by phi


def _table(d: int, phis: str, found: str, every: str, pairs: str) -> Mapping[float, Pruned]:
    rows = [map(int, row.split()) for row in (found, every, pairs)]
    each = zip(phis.split(), *rows, strict=True)
    full = d * (d - 1) // 2
    return {float(phi): Pruned(a, b, c, full) for phi, a, b, c in each}


TENTHS = "0.1 0.2 0.3 0.4 0.5"
ADULT = Printed(
    *("Adult", 4_522, 0.42, 0.15, 0.95, 7),
    _table(15, TENTHS, "88 38 22 12 6", "102 42 24 14 8", "91 66 55 36 28"),
)
TPCE = Printed(
    *("TPC-E", 4_521, 0.26, 0.13, 0.95, 8),
    _table(24, TENTHS, "44 16 16 8 8", "46 24 20 10 10", "231 171 136 66 45"),
)
RETAIL = Printed(
    *("Retail", 13_761, 0.67, 0.50, 0.85, 9),
    _table(
        *(16, "0.1 0.15 0.2 0.25 0.3"),
        *("256 256 256 250 244", "240 240 238 220 200", "91 91 78 66 55"),
    ),
)
