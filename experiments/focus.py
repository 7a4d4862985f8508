"""Rounds that build on each other: ``python -m experiments.focus [SETTING ...] [--runs N]``.

``sets``    items of sets that a first round chose, asked again: how often intervals hold the truth,
            pooled and of the second round alone, with the same owners in both rounds at the same
            levels, with the same ones at other levels, and with other owners. Levels .5, 1, 2 and 4
``texts``   the same for texts that were discovered
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

import discretion as ds
from discretion.plan import Plan

SEED, RUNS, OWNERS = 20261121, 400, 6_000
LEVELS = [0.5, 1, 2, 4]
ITEMS, KEPT = 12, 8
WORDS, TEXT_OWNERS = 40, 12_000
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
Array = npt.NDArray[np.float64]


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


def main(given: Iterable[str] | None = None) -> None:
    """Print what is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("settings", nargs="*", default=["sets", "texts"])
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--seed", type=int, default=SEED)
    named = parser.parse_args(None if given is None else list(given))
    for name in named.settings:
        print(f"{name}: {named.runs} runs, seed {named.seed}", flush=True)
        print(f"{'':14}{'pooled':>9}{'second':>9}{'width':>9}")
        measure = {"sets": of_sets, "texts": of_texts}[name]
        for how in ("same", "other levels", "others"):
            print(f"{how:14}{measure(named.runs, named.seed, how)}", flush=True)


if __name__ == "__main__":
    main()
