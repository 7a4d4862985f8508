"""Numbers for machines, and how many unperturbed ones a mean is worth."""

import json
from math import isnan

import numpy as np
import pytest

from discretion.numbers import cdf, mean, quantiles, variance
from discretion.numbers import sum as total
from tests.unit.numbers.crowds import crowd, numbers, plan_of, skewed


def test_a_mean_has_its_interval() -> None:
    estimate = mean(skewed("pm"), "x")
    found = json.loads(json.dumps(estimate.document(), allow_nan=False))
    assert found["mean"]["value"] == estimate.value
    assert (found["mean"]["low"], found["mean"]["high"]) == estimate.interval()
    assert found["reports"] == estimate.n
    assert found["effective_n"] == estimate.effective_n


def test_other_numbers_stand_under_their_own_names() -> None:
    assert total(skewed("pm"), "x").document()["sum"]["value"] > 1000
    found = variance(skewed("pm"), "x").document()
    assert found["variance"]["value"] > 0
    assert found["effective_n"] is None
    assert found["homogeneity_p"] > 0


def test_curves_have_a_row_a_point() -> None:
    points = cdf(skewed("pm"), "x", [2, 5]).document()
    assert [row["at"] for row in points["cdf"]] == [2, 5]
    assert list(quantiles(skewed("pm"), "x").document()["quantiles"][0]) == [
        "level",
        "value",
        "low",
        "high",
    ]


@pytest.mark.parametrize("method", ["weighted", "unweighted", "likelihood"])
def test_a_mean_is_worth_the_numbers_variance_over_its_own(method: str) -> None:
    """Fewer unperturbed numbers than reports, and about as many as the truth says."""
    x = numbers(4_000, seed=5)
    estimate = mean(skewed("pm"), "x", method)
    assert estimate.effective_n == pytest.approx(estimate.spread / estimate.stderr**2)
    assert estimate.spread == pytest.approx(x.var(), rel=0.6)
    assert 0 < estimate.effective_n < estimate.n


def test_it_is_the_same_for_owners_who_are_the_target() -> None:
    people, owners = (mean(skewed("pm"), "x", "auto", t) for t in ("population", "owners"))
    assert owners.stderr < people.stderr
    assert owners.effective_n == pytest.approx(people.effective_n)


def test_two_points_do_not_show_the_variance_hence_not_the_worth() -> None:
    estimate = mean(crowd(plan_of("duchi"), np.full(900, 4.0), seed=1), "x")
    assert isnan(estimate.effective_n)
    assert estimate.document()["effective_n"] is None
