"""Intervals of what cannot leave a range: frequencies, cells, and numbers made of them."""

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from discretion.errors import EstimateError

Numbers = npt.NDArray[np.float64]


def between(
    value: Numbers, centre: Numbers, stderr: Numbers, confidence: float, most: float = 1.0
) -> tuple[Numbers, Numbers]:
    """Return low and high around a centre, within [0, most].

    They reach into that by a standard error at least, and as far as the value: an estimate far
    outside is a matter of luck, not of certainty.
    """
    if not 0 < confidence < 1:
        raise EstimateError(f"confidence must lie between 0 and 1, got {confidence}")
    half_width = ndtri((1 + confidence) / 2) * stderr
    low = np.minimum(np.minimum(centre - half_width, most - stderr), value)
    high = np.maximum(np.maximum(centre + half_width, stderr), value)
    return np.clip(low, 0.0, most), np.clip(high, 0.0, most)
