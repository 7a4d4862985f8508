"""Crowds with numbers, unequal budgets and gaps; and evidence made by hand, of any law."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.crowd import simulate
from discretion.mechanism import Decodable
from discretion.numbers.number_evidence import LawCounts, NumberEvidence
from discretion.plan import Plan
from discretion.schema import Numeric
from discretion.table import ReportTable

Vector = npt.NDArray[np.float64]
GRID = {"kind": "numeric", "range": [0, 10], "step": 0.5}  # 21 points
FINE = {"kind": "numeric", "range": [-1, 1], "step": 0.01}
LEVELS = (0.5, 1, 3)
RANGES = [[0, 5], [2, 8]]
PERSONAL = {"average": 4, "least": 0.1, "most": 4, "step": 0.05}


def plan_of(
    mechanism: str, levels: Sequence[float] = LEVELS, grid: Any = GRID, **changes: Any
) -> Plan:
    """Return a plan that asks for the number ``x`` and the label ``z``."""
    x = {"name": "x", **grid, "mechanism": mechanism}
    z = {"name": "z", "kind": "categorical", "values": ["no", "yes"]}
    whole = {"name": "n", "attributes": [x, z], "budget": {"levels": list(levels)}}
    return Plan.of({**whole, **changes})


def numbers(n: int, seed: int) -> Vector:
    """Return skewed numbers from 0 to 10, on the grid."""
    return np.rint(20 * np.random.default_rng(seed).beta(2, 5, n)) / 2


def crowd(
    plan: Plan, x: npt.ArrayLike, seed: int, *, missing: float = 0.1, **options: Any
) -> ReportTable:
    """Return reports about these numbers; some owners lack them."""
    rng = np.random.default_rng((seed, 1))
    x = np.asarray(x, np.float64)
    z = rng.choice(["no", "yes"], len(x))
    frame = {"x": pa.array(x, mask=rng.random(len(x)) < missing), "z": z}
    return simulate(plan, frame, **{"budgets": "levels", "seed": seed, **options})


def personal(n: int, seed: int, *, low: float = 0.1, high: float = 4.0) -> Vector:
    """Return budgets spread evenly, in steps of 0.05."""
    drawn = np.random.default_rng((seed, 2)).uniform(low, high, n)
    return np.maximum(np.rint(drawn * 20) / 20, low)


@cache
def skewed(mechanism: str, n: int = 4_000) -> ReportTable:
    """Return reports at three levels about skewed numbers."""
    return crowd(plan_of(mechanism), numbers(n, seed=5), seed=5)


def by_hand(
    laws: Sequence[Decodable], outputs: Sequence[int], levels: Sequence[int] | None = None
) -> NumberEvidence:
    """Return the evidence of one report by each law, about a number on its grid."""
    parts = [
        LawCounts(law, np.bincount([y], minlength=law.n_outputs), level, 0, whole=True)
        for law, y, level in zip(laws, outputs, levels or range(1, 1 + len(laws)), strict=True)
    ]
    number = Numeric("x", 0, laws[0].size - 1, 1, 0)
    return NumberEvidence(plan_of("window"), number, tuple(parts), len(parts))
