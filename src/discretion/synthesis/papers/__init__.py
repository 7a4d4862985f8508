"""LoPub's own way from reports to a model, for comparison only: see docs/results/lopub.md."""

from discretion.synthesis.papers.dependence import PlugIn, plug_in
from discretion.synthesis.papers.model import lopub_model

__all__ = ["PlugIn", "lopub_model", "plug_in"]
