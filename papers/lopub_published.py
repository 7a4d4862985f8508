"""What the LoPub paper prints, in its tables and its text."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

CITATION = (
    "X. Ren, C.-M. Yu, W. Yu, S. Yang, X. Yang, J. A. McCann and P. S. Yu, *LoPub: "
    "High-Dimensional Crowdsourced Data Publication with Local Differential Privacy*, IEEE "
    "Transactions on Information Forensics and Security 13(9), 2018"
)


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


def _table(d: int, phis: str, found: str, every: str, pairs: str) -> Mapping[float, Pruned]:
    rows = [map(int, row.split()) for row in (found, every, pairs)]
    each = zip(phis.split(), *rows, strict=True)
    full = d * (d - 1) // 2
    return MappingProxyType({float(phi): Pruned(a, b, c, full) for phi, a, b, c in each})


FIFTHS = "0.1 0.2 0.3 0.4 0.5"
TABLES: Mapping[str, Mapping[float, Pruned]] = MappingProxyType(
    {
        "Adult": _table(15, FIFTHS, "88 38 22 12 6", "102 42 24 14 8", "91 66 55 36 28"),
        "TPC-E": _table(24, FIFTHS, "44 16 16 8 8", "46 24 20 10 10", "231 171 136 66 45"),
        "Retail": _table(
            16,
            "0.1 0.15 0.2 0.25 0.3",
            "256 256 256 250 244",
            "240 240 238 220 200",
            "91 91 78 66 55",
        ),
    }
)
NUMBERS = MappingProxyType({"Adult": "7", "TPC-E": "8", "Retail": "9"})
STANDS_FOR = MappingProxyType({"Retail": "Retail", "Adult": "Adult", "Bank": "TPC-E"})
RECORDS = MappingProxyType({"Retail": 13_761, "Adult": 4_522, "Bank": 4_521})  # that it sampled
WORST_FOREST = MappingProxyType({"Retail": 0.67, "Adult": 0.42, "TPC-E": 0.26})
GUESS = MappingProxyType({"Retail": 0.50, "Adult": 0.15, "TPC-E": 0.13})
IDENTIFIED = MappingProxyType({"Retail": 0.85, "Adult": 0.95, "TPC-E": 0.95})  # for f < 0.9, about
