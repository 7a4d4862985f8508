"""Mergeable sufficient statistics: exact integers, a commutative monoid."""

from discretion.aggregate.aggregate import Aggregate, count
from discretion.aggregate.tally import Tally

__all__ = ["Aggregate", "Tally", "count"]
