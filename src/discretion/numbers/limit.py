"""The physical limit of a mean: no locally private report about a number carries more information.

If a number is either end of its range, a report at epsilon carries at most tanh(epsilon / 2)^2 of
an answer's information, and Duchi's mechanism carries that much; information adds over owners,
equal or not.
"""

from math import inf

import numpy as np
import numpy.typing as npt


def mean_limit(epsilons: npt.ArrayLike, low: float = -1.0, high: float = 1.0) -> float:
    """Return the least squared error of the mean of a population on [low, high].

    ``epsilons`` holds one budget per owner, 0 for those who did not share the number. The limit is
    minimax: of numbers that are spread less than those at the two ends more can be known.
    """
    information = float(np.sum(np.tanh(np.asarray(epsilons, np.float64) / 2) ** 2))
    return ((high - low) / 2) ** 2 / information if information else inf
