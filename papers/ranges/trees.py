"""Published methods with trees: HH with consistency, HaarHRR, and AHEAD with its round per depth.

Reports by OUE are independent bits, so the counts of a group are binomial and drawn as such: that
is exactly what reports would count to.
"""

from dataclasses import dataclass, field
from math import exp, log, sqrt

import numpy as np

from papers.ranges.densities import Codes, Crowd, Vector

FANOUT = 4  # of HH


def oue(counts: Codes, epsilon: float, rng: np.random.Generator) -> Vector:
    """Return the shares of cells that reports by OUE estimate."""
    n, q = counts.sum(), 1 / (exp(epsilon) + 1)
    ones = rng.binomial(counts, 0.5) + rng.binomial(n - counts, q)
    return np.asarray((ones / n - q) / (0.5 - q))


def oue_variance(epsilon: float) -> float:
    """Return that of a rare cell, from one report."""
    return 4 * exp(epsilon) / (exp(epsilon) - 1) ** 2


def hh(crowd: Crowd, epsilon: float, rng: np.random.Generator) -> Vector:
    """Hierarchical histograms with four children (Cormode et al. 2019), made consistent.

    People are divided evenly over the depths. Consistency is least squares with one variance
    everywhere (Hay et al. 2010), from the leaves up and down again; the root has all.
    """
    depths = round(log(crowd.size, FANOUT))
    found = [
        oue(np.bincount(own // FANOUT ** (depths - h), minlength=FANOUT**h), epsilon, rng)
        for h, own in enumerate(crowd.dealt(depths, rng), 1)
    ]
    combined, noise = [found[-1]], 1.0
    for own in found[-2::-1]:
        below = FANOUT * noise
        sums = combined[0].reshape(-1, FANOUT).sum(axis=1)
        combined.insert(0, (below * own + sums) / (below + 1))
        noise = below / (below + 1)
    whole = np.ones(1)
    for own in combined:
        families = own.reshape(-1, FANOUT)
        whole = (families + ((whole - families.sum(axis=1)) / FANOUT)[:, None]).ravel()
    return whole


def haar_hrr(crowd: Crowd, epsilon: float, rng: np.random.Generator) -> Vector:
    """One Haar coefficient from each person, by Hadamard response (Cormode et al. 2019)."""
    depths, keep = round(log(crowd.size, 2)), exp(epsilon) / (exp(epsilon) + 1)
    whole = np.ones(1)
    for h, own in enumerate(crowd.dealt(depths, rng)):
        node, right = np.divmod(own >> (depths - h - 1), 2)
        row = rng.integers(0, 1 << h, len(own))
        sign = 1 - 2 * (right ^ (np.bitwise_count(row & node) & 1))
        sent = np.where(rng.random(len(own)) < keep, sign, -sign)
        sums = np.bincount(row, sent, 1 << h).astype(np.float64)
        difference = _transformed(sums) / len(own) / (2 * keep - 1)
        whole = np.column_stack([whole + difference, whole - difference]).ravel() / 2
    return whole


def _transformed(values: Vector) -> Vector:
    """Return the Walsh-Hadamard transform."""
    width = 1
    while width < len(values):
        pairs = values.reshape(-1, 2, width)
        values = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], 1).ravel()
        width *= 2
    return values


@dataclass(eq=False)
class _Node:
    """An interval of codes, what each round said of it, and its halves if it was split."""

    low: int
    high: int
    seen: list[float] = field(default_factory=list)
    halves: tuple["_Node", ...] = ()
    value: float = 0.0


def ahead(crowd: Crowd, epsilon: float, rng: np.random.Generator) -> Vector:
    """AHEAD (Du et al. 2021): a round per depth over the current intervals.

    An interval is split where its share is above the threshold of the paper. Intervals that
    are not are asked about again; all that is known of them is averaged. Then the tree is made
    consistent, upwards with weights by the variances and downwards.
    """
    groups = round(log(crowd.size, 2))
    noise = oue_variance(epsilon) / (len(crowd.codes) // groups)
    threshold, root = sqrt(3 * noise), _Node(0, crowd.size, [1.0])
    leaves = [root]
    for own in crowd.dealt(groups, rng):
        leaves = [child for leaf in leaves for child in _split(leaf, threshold)]
        edges = np.array([leaf.low for leaf in leaves] + [crowd.size])
        counts = np.bincount(np.searchsorted(edges, own, "right") - 1, minlength=len(leaves))
        for leaf, share in zip(leaves, _on_simplex(oue(counts, epsilon, rng)), strict=True):
            leaf.seen.append(float(share))
    _combine(root, noise)
    root.value = 1.0
    found = np.zeros(crowd.size)
    _divide(root, found)
    return found


def _split(leaf: _Node, threshold: float) -> tuple[_Node, ...]:
    if leaf.high - leaf.low < 2 or leaf.seen[-1] <= threshold:
        return (leaf,)
    middle = (leaf.low + leaf.high) // 2
    leaf.halves = _Node(leaf.low, middle), _Node(middle, leaf.high)
    return leaf.halves


def _combine(node: _Node, noise: float) -> float:
    """Give a node the mean of itself and its halves' sum; return its variance."""
    own, variance = float(np.mean(node.seen)), noise / len(node.seen)
    if not node.halves:
        node.value = own
        return variance
    below = sum(_combine(half, noise) for half in node.halves)
    weight = below / (below + variance)
    node.value = weight * own + (1 - weight) * sum(half.value for half in node.halves)
    return weight * variance


def _divide(node: _Node, found: Vector) -> None:
    """Bring halves to their whole's share, downwards, and leaves to the codes."""
    if not node.halves:
        found[node.low : node.high] = node.value / (node.high - node.low)
        return
    lacking = (node.value - sum(half.value for half in node.halves)) / 2
    for half in node.halves:
        half.value += lacking
        _divide(half, found)


def _on_simplex(values: Vector) -> Vector:
    """Return the nearest shares that are not negative and have the sum one."""
    ranked = np.sort(values)[::-1]
    above = (np.cumsum(ranked) - 1) / np.arange(1, len(values) + 1)
    return np.maximum(values - above[np.flatnonzero(ranked > above)[-1]], 0)
