"""Frequencies of labels: methods, their physical limit, and post-processing."""

from discretion.labels.frequencies import frequencies
from discretion.labels.limit import frequency_limit

__all__ = ["frequencies", "frequency_limit"]
