"""The physical limit: no locally private mechanism and no estimator can do better.

At the uniform distribution a report at epsilon carries at most the Fisher eigenvalue
max over w of l w (l - w)(e^eps - 1)^2 / ((l - 1)(w e^eps + l - w)^2), which subset selection
attains (Ye and Barg 2018, arXiv:1702.00610); information adds over owners, equal or not.
"""

from math import inf

import numpy as np
import numpy.typing as npt


def frequency_limit(size: int, epsilons: npt.ArrayLike) -> float:
    """Return the least squared error, summed over codes, of frequencies in the population.

    ``epsilons`` holds one budget per owner, 0 for those who did not share the attribute. The limit
    is asymptotic in n and minimax: at other distributions than the uniform one less is possible.
    """
    budgets, owners = np.unique(np.asarray(epsilons, np.float64), return_counts=True)
    information = float(owners @ largest_eigenvalue(size, budgets))
    return (size - 1) / information if information else inf


def largest_eigenvalue(size: int, epsilons: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the Fisher eigenvalue of the best report at each epsilon."""
    w = np.arange(1, size)[:, None]
    gain = size * w * (size - w) * np.expm1(epsilons) ** 2
    best = (gain / ((size - 1) * (w * np.exp(epsilons) + size - w) ** 2)).max(axis=0)
    return np.asarray(best)
