"""Owners with unequal levels who answer for twelve rounds; some of them change."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from discretion.crowd.rounds import simulate_rounds
from discretion.plan import Plan
from discretion.table import ReportTable

ROUNDS, OWNERS, STEP = 12, 8000, 6
VALUES = [*"abcd"]
BEFORE, AFTER = [0.4, 0.3, 0.2, 0.1], [0.2, 0.3, 0.2, 0.3]


def plan_of(again: object) -> Plan:
    asked: list[dict[str, Any]] = [
        {"name": "travel", "kind": "categorical", "values": VALUES, "mechanism": "oue"},
        {"name": "hours", "kind": "numeric", "range": [0, 40], "step": 1, "mechanism": "pm"},
    ]
    levels = {"levels": [0.5, 1, 2]}
    return Plan.of({"name": "weekly", "attributes": asked, "budget": levels, "again": again})


def records() -> list[dict[str, Any]]:
    """Return the records of each round: one owner in twelve looks anew at what she does."""
    rng = np.random.default_rng(20261119)
    travel = rng.choice(4, OWNERS, p=BEFORE)
    hours = rng.integers(10, 30, OWNERS)
    found = []
    for round in range(ROUNDS):
        moves = rng.random(OWNERS) < (0.7 if round == STEP else 0.05)
        travel = np.where(moves, rng.choice(4, OWNERS, p=BEFORE if round < STEP else AFTER), travel)
        found.append({"travel": np.array(VALUES)[travel], "hours": hours})
    return found


@pytest.fixture(scope="session")
def truth() -> list[dict[str, Any]]:
    return records()


@pytest.fixture(scope="session")
def fresh(truth: list[dict[str, Any]]) -> ReportTable:
    return simulate_rounds(plan_of("fresh"), truth, budgets="levels", seed=1)


@pytest.fixture(scope="session")
def memo(truth: list[dict[str, Any]]) -> ReportTable:
    return simulate_rounds(plan_of("memo"), truth, budgets="levels", seed=2)


def shares(record: dict[str, Any]) -> npt.NDArray[np.float64]:
    return np.array([(record["travel"] == value).mean() for value in VALUES])
