"""Sets under item-level privacy: personalised bits (Sun et al. 2014), LDPart (Zhao et al. 2019).

A weaker contract than that of all other methods here: two sets count as neighbours if one has one
item more. Any two sets of l items are distinguished by up to 2 l times as much. Never in one table
with the others.

Personalised bits answer yes or no for every item, each at the level of that item. LDPart goes
down a tree whose leaves are the items: owners are divided among its depths, and those of a depth
answer for every node that was not pruned whether they have an item below it. Its bits are OUE's,
of which a single one spends max(ln((e + 1) / 2), ln(2 e / (e + 1))) only: two spend epsilon.
Mended: a yes or no at epsilon. What is pruned is estimated as 0; how well that works depends on the
threshold. The paper's text was not at hand: this is what the survey says of it.
"""

from math import exp

import numpy as np

from papers.sets.owners import Codes, Owners, Vector

FANOUT, PRUNED = 4, 2.0  # of the tree; standard errors below which a node is left
PART = 0.5  # of epsilon that personal items have, every other one


def bits(owners: Owners, epsilon: float, rng: np.random.Generator) -> Vector:
    """Answer for every item at the level."""
    own = np.bincount(owners.items.ravel(), minlength=owners.size)
    return _yes_or_no(own, owners.n, np.full(owners.size, epsilon), rng)


def personal_bits(owners: Owners, epsilon: float, rng: np.random.Generator) -> Vector:
    """Answer for every item, every other one at half the level."""
    own = np.bincount(owners.items.ravel(), minlength=owners.size)
    levels = epsilon * np.where(np.arange(owners.size) % 2, PART, 1.0)
    return _yes_or_no(own, owners.n, levels, rng)


def ldpart(owners: Owners, epsilon: float, rng: np.random.Generator) -> Vector:
    """Go down the tree, a part of the owners for each depth."""
    widths = _widths(owners.size)
    groups = np.array_split(rng.permutation(owners.n), len(widths))
    kept, share = np.ones(1, np.bool_), np.zeros(1)
    for width, group in zip(widths, groups, strict=True):
        asked = np.repeat(kept, FANOUT)[: -(-owners.size // width)]
        held = _below(owners.items[group], width, len(asked))
        share = _yes_or_no(held, len(group), np.full(len(asked), epsilon), rng) * asked
        odds = exp(epsilon)
        error = np.sqrt(odds / (odds - 1) ** 2 / len(group))
        kept = asked & (share > PRUNED * error)
    return share * kept


def _widths(size: int) -> list[int]:
    """Return how many items are below a node of each depth, from the children of the root on."""
    width = FANOUT
    while width < size:
        width *= FANOUT
    found = []
    while width > 1:
        width //= FANOUT
        found.append(width)
    return found


def _below(items: Codes, width: int, nodes: int) -> Codes:
    """Return how many owners have an item below each node."""
    own = np.sort(items // width, axis=1)
    first = np.concatenate([np.ones((len(own), 1), np.bool_), own[:, 1:] != own[:, :-1]], axis=1)
    return np.bincount(own[first], minlength=nodes)


def _yes_or_no(own: Codes, n: int, levels: Vector, rng: np.random.Generator) -> Vector:
    """Return shares from a yes or no for each item that so many of n owners have."""
    right = np.exp(levels) / (np.exp(levels) + 1)
    seen = rng.binomial(own, right) + rng.binomial(n - own, 1 - right)
    return np.asarray((seen / n - (1 - right)) / (2 * right - 1))
