"""Mergeable sufficient statistics: exact integers, a commutative monoid."""

from discretion.aggregate.aggregate import Aggregate, count
from discretion.aggregate.evidence import (
    Data,
    Evidence,
    check_round,
    counted,
    counts_of,
    reports_of,
)
from discretion.aggregate.holding import including

__all__ = [
    "Aggregate",
    "Data",
    "Evidence",
    "check_round",
    "count",
    "counted",
    "counts_of",
    "including",
    "reports_of",
]
