"""Numbers on a grid: means, sums, variances, quantiles, extremes, from reports of many levels."""

from discretion.numbers.binned import BinnedEstimate, binned
from discretion.numbers.curves import CurveEstimate, HistogramEstimate
from discretion.numbers.distribution import cdf, histogram, quantiles
from discretion.numbers.extremes import maximum, minimum
from discretion.numbers.mean import mean_limit
from discretion.numbers.moments import mean, sum, variance
from discretion.numbers.result import ExtremeEstimate, NumberEstimate

__all__ = [
    "BinnedEstimate",
    "CurveEstimate",
    "ExtremeEstimate",
    "HistogramEstimate",
    "NumberEstimate",
    "binned",
    "cdf",
    "histogram",
    "maximum",
    "mean",
    "mean_limit",
    "minimum",
    "quantiles",
    "sum",
    "variance",
]
