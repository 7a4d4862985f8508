"""Mergeable sufficient statistics: exact integers, a commutative monoid."""

from discretion.aggregate.aggregate import Aggregate, count
from discretion.aggregate.evidence import Data, Evidence, check_round, counts_of, reports_of

__all__ = [
    "Aggregate",
    "Data",
    "Evidence",
    "check_round",
    "count",
    "counts_of",
    "reports_of",
]
