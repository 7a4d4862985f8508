"""Before collecting: compare mechanisms, forecast errors, advise, propose a plan."""

from discretion.design.advice import Advice, Forecast
from discretion.design.means import MeanAdvice, advise_means
from discretion.design.mechanisms import Comparison, compare_mechanisms
from discretion.design.needed import Needed, needed
from discretion.design.tables import TableAdvice, advise

__all__ = [
    "Advice",
    "Comparison",
    "Forecast",
    "MeanAdvice",
    "Needed",
    "TableAdvice",
    "advise",
    "advise_means",
    "compare_mechanisms",
    "needed",
]
