"""Groups: what groups of people answer, and how far they differ."""

from discretion.groups.crosstab import Crosstab
from discretion.groups.curves import GroupQuantiles
from discretion.groups.means import GroupMeans
from discretion.groups.ratio import RatioEstimate
from discretion.groups.statistics import frequencies, mean, quantiles

__all__ = [
    "Crosstab",
    "GroupMeans",
    "GroupQuantiles",
    "RatioEstimate",
    "frequencies",
    "mean",
    "quantiles",
]
