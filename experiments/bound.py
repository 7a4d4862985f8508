"""The least error that one mechanism allows, whatever the estimator: its own Cramér-Rao bound.

At even frequencies, where the likelihood of a code is 1 + (ratio - 1) [code in support], a report
with s of l codes in its support has the information (rows of likelihoods over their mean)' of the
same; quantised bits have the likelihood lift^(their sum). Supports that are hashed are not all
alike, so the information is averaged over reports drawn from the law.
"""

from collections.abc import Sequence

import numpy as np

from discretion.crowd.shapes import draw
from discretion.estimate.noise import Matrix
from discretion.mechanism import MECHANISMS, Histogram, SupportLaw, law
from discretion.mechanism.histogram import quantised_bits, she
from discretion.table.coded import reported_bits
from discretion.table.columns import Bytes
from discretion.table.support import packed_supports

DRAWN = 100_000  # reports a level: the bound is then known to some tenths of a per cent
SEED = 20261117


def own_bound(mechanism: str, size: int, epsilons: Sequence[float], owners: int) -> float:
    """Return the least squared error, summed over codes; owners have the budgets in equal parts."""
    information = np.zeros((size, size))
    rng = np.random.default_rng(SEED)
    for epsilon in epsilons:
        own = _law(mechanism, size, round(1000 * epsilon))
        which, codes = np.zeros(DRAWN, np.int64), rng.integers(0, size, DRAWN)
        rows = _likelihoods(own, draw([own], which, codes, rng))
        rows /= rows.mean(axis=1, keepdims=True)
        information += owners / len(epsilons) * (rows.T @ rows / DRAWN)
    centre = np.eye(size) - 1 / size
    return float(np.trace(np.linalg.pinv(centre @ information @ centre, hermitian=True)))


def _law(mechanism: str, size: int, level: int) -> SupportLaw | Histogram:
    return (
        law(mechanism, size, level) if mechanism in MECHANISMS else she(quantised_bits(size), level)
    )


def _likelihoods(own: SupportLaw | Histogram, y: Bytes) -> Matrix:
    """Return the likelihood of each code, each row in units of its own."""
    if isinstance(own, Histogram):
        told: Matrix = reported_bits(own.encoding, y) / own.encoding.top
        return np.power(float(own.lift), told)
    packed = packed_supports([own], np.zeros(len(y), np.int64), y)
    held = np.unpackbits(packed, axis=1, count=own.size, bitorder="little")
    return 1 + (float(own.ratio) - 1) * held.astype(np.float64)
