"""The public results: a version that a collector has published in, a page without a script out."""

from discretion.web.results.page import ResultsPage
from discretion.web.results.version import Version

__all__ = ["ResultsPage", "Version"]
