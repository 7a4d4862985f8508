"""The same question over rounds: how much changed between two of them, and the whole series."""

from discretion.trends.change import change
from discretion.trends.series import SeriesEstimate, series
from discretion.trends.waves import Waves

__all__ = ["SeriesEstimate", "Waves", "change", "series"]
