"""Ordered values, reported by intervals: shares of ranges, and what follows from them."""

from discretion.order.curves import cdf, mean, quantiles
from discretion.order.ranges import ranges
from discretion.order.result import LinearRanges, RangesEstimate

__all__ = ["LinearRanges", "RangesEstimate", "cdf", "mean", "quantiles", "ranges"]
