"""Sets by one sampled item: padding and sampling with GRR and OLH, with and without amplification.

All sets here have as many items as the length, so nothing is padded. SVIM takes the better one of
the amplified GRR and OLH. The wheel of Wang et al. (2020) tells of the whole set.

With functions that are drawn anew by each owner, the supports of different items are independent
given the item, so counts of OLH and of the wheel are binomial, and drawn as such. They vary as
those of reports do.
"""

from math import exp

import numpy as np

from papers.sets.owners import Codes, Owners, Vector

ARCS = 4000  # lengths of the wheel's arcs that are tried


def sampled_grr(owners: Owners, epsilon: float, rng: np.random.Generator) -> Vector:
    """PSFO with GRR: one item, by direct answers with the budget as it is stated."""
    return _grr(owners, exp(epsilon), rng)


def amplified_grr(owners: Owners, epsilon: float, rng: np.random.Generator) -> Vector:
    """SVIM with GRR (Wang et al. 2018): sampling one of l items allows l (e^epsilon - 1) + 1."""
    return _grr(owners, owners.length * (exp(epsilon) - 1) + 1, rng)


def _grr(owners: Owners, odds: float, rng: np.random.Generator) -> Vector:
    own, _ = owners.one(rng)
    keep, other = odds / (odds + owners.size - 1), 1 / (odds + owners.size - 1)
    lied = rng.random(owners.n) >= keep
    drawn = rng.integers(0, owners.size - 1, owners.n)
    sent = np.where(lied, drawn + (drawn >= own), own)
    found = np.bincount(sent, minlength=owners.size) / owners.n
    return np.asarray(owners.length * (found - other) / (keep - other))


def sampled_olh(owners: Owners, epsilon: float, rng: np.random.Generator) -> Vector:
    """PSFO with OLH, which sampling does not amplify."""
    own = np.bincount(owners.one(rng)[0], minlength=owners.size)
    return owners.length * supported(own, owners.n, _olh(epsilon), rng)


def stderr_olh(owners: Owners, epsilon: float) -> float:
    """Return the standard error of a rare item's share by PSFO with OLH."""
    held, other = _olh(epsilon)
    return float(owners.length * (other * (1 - other) / owners.n) ** 0.5 / (held - other))


def _olh(epsilon: float) -> tuple[float, float]:
    """Return how often an owner's own item is supported, and any other one."""
    buckets = round(exp(epsilon)) + 1
    return exp(epsilon) / (exp(epsilon) + buckets - 1), 1 / buckets


def wheel(owners: Owners, epsilon: float, rng: np.random.Generator) -> Vector:
    """A point of a circle, more often on the arcs that the owner's items are hashed to."""
    length, e = owners.length, exp(epsilon)
    arcs = np.linspace(1e-4, 1 / length, ARCS)
    held = arcs * e / (length * arcs * e + 1 - length * arcs)
    gain = held > arcs
    variance = np.where(gain, arcs * (1 - arcs), np.inf) / np.where(gain, held - arcs, 1) ** 2
    best = int(variance.argmin())
    own = np.bincount(owners.items.ravel(), minlength=owners.size)
    return supported(own, owners.n, (float(held[best]), float(arcs[best])), rng)


def supported(own: Codes, n: int, chances: tuple[float, float], rng: np.random.Generator) -> Vector:
    """Return the shares that supports estimate, of an owner's items and of others."""
    held, other = chances
    count = rng.binomial(own, held) + rng.binomial(n - own, other)
    return np.asarray((count / n - other) / (held - other))
