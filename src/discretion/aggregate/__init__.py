"""Mergeable sufficient statistics: exact integers, a commutative monoid."""

from discretion.aggregate.aggregate import Aggregate, count, count_numbers
from discretion.aggregate.tally import Outputs, Tally

__all__ = ["Aggregate", "Outputs", "Tally", "count", "count_numbers"]
