"""What false reports about sets and maps do: how far one moves a share, and a mean.

A false report has a code, or lacks it, whatever its owner has: it moves a share by 1 / (p - q) of
its weight at most. The mean of a key is a quotient, so it moves by that over the share besides.
"""

from itertools import product

import numpy as np

from discretion.estimate.noise import Matrix, Vector
from discretion.family.covers.linear import PooledCovers, channel
from discretion.mechanism import Cover


def weight_of(law: Cover, pooled: PooledCovers, share: float, added: float) -> float:
    """Return the part of the estimate that false reports by this law have."""
    odds = added / float(channel(law).variance(np.zeros(1))[0]) / ((1 - share) * pooled.weight)
    return odds / (1 + odds)


def shares_moved(law: Cover, value: Vector, part: float) -> Matrix:
    """Return how far the share of each code moves by either report: (2, codes)."""
    own = channel(law)
    return np.array([part * ((code - own.other) / own.gap - value) for code in (0.0, 1.0)])


def keys_moved(law: Cover, value: Vector, part: float, ends: tuple[float, float]) -> Matrix:
    """Return how far the share of each key moves, and its mean, by any report: (3 or 4, 2 keys).

    Nothing bounds a mean where the share of the key may become zero or less.
    """
    own, honest = channel(law), value.reshape(-1, 2)
    reports = [codes for codes in product((0.0, 1.0), repeat=2) if sum(codes) <= law.count]
    scores = (np.array(reports) - own.other) / own.gap
    moved = (1 - part) * honest + part * scores[:, None]
    shares = np.concatenate([honest.sum(axis=1)[None], moved.sum(axis=2)])
    products = np.concatenate([(honest @ ends)[None], moved @ ends])
    there = (shares > 0).all(axis=0)
    means = products / np.where(shares > 0, shares, 1.0)
    apart = np.where(there, means[1:] - means[0], np.inf)
    apart[0, ~there] = -np.inf
    return np.hstack([shares[1:] - shares[0], apart])
