"""Maps by one sampled pair: PCKV by unary encoding and by GRR (Gu et al. 2020).

Numbers are rounded to a side, low or high, by a coin that keeps the mean. Every function returns
the shares of keys and their products, f m, unbiased: the public code clips both.
"""

from math import exp

import numpy as np

from papers.sets.owners import Codes, Owners, Vector

Found = tuple[Vector, Vector]  # shares, products


def pckv_ue(owners: Owners, epsilon: float, rng: np.random.Generator) -> Found:
    """Every key is silent, low or high; the drawn one as it is with 1/2, and its side by a coin."""
    e, held = exp(epsilon), 0.5
    other, right = 2 / (exp(epsilon) + 3), e / (e + 1)
    low, high = _sides(owners, rng)
    nobody = owners.n - low - high
    as_high = _three(high, held * right, held * (1 - right), rng)
    as_low = _three(low, held * (1 - right), held * right, rng)
    rest = _three(nobody, other / 2, other / 2, rng)
    up, down = (a + b + c for a, b, c in zip(as_high, as_low, rest, strict=True))
    share = ((up + down) / owners.n - other) / (held - other)
    product = (up - down) / owners.n / (held * (2 * right - 1))
    return owners.length * share, owners.length * product


def pckv_grr(owners: Owners, epsilon: float, rng: np.random.Generator) -> Found:
    """Direct answers over all keys with sides, amplified as the sample of one of l pairs is."""
    odds = owners.length * (exp(epsilon) - 1) + 1
    symbols = 2 * (owners.size + owners.length)  # with those that pad
    keep, other = odds / (odds + symbols - 1), 1 / (odds + symbols - 1)
    key, number = owners.one(rng)
    own = 2 * key + (rng.random(owners.n) < (1 + number) / 2)
    lied, drawn = rng.random(owners.n) >= keep, rng.integers(0, symbols - 1, owners.n)
    sent = np.where(lied, drawn + (drawn >= own), own)
    counts = np.bincount(sent, minlength=symbols)[: 2 * owners.size] / owners.n
    halves = owners.length * (counts - other) / (keep - other)
    return halves[1::2] + halves[::2], halves[1::2] - halves[::2]


def _sides(owners: Owners, rng: np.random.Generator) -> tuple[Codes, Codes]:
    """Return how many owners drew each key, with a low and with a high side."""
    key, number = owners.one(rng)
    high = rng.random(owners.n) < (1 + number) / 2
    low_counts, high_counts = (
        np.bincount(key[side], minlength=owners.size) for side in (~high, high)
    )
    return low_counts, high_counts


def _three(n: Codes, up: float, down: float, rng: np.random.Generator) -> tuple[Codes, Codes]:
    """Draw how many of each key are sent as high, and as low; the others are silent."""
    high = rng.binomial(n, up)
    return high, rng.binomial(n - high, down / (1 - up))
