"""Sets of items, and maps from keys to numbers: shares, sizes and means."""

from discretion.sets.key_means import MapMeans
from discretion.sets.means import means
from discretion.sets.result import SetEstimate
from discretion.sets.shares import METHODS, set_frequencies

__all__ = ["METHODS", "MapMeans", "SetEstimate", "means", "set_frequencies"]
