"""Bins of numbers that nobody named: round, resolved, and the best there are at their unit."""

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest

import discretion as ds
from discretion.joints.bins import EDGES, LEAST, SURE, _surest, resolved_edges
from discretion.numbers.distribution import density_of
from discretion.numbers.number_evidence import NumberEvidence
from discretion.plan import Plan
from tests.cases import for_each

Vector = npt.NDArray[np.float64]
OWNERS, SEED = 4_000, 5


def evidence(numbers: Vector, **grid: Any) -> NumberEvidence:
    """Return the reports of a crowd with these numbers, of which a tenth is missing."""
    asked = {"name": "x", "kind": "numeric", **grid}
    plan = Plan.of({"name": "bins", "attributes": [asked], "budget": {"levels": [0.5, 1, 4]}})
    rng = np.random.default_rng(SEED)
    records = pa.table({"x": pa.array(numbers, mask=rng.random(len(numbers)) < 0.1)})
    return NumberEvidence.of(ds.simulate(plan, records, budgets="levels", seed=SEED), "x")


@cache
def earnings() -> NumberEvidence:
    rng = np.random.default_rng(SEED)
    pay = np.exp(rng.normal(10.5, 0.7, OWNERS))
    return evidence(np.clip(pay.round(-3), 0, 300_000), range=[0, 300_000], step=1000)


@for_each("inflation", [1.0, 4.0, 20.0])
def test_bins_are_resolved_and_few_where_cells_are_many(inflation: float) -> None:
    found, density = earnings(), density_of(earnings())
    edges = resolved_edges(found, inflation)
    rows = np.diff(density.below(edges - 1), axis=0)
    errors = np.array([density.stderr(row) for row in rows])
    assert (edges[0], edges[-1]) == (0, 301)
    assert (rows @ density.value >= LEAST - 1e-9).all()
    assert len(edges) == 3 or (rows @ density.value >= SURE * np.sqrt(inflation) * errors).all()
    assert len(edges) <= len(resolved_edges(found, 1.0))


def test_all_edges_are_multiples_of_one_round_unit() -> None:
    inner = resolved_edges(earnings(), 1.0)[1:-1] * 1000
    assert any((inner % unit == 0).all() for unit in (5_000, 10_000, 20_000, 50_000))


def test_the_bin_that_is_resolved_worst_is_resolved_as_well_as_can_be() -> None:
    density = density_of(earnings())
    points = np.array([0, 20, 30, 40, 60, 80, 301])

    def sure(edges: tuple[int, ...]) -> float:
        rows = np.diff(density.below(np.array([0, *edges, 301]) - 1), axis=0)
        shares = rows @ density.value
        if (shares < LEAST).any():
            return -np.inf
        return min(s / density.stderr(row) for s, row in zip(shares, rows, strict=True))

    for bins in _surest(density, points, LEAST):
        every = combinations(points[1:-1].tolist(), len(bins.edges) - 2)
        best = max(sure(edges) for edges in every)
        assert bins.sure == pytest.approx(best) == pytest.approx(sure(tuple(bins.edges[1:-1])))


def test_a_grid_without_round_points_has_bins_too() -> None:
    rng = np.random.default_rng(SEED)
    steps = rng.integers(0, 41, OWNERS).astype(np.float64)
    edges = resolved_edges(evidence(0.37 + 0.7 * steps, range=[0.37, 28.37], step=0.7), 1.0)
    assert 4 <= len(edges) <= EDGES + 2


def test_edges_lie_where_the_people_are_however_long_the_range() -> None:
    rng = np.random.default_rng(SEED)
    numbers = np.rint(rng.exponential(8, OWNERS)) * 1000
    edges = resolved_edges(evidence(numbers, range=[0, 500_000], step=1000), 1.0)
    assert len(edges) >= 3
    assert (edges[1:-1] < 30).all()


def test_people_at_one_point_have_two_bins() -> None:
    edges = resolved_edges(evidence(np.zeros(OWNERS), range=[0, 100], step=1), 1.0)
    assert edges.tolist() == [0, 1, 101]
