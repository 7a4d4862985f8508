"""Mergeable sufficient statistics: exact integers, a commutative monoid."""

from discretion.aggregate.aggregate import Aggregate, count
from discretion.aggregate.evidence import Data, Evidence, check_round, counts_of, reports_of
from discretion.family.counts import BitCounts, Outputs, Tally

__all__ = [
    "Aggregate",
    "BitCounts",
    "Data",
    "Evidence",
    "Outputs",
    "Tally",
    "check_round",
    "count",
    "counts_of",
    "reports_of",
]
