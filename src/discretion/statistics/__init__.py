"""The registry of everything that can be asked about reports."""

from discretion.statistics.registry import STATISTICS, register
from discretion.statistics.statistic import Kind, Option, Statistic, kinds_of

__all__ = ["STATISTICS", "Kind", "Option", "Statistic", "kinds_of", "register"]
