"""The public results: a version that a collector has published in, a page without a script out."""

from discretion.web.results.cards import Version
from discretion.web.results.page import ResultsPage

__all__ = ["ResultsPage", "Version"]
