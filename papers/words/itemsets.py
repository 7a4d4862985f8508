"""Itemsets of baskets: a round that ``focus`` made of another one, and SVSM.

SVSM (Wang, Li and Jha 2018) is a study, in which counts are drawn from their law: half of the
owners for SVIM (40 % candidates by one item each, 10 % sizes, 50 % shares), of the others a fifth
for the sizes of itemsets and the rest for their shares. Mended: estimates are multiplied by the
length, and itemsets are scaled by their own group. Items are those with a number below 4,096, for
both. Every owner answers once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import discretion as ds
from discretion.plan import Plan

LISTED, TOP, CANDIDATES, TOGETHER = 4096, 32, 64, 3
FIRST, FIRST_LENGTH = 0.6, 8  # of the owners, and the items that they report at most
MOST_LENGTH, QUANTILE, GUESSED = 30, 0.9, 0.9  # of SVSM
Array = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Itemset = tuple[int, ...]


@dataclass(frozen=True)
class Baskets:
    """Baskets, as rows and items, and which are the most frequent itemsets."""

    rows: Counts
    items: Counts
    n: int
    shares: Mapping[Itemset, float]

    @classmethod
    def of(cls, lines: Sequence[str]) -> "Baskets":
        """Read the items of each basket, numbers with blanks between them."""
        every = (map(int, line.split()) for line in lines)
        baskets = [[item for item in own if item < LISTED] for own in every]
        rows = np.repeat(np.arange(len(baskets)), [len(own) for own in baskets])
        made = cls(
            rows, np.concatenate([np.array(own, np.int64) for own in baskets]), len(baskets), {}
        )
        top = np.argsort(-np.bincount(made.items, minlength=LISTED))[:40].tolist()
        own = [s for k in (1, 2) for s in combinations(sorted(top), k)]
        own += [s for k in (3, 4) for s in combinations(sorted(top[:12]), k)]
        single = dict(zip(top, made.held([(item,) for item in top]), strict=True))
        shares = {s: float(np.logical_and.reduce([single[i] for i in s]).mean()) for s in own}
        return cls(made.rows, made.items, made.n, shares)

    def held(self, sets: Sequence[Itemset]) -> Mask:
        """Return which baskets contain each itemset (sets, n)."""
        single = {place: np.zeros(self.n, np.bool_) for own in sets for place in own}
        for place, row in single.items():
            row[self.rows[self.items == place]] = True
        return np.array([np.logical_and.reduce([single[place] for place in own]) for own in sets])

    def lists(self, owners: Counts) -> pa.Array:
        """Return the baskets of some owners as a column of lists."""
        starts = np.searchsorted(self.rows, np.arange(self.n + 1))
        picked = [self.items[starts[i] : starts[i + 1]] for i in owners.tolist()]
        ends = np.concatenate([[0], np.cumsum([len(own) for own in picked])])
        return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), np.concatenate(picked))

    def asked(self, found: Mapping[Itemset, float]) -> float:
        """Return how many of the most frequent itemsets have an estimate at all."""
        top = sorted(self.shares, key=lambda own: -self.shares[own])[:TOP]
        return len({*top} & {*found}) / TOP

    def f1(self, found: Mapping[Itemset, float], least: int) -> float:
        """Return how many of the most frequent itemsets of so many items are among those found."""
        top, got = (
            sorted((own for own in each if len(own) >= least), key=lambda own: -each[own])[:TOP]
            for each in (self.shares, found)
        )
        return len({*top} & {*got}) / TOP


def by_focus(baskets: Baskets, epsilon: float, rng: np.random.Generator) -> dict[Itemset, float]:
    """Return the shares of itemsets in a round that focus made of another one."""
    names = [f"{item}" for item in range(LISTED)]
    asked = {"name": "x", "kind": "set", "items": names, "length": FIRST_LENGTH}
    plan = Plan.of({"name": "f", "attributes": [asked], "budget": {"levels": [epsilon]}})
    order, cut = rng.permutation(baskets.n), round(FIRST * baskets.n)
    first = ds.simulate(plan, {"x": baskets.lists(order[:cut])}, seed=_seed(rng))
    closer = ds.focus(ds.frequencies(first, "x"), CANDIDATES, TOGETHER)
    again = ds.simulate(closer, {"x": baskets.lists(order[cut:])}, seed=_seed(rng))
    shares = ds.frequencies(again, "x")
    sets = [tuple(sorted(map(int, own.split(" + ")))) for own in shares.labels]
    return dict(zip(sets, shares.value.tolist(), strict=True))


def svsm(baskets: Baskets, epsilon: float, rng: np.random.Generator) -> dict[Itemset, float]:
    """Return the shares of items and itemsets by SVSM."""
    order, half = rng.permutation(baskets.n), baskets.n // 2
    a, b, c = (round(part * half) for part in (0.4, 0.5, 1.2))
    sizes = np.bincount(baskets.rows, minlength=baskets.n)
    starts = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    some = order[:a][sizes[order[:a]] > 0]
    told = baskets.items[starts[some] + (rng.random(len(some)) * sizes[some]).astype(np.int64)]
    best = np.argsort(-oracle(np.bincount(told, minlength=LISTED), a, epsilon, rng))[: 2 * TOP]
    single = [(item,) for item in best.tolist()]
    shares = sampled(baskets.held(single), order[a:b], order[b:half], epsilon, rng)
    top = sorted(zip(shares.tolist(), single, strict=True), reverse=True)[:TOP]
    found = {own: max(share, 1e-9) for share, own in top}
    most = max(found.values())
    guess = {
        tuple(sorted(i for (i,) in own)): float(np.prod([GUESSED * found[i] / most for i in own]))
        for k in (2, 3, 4)
        for own in combinations(found, k)
    }
    sets = sorted(guess, key=lambda own: -guess[own])[: 2 * TOP]
    own = sampled(baskets.held(sets), order[half:c], order[c:], epsilon, rng)
    return found | dict(zip(sets, own.tolist(), strict=True))


def sampled(
    held: Mask, sizing: Counts, telling: Counts, epsilon: float, rng: np.random.Generator
) -> Array:
    """Return shares by padding and sampling, at a length that another group decides on."""
    most = len(held)
    sizes = oracle(
        np.bincount(held[:, sizing].sum(axis=0), minlength=most + 1), len(sizing), epsilon, rng
    )
    sizes = np.maximum(sizes, 0)
    sizes[0] = 0
    enough = np.cumsum(sizes) > QUANTILE * sizes.sum()
    length = max(1, min(int(np.argmax(enough)), MOST_LENGTH))
    mine = held[:, telling]
    own = mine.sum(axis=0)
    drawn = (rng.random(len(own)) * np.maximum(own, length)).astype(np.int64)
    which = np.argsort(-(rng.random(mine.shape) * mine), axis=0)
    chosen = which[np.minimum(drawn, most - 1), np.arange(len(own))][drawn < own]
    told = np.bincount(chosen, minlength=most)
    shares = length * oracle(told, len(telling), epsilon, rng, direct=length)
    more = float(sizes @ np.maximum(np.arange(most + 1) - length, 0))
    return np.asarray(shares * (1 + more / max(float(shares.sum()), 1e-9)))


def oracle(
    counts: Counts, n: int, epsilon: float, rng: np.random.Generator, direct: int = 0
) -> Array:
    """Return the shares that OLH estimates; with a length, direct answers where they are better."""
    held, other, e = 0.5, 1 / (exp(epsilon) + 1), exp(epsilon)
    if direct and len(counts) < direct * e * (4 * direct - 1) + 1:
        own = direct * (e - 1) + 1
        held, other = (part / (own + len(counts) + direct - 1) for part in (own, 1))
    seen = rng.binomial(counts, held) + rng.binomial(n - counts, other)
    return np.asarray((seen / n - other) / (held - other))


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(1 << 31))
