"""Before collecting: compare mechanisms, forecast errors, advise, propose a plan."""

from discretion.design.mean_advice import MeanAdvice, MeanForecast, advise_means
from discretion.design.mechanisms import Comparison, compare_mechanisms
from discretion.design.table_advice import Advice, Forecast, advise

__all__ = [
    "Advice",
    "Comparison",
    "Forecast",
    "MeanAdvice",
    "MeanForecast",
    "advise",
    "advise_means",
    "compare_mechanisms",
]
