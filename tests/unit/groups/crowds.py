"""A crowd in groups of 5 % to 60 %, with unequal levels and answers that lack at random."""

from functools import cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.crowd import simulate
from discretion.plan import Plan
from discretion.table import ReportTable

Vector = npt.NDArray[np.float64]
LEVELS = {"levels": [0.5, 1, 2, 4]}
GROUPS, ANSWERS = ("a", "b", "c", "d", "e"), ("w", "x", "y", "z")
SHARES = np.array([0.05, 0.08, 0.12, 0.15, 0.6])
ROWS = np.array(
    [
        [0.45, 0.3, 0.2, 0.05],
        [0.1, 0.2, 0.3, 0.4],
        [0.25, 0.25, 0.25, 0.25],
        [0.7, 0.15, 0.1, 0.05],
        [0.06, 0.14, 0.3, 0.5],
    ]
)
MIDDLES = np.array([18.0, 30.0, 45.0, 25.0, 28.0])  # of a number, which is skewed
WIDTHS = np.array([0.9, 0.5, 0.6, 0.4, 0.7])
HIGH = 200.0
LACKING = 0.15  # of each answer


@cache
def plan_of(
    group: str = "grr", answer: str = "oue", number: str = "window", *, bundled: bool = False
) -> Plan:
    return Plan.of(
        {
            "name": "groups",
            "attributes": [
                {"name": "work", "kind": "categorical", "values": GROUPS, "mechanism": group},
                {"name": "travel", "kind": "categorical", "values": ANSWERS, "mechanism": answer},
                {"name": "age", "kind": "categorical", "values": ["young", "old"]},
                {"name": "pay", "kind": "numeric", "range": [0, HIGH], "step": 1}
                | {"mechanism": number},
            ],
            "budget": LEVELS,
            **({"bundles": [["work", "travel"]]} if bundled else {}),
        }
    )


def people(n: int, seed: int, rows: Vector = ROWS) -> dict[str, npt.NDArray[np.generic]]:
    """Draw people; their stream is not the one of a simulation with the same seed."""
    rng = np.random.default_rng((seed, 11))
    group = rng.choice(len(GROUPS), n, p=SHARES)
    answer = (rng.random(n)[:, None] > rows.cumsum(axis=1)[group]).sum(axis=1)
    pay = np.rint(np.clip(MIDDLES[group] * np.exp(WIDTHS[group] * rng.normal(size=n)), 0, HIGH))
    old = rng.random(n) < np.array([0.2, 0.4, 0.5, 0.9, 0.5])[group]
    return {"work": group, "travel": np.minimum(answer, 3), "age": old.astype(np.int64), "pay": pay}


def named(drawn: dict[str, npt.NDArray[np.generic]]) -> dict[str, npt.NDArray[np.generic]]:
    """Return the values of people, by their labels where they are codes."""
    labels = {"work": GROUPS, "travel": ANSWERS, "age": ("young", "old")}
    return {
        name: np.array(labels[name])[own] if own.dtype.kind == "i" else own
        for name, own in drawn.items()
    }


def crowd(plan: Plan, n: int, seed: int, rows: Vector = ROWS) -> ReportTable:
    drawn, rng = people(n, seed, rows), np.random.default_rng((seed, 12))
    columns = {
        name: pa.array(own, mask=rng.random(n) < LACKING) for name, own in named(drawn).items()
    }
    return simulate(plan, pa.table(columns), budgets="levels", seed=seed)


@cache
def true_means() -> Vector:
    drawn = people(1_000_000, 99)
    sums = np.bincount(drawn["work"], weights=drawn["pay"])
    return sums / np.bincount(drawn["work"])
