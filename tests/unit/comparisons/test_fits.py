"""Frequencies tested against stated shares."""

from typing import Any

import numpy as np
import pytest

import discretion as ds
from discretion.aggregate import Aggregate
from discretion.errors import EstimateError
from tests.builders import answered, disclosed
from tests.cases import for_each

SHARES = {"0": 0.5, "1": 0.3, "2": 0.2}


def reports(n: int, seed: int) -> Any:
    codes = np.random.default_rng(seed).choice(3, n, p=[*SHARES.values()])
    return answered(disclosed("subset", 3), codes, seed)


def test_true_shares_fit_and_others_do_not() -> None:
    table = reports(20_000, 1)
    assert ds.fits(table, "x", SHARES).pvalue > 0.001
    assert ds.fits(table, "x", [0.3, 0.4, 0.3]).pvalue < 1e-6
    assert (
        ds.fits(Aggregate.of(table), "x", SHARES).document()
        == ds.fits(table, "x", [0.5, 0.3, 0.2]).document()
    )


def test_the_statistic_is_that_of_pearson_where_hardly_anything_is_perturbed() -> None:
    codes = np.random.default_rng(2).choice(3, 700, p=[0.4, 0.4, 0.2])
    table = answered(disclosed("grr", 3, (20.0,)), codes, 2, missing=0)
    expected = 700 * np.array([*SHARES.values()])
    pearson = ((np.bincount(codes, minlength=3) - expected) ** 2 / expected).sum()
    assert ds.fits(table, "x", SHARES).test.statistic == pytest.approx(pearson, rel=1e-6)


def test_rounded_shares_are_taken_in_proportion() -> None:
    found = ds.fits(reports(500, 3), "x", [0.3334, 0.3333, 0.3332])
    assert found.second.sum() == pytest.approx(1, abs=1e-12)
    assert found.sides == ("estimate", "stated")


@for_each(
    "shares, message",
    [
        ({"0": 0.5, "1": 0.5}, "each value of 'x' once, which fails for '2'"),
        ({**SHARES, "3": 0.0}, "fails for '3'"),
        ([0.5, 0.5], "one number for each of the 3 values"),
        ([0.5, 0.5, 0.5], "sum of 1.5"),
        ([1.2, -0.2, 0.0], "0 or more"),
        ([float("nan"), 0.5, 0.5], "sum of nan"),
        ("abc", "must be numbers"),
        (None, "one number for each"),
    ],
)
def test_other_shares_are_refused(shares: Any, message: str) -> None:
    with pytest.raises(EstimateError, match=message):
        ds.fits(reports(50, 4), "x", shares)


def test_a_number_has_no_shares() -> None:
    number = {"name": "km", "kind": "numeric", "range": [0, 50], "step": 1}
    plan = ds.Plan.of({"name": "p", "attributes": [number], "budget": {"levels": [1]}})
    table = ds.simulate(plan, {"km": [1, 2, 3]}, seed=5)
    with pytest.raises(ds.DiscretionError, match="km"):
        ds.fits(table, "km", [1.0])
