"""Comparisons: of two crowds, of a crowd with stated shares, and of many tests together."""

from discretion.comparisons.adjust import Adjusted, adjust
from discretion.comparisons.compare import compare
from discretion.comparisons.difference import DifferenceEstimate
from discretion.comparisons.fits import fits

__all__ = ["Adjusted", "DifferenceEstimate", "adjust", "compare", "fits"]
