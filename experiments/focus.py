"""Rounds that build on each other: ``python -m experiments.focus [SETTING ...] [--runs N]``.

``sets``    items of sets that a first round chose, asked again: how often intervals hold the truth,
            pooled and of the second round alone, with the same owners in both rounds at the same
            levels, with the same ones at other levels, and with other owners. Levels .5, 1, 2 and 4
``texts``   the same for texts that were discovered
``retail``  itemsets of up to three items by a focus round, beside SVSM: F1 of the 32 most frequent,
            and of those of two items or more. Every owner answers once, in either round

SVSM (Wang, Li and Jha 2018) is a study, in which counts are drawn from their law: half of the
owners for SVIM (40 % candidates by one item each, 10 % sizes, 50 % shares), of the others a fifth
for the sizes of itemsets and the rest for their shares. Mended: estimates are multiplied by the
length, and itemsets are scaled by their own group. Items are those with a number below 4,096, for
both.
"""

import argparse
import gzip
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import exp
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import discretion as ds
from discretion.plan import Plan

SEED, RUNS, OWNERS = 20261121, 400, 6_000
LEVELS = [0.5, 1, 2, 4]
ITEMS, KEPT = 12, 8
WORDS, TEXT_OWNERS = 40, 12_000
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
RETAIL, LISTED, TOP, CANDIDATES, TOGETHER = "retail.csv.gz", 4096, 32, 64, 3
FIRST, FIRST_LENGTH = 0.6, 8  # of the owners, and the items that they report at most
MOST_LENGTH, QUANTILE, GUESSED = 30, 0.9, 0.9  # of SVSM
Array = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Itemset = tuple[int, ...]


@dataclass
class Covered:
    """How often intervals held the truth."""

    pooled: list[bool] = field(default_factory=list)
    second: list[bool] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)  # pooled over those of the second round

    def add(self, both: ds.PooledEstimate, truth: Mapping[str, float]) -> None:
        rows = both.to_frame("pyarrow").to_pylist()
        for row in (row for row in rows if row["label"] in truth and row["first"] is not None):
            share = truth[row["label"]]
            self.pooled.append(row["low"] <= share <= row["high"])
            self.second.append(row["second_low"] <= share <= row["second_high"])
            wide = row["second_high"] - row["second_low"]
            self.widths.append((row["high"] - row["low"]) / wide)

    def __str__(self) -> str:
        pooled, second = np.mean(self.pooled), np.mean(self.second)
        wide = np.median(self.widths)
        return f"{pooled:9.4f}{second:9.4f}{wide:9.3f}   of {len(self.pooled):,}"


def budgets(rng: np.random.Generator, name: str, n: int) -> dict[str, Array]:
    """Draw a level for each owner."""
    return {name: rng.choice(LEVELS, n)}


def seed_of(rng: np.random.Generator) -> int:
    """Draw a seed."""
    return int(rng.integers(1 << 31))


def rounds(
    plan: Plan, crowds: Sequence[Mapping[str, object]], how: str, rng: np.random.Generator
) -> tuple[ds.PooledEstimate, int] | None:
    """Return both rounds together; None where nothing was found."""
    name = plan.names[0]
    n = len(crowds[0][name])  # type: ignore[arg-type]
    levels = budgets(rng, name, n)
    first = ds.simulate(plan, crowds[0], budgets=levels, seed=seed_of(rng))
    texts = not plan.attributes[name].several
    found = ds.discover(first, name) if texts else ds.frequencies(first, name, "weighted")
    if texts and not len(found.value):
        return None
    if how != "same":
        levels = budgets(rng, name, n)
    closer = ds.focus(found, KEPT)
    again = ds.simulate(closer, crowds[how == "others"], budgets=levels, seed=seed_of(rng))
    return ds.pool(again, found, 0 if how == "others" else n), n


def of_sets(runs: int, seed: int, how: str) -> Covered:
    """Items that are held independently, with shares that lie close together."""
    chances = 0.4 / np.arange(1, ITEMS + 1) ** 0.6
    names = np.array([f"i{i}" for i in range(ITEMS)])
    asked = {"name": "x", "kind": "set", "items": names.tolist(), "length": ITEMS}
    plan = Plan.of({"name": "f", "attributes": [asked], "budget": {"levels": LEVELS}})
    found, truth = Covered(), dict(zip(names.tolist(), chances.tolist(), strict=True))
    for run in range(runs):
        rng = np.random.default_rng((seed, run))
        crowds = [
            {"x": [names[own].tolist() for own in rng.random((OWNERS, ITEMS)) < chances]}
            for _ in range(2)
        ]
        both = rounds(plan, crowds, how, rng)
        if both is not None:
            found.add(both[0], truth)
    return found


def of_texts(runs: int, seed: int, how: str) -> Covered:
    """Words of random letters, whose shares are those of Zipf's law."""
    rng = np.random.default_rng(seed)
    letters = rng.integers(0, len(ALPHABET), (WORDS, 5))
    words = ["".join(ALPHABET[i] for i in own) for own in letters.tolist()]
    code = ds.public_code(words * 3).document
    asked = {"name": "x", "kind": "text", "discover": {"code": code, "bits": 48}}
    plan = Plan.of({"name": "f", "attributes": [asked], "budget": {"levels": LEVELS}})
    shares = 1 / np.arange(1, WORDS + 1)
    shares /= shares.sum()
    found, truth = Covered(), dict(zip(words, shares.tolist(), strict=True))
    for run in range(runs):
        rng = np.random.default_rng((seed, run))
        crowds = [{"x": rng.choice(words, TEXT_OWNERS, p=shares).tolist()} for _ in range(2)]
        both = rounds(plan, crowds, how, rng)
        if both is not None:
            found.add(both[0], truth)
    return found


@dataclass(frozen=True)
class Baskets:
    """Baskets, as rows and items, and which are the most frequent itemsets."""

    rows: Counts
    items: Counts
    n: int
    shares: Mapping[Itemset, float]

    @classmethod
    def read(cls, path: Path) -> "Baskets":
        with gzip.open(path, "rt") as file:
            lines = [line.split() for line in file.read().splitlines()[1:]]
        baskets = [[item for item in map(int, line) if item < LISTED] for line in lines if line]
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
    first = ds.simulate(plan, {"x": baskets.lists(order[:cut])}, seed=seed_of(rng))
    closer = ds.focus(ds.frequencies(first, "x"), CANDIDATES, TOGETHER)
    again = ds.simulate(closer, {"x": baskets.lists(order[cut:])}, seed=seed_of(rng))
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


def retail(path: Path, runs: int, seed: int) -> None:
    """Print F1 of both."""
    baskets = Baskets.read(path)
    print(f"{'':18}{'itemsets':>20}{'of two or more':>20}")
    for epsilon in (2, 4):
        for name, method in (("focus", by_focus), ("SVSM", svsm)):
            found = [
                [baskets.f1(shares, least) for least in (1, 2)]
                for run in range(runs)
                for shares in [method(baskets, epsilon, np.random.default_rng((seed, run)))]
            ]
            mean, error = np.mean(found, axis=0), np.std(found, axis=0) / runs**0.5
            cells = "".join(f"{m:12.3f} +-{e:6.3f}" for m, e in zip(mean, error, strict=True))
            print(f"{name:8}epsilon {epsilon}{cells}", flush=True)


def main(given: Iterable[str] | None = None) -> None:
    """Print what is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("settings", nargs="*", default=["sets", "texts", "retail"])
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--data", type=Path, help="a folder with retail.csv.gz")
    named = parser.parse_args(None if given is None else list(given))
    for name in named.settings:
        print(f"{name}: {named.runs} runs, seed {named.seed}", flush=True)
        if name == "retail":
            retail(named.data / RETAIL, named.runs, named.seed)
            continue
        print(f"{'':14}{'pooled':>9}{'second':>9}{'width':>9}")
        measure = {"sets": of_sets, "texts": of_texts}[name]
        for how in ("same", "other levels", "others"):
            print(f"{how:14}{measure(named.runs, named.seed, how)}", flush=True)


if __name__ == "__main__":
    main()
