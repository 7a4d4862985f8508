"""Clopper and Pearson's intervals: exact for counts, whatever the probability."""

import numpy as np
import numpy.typing as npt
from scipy import special

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def at_least(counts: npt.ArrayLike, draws: int, alpha: float) -> Floats:
    """Return probabilities that counts of so many draws put below the true ones, but for alpha."""
    k = np.asarray(counts, np.float64)
    low = special.betaincinv(np.maximum(k, 1), draws - k + 1, alpha)
    return np.where(k > 0, low, 0.0)


def at_most(counts: npt.ArrayLike, draws: int, alpha: float) -> Floats:
    """Return probabilities that counts of so many draws put above the true ones, but for alpha."""
    return 1 - at_least(draws - np.asarray(counts, np.float64), draws, alpha)


def log_ratios(
    counts: npt.ArrayLike, others: npt.ArrayLike, draws: int, other_draws: int, alpha: float
) -> Floats:
    """Return what log(p / q) is at least, but for alpha: p from ``counts``, q from ``others``."""
    low = at_least(counts, draws, alpha / 2)
    high = at_most(others, other_draws, alpha / 2)
    return np.log(np.maximum(low, np.finfo(np.float64).tiny)) - np.log(high)
