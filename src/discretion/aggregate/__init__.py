"""Mergeable sufficient statistics: exact integers, a commutative monoid."""

from discretion.aggregate.aggregate import Aggregate
from discretion.aggregate.counting import count, count_coded, count_columns, count_numbers
from discretion.aggregate.tally import BitCounts, Outputs, Tally

__all__ = [
    "Aggregate",
    "BitCounts",
    "Outputs",
    "Tally",
    "count",
    "count_coded",
    "count_columns",
    "count_numbers",
]
