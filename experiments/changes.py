"""Changes where answers are repeated: ``python -m experiments.changes [--runs N] [--owners N]``.

Owners answer two rounds under a memo with 64 public groups, and under ``again: fresh``. Levels are
.5, 1 and 2 at random, and a fifth of the owners shares another attribute alone. A share of the
others looks anew at what she answers, at shares that differ from the first ones. Printed for each
share of changers: the squared error as a part of that of fresh rounds, with the bar 1.3 x changers
+ .01; how often 95 % intervals hold what changed in the population; and beside it how often that of
independent rounds does, and how much wider it is.
"""

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt

import discretion as ds
from discretion.crowd.rounds import simulate_rounds
from discretion.plan import Plan
from discretion.trends.waves import estimated

SEED, RUNS, OWNERS = 20261119, 300, 50_000
CHANGERS = (0.02, 0.1, 0.3)
LABELS = np.array([*"abcde"])
BEFORE, ANEW = np.array([0.4, 0.3, 0.15, 0.1, 0.05]), np.array([0.2, 0.25, 0.2, 0.2, 0.15])
LEVELS, LACKING = [0.5, 1.0, 2.0], 0.2
MECHANISM = "oue"
Array = npt.NDArray[np.float64]


def plan_of(again: str, owners: int) -> Plan:
    """Return a plan with what changes, and something else."""
    asked = [
        {"name": name, "kind": "categorical", "values": [*LABELS], "mechanism": MECHANISM}
        for name in ("v", "other")
    ]
    more = {"groups": 64, "owners": owners} if again == "memo" else {"again": again}
    budget = {"levels": LEVELS}
    return Plan.of({"name": "changes", "attributes": asked, "budget": budget, **more})


def run(changers: float, owners: int, seed: tuple[int, ...]) -> list[Array]:
    """Return squared errors, whether intervals hold, and how much wider the second one is."""
    rng = np.random.default_rng(seed)
    first = rng.choice(5, owners, p=BEFORE)
    moves = rng.random(owners) < changers
    second = np.where(moves, rng.choice(5, owners, p=ANEW), first)
    levels: list[Any] = rng.choice(LEVELS, owners).tolist()
    lacks = rng.random(owners) < LACKING
    budgets = {"v": [None if off else own for off, own in zip(lacks.tolist(), levels, strict=True)]}
    truth = changers * (ANEW - BEFORE)
    budgets["other"] = levels
    records = [{"v": LABELS[x], "other": LABELS[first]} for x in (first, second)]
    weeks = {
        again: simulate_rounds(plan_of(again, owners), records, budgets=budgets, seed=seed[-1])
        for again in ("memo", "fresh")
    }
    found = {again: ds.change(own, "v", 0, 1) for again, own in weeks.items()}
    sides = [estimated(weeks["memo"].of_round(round), "v").covariance() for round in (0, 1)]
    apart = np.sqrt(np.diag(sides[0] + sides[1]))
    off = found["memo"].value - truth
    low, high = found["memo"].interval().T
    return [
        off**2,
        (found["fresh"].value - truth) ** 2,
        (low <= truth) & (truth <= high),
        np.abs(off) <= 1.96 * apart,
        apart / found["memo"].stderr,
    ]


def main() -> None:
    """Print a line for each share of changers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--owners", type=int, default=OWNERS)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    print(f"{given.runs} runs, {given.owners:,} owners, {MECHANISM}, seed {given.seed}")
    print("changers  error / fresh  at most  covered  independent: covered  times as wide")
    for changers in CHANGERS:
        runs = [
            run(changers, given.owners, (given.seed, int(1000 * changers), i))
            for i in range(given.runs)
        ]
        memo, fresh, held, independent, wider = np.array(runs).mean(axis=(0, 2))
        print(
            f"{changers:8.0%}  {memo / fresh:13.4f}  {1.3 * changers + 0.01:7.3f}  {held:7.3f}"
            f"  {independent:20.3f}  {wider:13.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
