"""Keys given another one, and their means: CondiFre (Sun et al. 2019), as printed and mended.

A pair of keys is drawn out of all, without regard to the map. Each key is in one of three states:
it is not there, or with the low or the high end of its range. As printed, each of the two states
is reported directly with half the budget (sequential composition); mended, the two are reported as
one of nine states with all of it, which is less noisy. Both spend exactly epsilon, and are
unbiased. What follows is about one key: for every other one, which share of owners has both, and
the mean of its number over all owners, zero for those without both.

The paper's estimates for a key by itself are those of one state; its text was not at hand, but the
public code of its author.
"""

from math import exp

import numpy as np

from papers.sets.owners import Owners, Vector

Found = tuple[Vector, Vector]
STATES = 3  # of a key: not there, low, high
ENDS = np.array([0.0, -1.0, 1.0])


def truth(owners: Owners, given: int) -> Found:
    """Return the share of owners with the given key and each one, and the product of these."""
    has = (owners.items == given).any(axis=1)
    items, numbers = owners.items[has], owners.numbers[has]
    size, n = owners.size, owners.n
    both = np.bincount(items.ravel(), minlength=size) / n
    return both, np.bincount(items.ravel(), numbers.ravel(), size) / n


def condifre(owners: Owners, epsilon: float, given: int, rng: np.random.Generator) -> Found:
    """Report both states of a pair, each with half the budget."""
    return _pairs(owners, given, channel(epsilon / 2, whole=False), rng)


def nine_states(owners: Owners, epsilon: float, given: int, rng: np.random.Generator) -> Found:
    """Report the two states of a pair as one."""
    return _pairs(owners, given, channel(epsilon, whole=True), rng)


def channel(epsilon: float, *, whole: bool) -> Vector:
    """Return how often each pair of states is reported: (reported, held), the second key fastest.

    ``epsilon`` is that of both states together, or else of each.
    """
    size = STATES**2 if whole else STATES
    own = exp(epsilon) / (exp(epsilon) + size - 1)
    one = np.full((size, size), (1 - own) / (size - 1))
    np.fill_diagonal(one, own)
    return one if whole else np.kron(one, one)


def _pairs(owners: Owners, given: int, law: Vector, rng: np.random.Generator) -> Found:
    """Return what the owners say whose pair has the given key; the others ask about other pairs."""
    size, n = owners.size, owners.n
    first = rng.integers(0, size, n)
    second = (first + rng.integers(1, size, n)) % size
    mine = (first == given) | (second == given)
    other = np.where(first == given, second, first)[mine]
    states = [_state(owners, mine, key, rng) for key in (np.full(mine.sum(), given), other)]
    held = STATES * states[0] + states[1]
    levels = np.cumsum(law, axis=0)[:, held]  # (reported, owners)
    reported = (rng.random(len(held)) > levels).sum(axis=0)
    counts = np.zeros((STATES**2, size))
    np.add.at(counts, (np.minimum(reported, STATES**2 - 1), other), 1)
    shares = np.linalg.solve(law, counts / np.maximum(counts.sum(axis=0), 1))
    both = shares.reshape(STATES, STATES, size)[1:].sum(axis=0)
    return both[1:].sum(axis=0), ENDS @ both


def _state(owners: Owners, rows: Vector, keys: Vector, rng: np.random.Generator) -> Vector:
    """Return the state of a key of each of some owners."""
    hit = owners.items[rows] == keys[:, None]
    number = (owners.numbers[rows] * hit).sum(axis=1)
    end = 1 + (rng.random(len(keys)) < (1 + number) / 2)
    return np.where(hit.any(axis=1), end, 0)
