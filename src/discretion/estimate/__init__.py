"""Answers for analysts, always with their uncertainty."""

from discretion.estimate.frequencies import frequencies
from discretion.estimate.homogeneity import Homogeneity
from discretion.estimate.limit import frequency_limit
from discretion.estimate.result import FrequencyEstimate

__all__ = ["FrequencyEstimate", "Homogeneity", "frequencies", "frequency_limit"]
