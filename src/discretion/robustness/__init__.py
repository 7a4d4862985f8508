"""What false reports can do: manipulation bounds, screening, goodness of fit, weights."""

from discretion.robustness.number_bound import margin
from discretion.robustness.number_screening import screen

__all__ = ["margin", "screen"]
