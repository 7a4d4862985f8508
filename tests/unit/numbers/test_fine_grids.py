"""Numbers on grids of up to 2^20 points: 4,096 codes, of which estimates are."""

import numpy as np
import pytest

import discretion as ds
from discretion.family.counts import Outputs
from discretion.plan import Plan
from tests.tallies import counted_as
from tests.unit.numbers.crowds import Vector

POINTS, OWNERS = 1 << 20, 4_000
MECHANISMS = ("duchi", "pm", "hm", "window", "sw", "laplace")


def incomes() -> Vector:
    drawn = np.random.default_rng(81).beta(2, 5, OWNERS)
    return (drawn * (POINTS - 1)).round()


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_means_and_quantiles_of_fine_grids(mechanism: str) -> None:
    x = {"name": "x", "kind": "numeric", "range": [0, POINTS - 1], "step": 1}
    attributes = [{**x, "mechanism": mechanism}]
    plan = Plan.of({"name": "c", "attributes": attributes, "budget": {"levels": [0.5, 2, 4]}})
    truth = incomes()
    reports = ds.simulate(plan, {"x": truth}, budgets="levels", seed=82)
    found = ds.mean(reports, "x")
    assert abs(found.value - truth.mean()) < 4 * found.stderr
    assert found.stderr < 0.02 * POINTS
    curve = ds.quantiles(reports, "x", [0.5])
    low, high = curve.interval(0.999)[0]
    width = (POINTS - 1) / 4095
    assert low - width <= np.median(truth) <= high + width
    assert counted_as(ds.Aggregate.of(reports), "x", Outputs)[500].counts.size < 10_000
