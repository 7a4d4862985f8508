"""Sets and maps: ``python -m experiments.sets [--runs N] [--seed S] [--speed]``.

How often 95 % intervals hold the truth: shares of items, sizes of sets, shares and means of keys,
the tables of an item and an attribute, and of two items. 20,000 owners at levels .5, 1, 2 and 4
and lengths 6 and 10, at random; one in seven lacks the set. Besides, the variance of the share of a
rare item, and the squared error of all shares, over those of the estimate in which all owners count
alike; and with ``--speed`` how long a crowd of a million owners takes beside plain NumPy.
"""

import argparse
import time
import warnings
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import discretion as ds
from discretion.aggregate import Evidence
from discretion.crowd.entries import Ragged
from discretion.crowd.shapes import draw
from discretion.mechanism import Cover, set_law
from discretion.plan import Plan
from discretion.sets import set_frequencies
from discretion.sets.strata import counted

SEED, RUNS, OWNERS = 20261119, 200, 20_000
LEVELS, LENGTHS = [0.5, 1, 2, 4], [10, 6]
ITEMS, MOST = 24, 6  # items, and how many a set has at most
SEEN = 0.02  # the least share of a key whose mean is looked at
NORMAL = 1.96  # standard errors
SPEED, CHUNK = 1_000_000, 20_000
Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class World:
    """Items that are held independently, but for the largest sets, and a number for each."""

    @cached_property
    def chances(self) -> Array:
        return np.array(0.45 / np.arange(1, ITEMS + 1) ** 0.7)

    @cached_property
    def centres(self) -> Array:
        return 2 + np.linspace(0, 6, ITEMS) % 5

    @cached_property
    def sizes(self) -> Array:
        """How frequent each size is, among sets that are not too large."""
        found = _sizes(self.chances)[: MOST + 1]
        return np.asarray(found / found.sum())

    @cached_property
    def shares(self) -> Array:
        whole = _sizes(self.chances)[: MOST + 1].sum()
        rest = [_sizes(np.delete(self.chances, i))[:MOST].sum() for i in range(ITEMS)]
        return np.asarray(self.chances * rest / whole)

    @cached_property
    def plan(self) -> Plan:
        names = [f"i{i}" for i in range(ITEMS)]
        basket: dict[str, Any] = {
            "name": "basket",
            "kind": "set",
            "items": names,
            "length": LENGTHS,
        }
        stars: dict[str, Any] = {"name": "stars", "kind": "map", "keys": names, "length": LENGTHS}
        stars |= {"range": [0, 10], "step": 1}
        age = {"name": "age", "kind": "categorical", "values": ["young", "old"]}
        return Plan.of(
            {"name": "sets", "attributes": [basket, stars, age], "budget": {"levels": LEVELS}}
        )

    def reports(self, seed: tuple[int, int]) -> ds.ReportTable:
        rng = np.random.default_rng(seed)
        has = rng.random((2 * OWNERS, ITEMS)) < self.chances
        has = has[has.sum(axis=1) <= MOST][:OWNERS]
        _, items = np.nonzero(has)
        numbers = rng.binomial(10, (self.centres / 10)[items]).astype(np.float64)
        offsets = pa.array(np.concatenate([[0], np.cumsum(has.sum(axis=1))]), pa.int32())
        names = pa.array([f"i{i}" for i in items])
        lists = pa.ListArray.from_arrays(offsets, names).to_pylist()
        lacking = rng.random(len(has)) < 1 / 7
        frame = pa.table(
            {
                "basket": pa.array(lists, mask=lacking),
                "stars": pa.MapArray.from_arrays(offsets, names, pa.array(numbers)),
                "age": np.where(rng.random(len(has)) < 0.2 + 0.6 * has[:, 0], "old", "young"),
            }
        )
        return ds.simulate(self.plan, frame, budgets="levels", ranges="menu", seed=seed[1])


def _sizes(chances: Array) -> Array:
    """Return how frequent each size is of sets of independent items."""
    found = np.ones(1)
    for p in chances:
        found = np.convolve(found, [1 - p, p])
    return found


def coverage(runs: int, seed: int) -> None:
    """Print how often intervals hold the truth, and how much weights gain."""
    world, held = World(), defaultdict[str, list[Array]](list)
    ratios, errors = [], np.zeros(2)
    for run in range(runs):
        reports = world.reports((seed, run))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, ends, truth in _intervals(world, reports):
                held[name].append(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).astype(float))
        family, counts = counted(Evidence.of(reports, "basket"))
        pools = [family.pooled(counts, by_owners=each) for each in (False, True)]
        errors += [float(((each.value - world.shares) ** 2).sum()) for each in pools]
        ratios.append(float(np.divide(*(each.variance(np.zeros(1))[0] for each in pools))))
    print(f"{runs} runs, seed {seed}")
    for name, own in held.items():
        every = np.concatenate(own)
        print(f"{name}: {100 * every.mean():.1f} % of {len(every):,} intervals hold the truth")
    gains = f"{np.mean(ratios):.4f}; squared error: {errors[0] / errors[1]:.4f}"
    print(f"variance over unweighted: {gains}")


def _intervals(world: World, reports: ds.ReportTable) -> Iterator[tuple[str, Array, Array]]:
    """Yield the name, the intervals and the truth of everything that is estimated."""
    found, means = set_frequencies(reports, "basket"), ds.means(reports, "stars")
    yield "sizes", found.sizes.interval()[: MOST + 1], world.sizes
    yield "shares", found.interval(), world.shares
    half = NORMAL * means.shares.stderr
    ends = np.column_stack([means.shares.value - half, means.shares.value + half])
    yield "shares of keys", ends, world.shares
    kept = means.learnt & (world.shares >= SEEN)
    yield "means", means.interval()[kept], world.centres[kept]
    one = ds.joint(reports, ["basket:i0", "age"], method="mle").interval()[:, 1]
    yield "item and attribute", one, np.array([0.2, 0.8]) * [1 - world.shares[0], world.shares[0]]
    both = ds.joint(reports, ["basket:i0", "basket:i1"], method="mle").interval()[1:, 1]
    yield "two items", both, _pairs(world)


def _pairs(world: World) -> Array:
    """Return the shares of owners with the second item alone, and with both."""
    whole = _sizes(world.chances)[: MOST + 1].sum()
    rest = _sizes(world.chances[2:])
    p, q = world.chances[:2]
    both = p * q * rest[: MOST - 1].sum() / whole
    return np.array([(1 - p) * q * rest[:MOST].sum() / whole, both])


def speed(seed: int) -> None:
    """Print how long a million reports of sets take, beside the same draws in plain NumPy."""
    rng = np.random.default_rng(seed)
    for items, length in ((64, 8), (1024, 8)):
        law = set_law("cover", items, length, 1000)
        sizes = rng.integers(0, length + 1, SPEED)
        rows = np.repeat(np.arange(SPEED), sizes)
        ragged = Ragged.of(rows, rng.integers(0, items, len(rows)), SPEED)
        codes, which = np.arange(SPEED), np.zeros(SPEED, np.int64)
        draw([law], which[:10], codes[:10], rng, None, ragged)  # compiled
        begin = time.perf_counter()
        draw([law], which, codes, rng, None, ragged)
        ours = time.perf_counter() - begin
        begin = time.perf_counter()
        _plain(law, ragged, 5 * CHUNK, rng)
        plain = (time.perf_counter() - begin) * SPEED / (5 * CHUNK)
        both = f"{ours:.2f} s, plain NumPy {plain:.1f} s, {plain / ours:.1f} times"
        print(f"{items} items, length {length}: {both}")


def _plain(law: Cover, owners: Ragged, n: int, rng: np.random.Generator) -> None:
    """Draw the reports of the first owners with arrays alone: ranks of random numbers."""
    for start in range(0, n, CHUNK):
        held = np.zeros((CHUNK, law.n_codes), np.bool_)
        own = slice(owners.starts[start], owners.starts[start + CHUNK])
        sizes = np.diff(owners.starts[start : start + CHUNK + 1])
        held[np.repeat(np.arange(CHUNK), sizes), owners.symbols[own]] = True
        held[:, law.items :] = np.arange(law.length) >= sizes[:, None]
        overlap = _overlaps(law, rng)
        noise = rng.random(held.shape)
        inside = np.argsort(np.where(held, noise, 2), axis=1)[:, : law.length]
        outside = np.argsort(np.where(held, 2, noise), axis=1)[:, : law.count]
        y = np.zeros(held.shape, np.bool_)
        rows = np.arange(CHUNK)[:, None]
        y[rows, inside] = np.arange(law.length) < overlap[:, None]
        taken = np.arange(law.count) < (law.count - overlap)[:, None]
        y[rows, outside] |= taken
        np.packbits(y, axis=1, bitorder="little")


def _overlaps(law: Cover, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Draw how many codes of each prepared set are reported."""
    most = min(law.length, law.count)
    ways = [comb(law.length, j) * comb(law.items, law.count - j) for j in range(1, most + 1)]
    keep = law.keep / 2**64
    chances = np.array([1 - keep, *(keep * way / law.hits for way in ways)])
    return rng.choice(most + 1, CHUNK, p=chances / chances.sum())


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--speed", action="store_true")
    given = parser.parse_args()
    if given.speed:
        speed(given.seed)
    else:
        coverage(given.runs, given.seed)


if __name__ == "__main__":
    main()
