"""What every estimator shares: linear estimates, likelihoods and their maximum, uncertainty."""

from discretion.estimate.homogeneity import Homogeneity
from discretion.estimate.result import FrequencyEstimate

__all__ = ["FrequencyEstimate", "Homogeneity"]
