"""Frequencies of labels: methods, their physical limit, and post-processing."""

from discretion.labels.frequencies import frequencies, frequency_limit, top

__all__ = ["frequencies", "frequency_limit", "top"]
