"""The registry of everything that can be asked about reports."""

from discretion.kind import Kind
from discretion.statistics.option import Option
from discretion.statistics.registry import STATISTICS, cards, first_of, register
from discretion.statistics.statistic import Statistic, kinds_of

__all__ = ["STATISTICS", "Kind", "Option", "Statistic", "cards", "first_of", "kinds_of", "register"]
