"""The most frequent items of real baskets: SVIM, LDPMiner, and ours.

SVIM (Wang, Li and Jha 2018) divides the owners: 40 % report one of their items for candidates, 10 %
how many candidates they have, and 50 % one candidate, padded to the length that 90 % do not exceed.
The last report is by direct answers with their amplification, or by OLH, whichever is less noisy;
the rule is that of equation 10 with the factor l that two of its terms lack. Its sizes are
projected onto frequencies, as noise above zero would count as large sets, and shares are not
divided by the part that is not cut, which is so noisy that squared errors grow several-fold.

LDPMiner (Qin et al. 2016) divides the budget in place of the owners: all report one of their items
with half of it, then one of the candidates with the other half. The survey has it divided into 2 l
parts, which padding and sampling is there to avoid. Both its lengths are given to it for nothing,
and OLH in place of RAPPOR and of the one bit of its first phase.

What is no candidate counts as zero.
"""

from math import exp

import numpy as np

import discretion as ds
from discretion.estimate.noise import simplex
from papers.sets.baskets import TOP, Baskets
from papers.sets.owners import Codes, Vector
from papers.sets.samplers import supported

CANDIDATES = 2 * TOP
FIRST, SIZES = 0.4, 0.1  # of the owners
QUANTILE, MOST_LENGTH = 0.9, 30
COHORTS, LENGTH = 256, 16  # ours


def svim(baskets: Baskets, epsilon: float, rng: np.random.Generator) -> Vector:
    """Return the shares of candidates, zero of all other items."""
    order = rng.permutation(baskets.n)
    cuts = np.round(np.cumsum([FIRST, SIZES]) * baskets.n).astype(np.int64)
    first, sizing, last = (baskets.some(own) for own in np.split(order, cuts))
    told = first.drawn(1, rng)
    best = np.argsort(-_olh(told, first.n, epsilon, rng))[:CANDIDATES]
    held = np.minimum(sizing.among(best).sizes, CANDIDATES)
    sizes = _olh(np.bincount(held, minlength=CANDIDATES + 1), sizing.n, epsilon, rng)
    length = _length(simplex(sizes))
    own = last.among(best)
    found = np.zeros(baskets.size)
    found[best] = _better(own.drawn(length, rng), own.n, length, epsilon, rng)
    return found


def ldpminer(baskets: Baskets, epsilon: float, rng: np.random.Generator) -> Vector:
    """Return the shares of candidates, zero of all other items."""
    length = max(1, int(np.quantile(baskets.sizes, QUANTILE)))
    best = np.argsort(-_olh(baskets.drawn(length, rng), baskets.n, epsilon / 2, rng))[:CANDIDATES]
    own = baskets.among(best)
    length = max(1, int(np.quantile(own.sizes, QUANTILE)))
    found = np.zeros(baskets.size)
    found[best] = length * _olh(own.drawn(length, rng), own.n, epsilon / 2, rng)
    return found


def cover(baskets: Baskets, epsilon: float, seed: int) -> ds.FrequencyEstimate:
    """Return ours: one report of each owner, by cells of texts that nobody listed."""
    stated = {"cover": {"cohorts": COHORTS}}
    asked = {"name": "x", "kind": "set", "items": "text", "length": LENGTH, "mechanism": stated}
    plan = {"name": "retail", "attributes": [asked], "budget": {"levels": [epsilon]}}
    reports = ds.simulate(ds.Plan.of(plan), {"x": baskets.column}, budgets="levels", seed=seed)
    return ds.frequencies(reports, "x", "weighted", candidates=baskets.names)


def _length(sizes: Vector) -> int:
    """Return the length that most owners with a candidate do not exceed."""
    own = sizes * (np.arange(len(sizes)) > 0)
    enough = np.cumsum(own) > QUANTILE * own.sum()
    return max(1, min(int(np.argmax(enough)), MOST_LENGTH))


def _better(own: Codes, n: int, length: int, epsilon: float, rng: np.random.Generator) -> Vector:
    """Return shares by whichever of SVIM's two oracles is less noisy."""
    e, size = exp(epsilon), len(own)
    if size >= length * e * (4 * length - 1) + 1:
        return length * _olh(own, n, epsilon, rng)
    odds = length * (e - 1) + 1
    held, other = (part / (odds + size + length - 1) for part in (odds, 1))
    return length * supported(own, n, (held, other), rng)


def _olh(own: Codes, n: int, epsilon: float, rng: np.random.Generator) -> Vector:
    return supported(own, n, (0.5, 1 / (exp(epsilon) + 1)), rng)
