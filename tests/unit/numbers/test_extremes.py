"""The ends of a distribution: which quantile reports resolve, and what a paper printed instead."""

from math import nan, sqrt, tanh
from typing import Any

import numpy as np
import pytest

import discretion as ds
from discretion.errors import EstimateError
from discretion.numbers.distribution import density_of
from discretion.numbers.extremes import resolved_level
from discretion.numbers.number_evidence import NumberEvidence
from tests.unit.numbers.crowds import GRID, crowd, numbers, plan_of, skewed

ENDS: Any = (ds.minimum, ds.maximum)


def test_the_level_is_three_standard_errors_of_the_best_mechanism_or_of_this_one() -> None:
    reports = skewed("sw")
    levels = [v for v in reports.data["x.level"].to_pylist() if v is not None]
    information = sum(tanh(level / 2000) ** 2 for level in levels)
    least = 3 / (2 * sqrt(information))
    evidence = NumberEvidence.of(reports, "x")
    assert resolved_level(evidence) == pytest.approx(least)
    density = density_of(evidence)
    for extreme in ENDS:
        found = extreme(reports, "x")
        level = min(found.level, 1 - found.level)
        assert least <= level * (1 + 1e-9) < 0.5
        at = density.quantile([found.level])
        assert level >= 3 * density.cdf_stderr(at)[0]


def test_more_reports_resolve_a_lower_quantile() -> None:
    few, many = (ds.minimum(skewed("sw", n), "x") for n in (1_000, 40_000))
    assert many.level < few.level / 3
    assert many.value <= few.value


def test_extremes_are_quantiles_with_a_bound_on_their_far_side() -> None:
    reports = skewed("sw", 40_000)
    x = numbers(40_000, seed=5)
    low, high = ds.minimum(reports, "x"), ds.maximum(reports, "x")
    levels = [low.level, high.level]
    np.testing.assert_array_equal(ds.quantiles(reports, "x", levels).value, [low.value, high.value])
    truth = np.quantile(x, levels, method="inverted_cdf")
    assert low.limit(0.9999) <= truth[0]
    assert truth[1] <= high.limit(0.9999)
    assert 0 <= low.limit(0.99) <= low.limit(0.6) <= low.value < high.value
    assert high.value <= high.limit(0.6) <= high.limit(0.99) <= 10


def test_a_bound_to_one_side_is_the_end_of_the_bin_in_which_the_interval_to_two_ends() -> None:
    reports = skewed("sw")
    low, high = ds.minimum(reports, "x"), ds.maximum(reports, "x")
    both = ds.quantiles(reports, "x", [low.level, high.level]).interval(0.9)
    edges = density_of(NumberEvidence.of(reports, "x")).edges / 2
    assert low.limit(0.95) == edges[edges <= both[0, 0]].max()
    assert high.limit(0.95) == edges[edges > both[1, 1]].min() - 0.5


@pytest.mark.parametrize("confidence", [0.0, 0.3, 1.0, -1.0, nan])
def test_a_bound_needs_a_confidence_of_a_half_or_more(confidence: float) -> None:
    found = ds.minimum(skewed("sw"), "x")
    with pytest.raises(EstimateError, match="confidence of a bound to one side must be"):
        found.limit(confidence)


@pytest.mark.parametrize("extreme, what", [(ds.minimum, "minimum"), (ds.maximum, "maximum")])
def test_few_reports_resolve_no_extreme(extreme: Any, what: str) -> None:
    reports = crowd(plan_of("sw"), numbers(12, 1), seed=1, missing=0.0)
    with pytest.raises(EstimateError, match=f"12 reports about 'x' .*: a {what} needs more"):
        extreme(reports, "x")


@pytest.mark.parametrize("extreme", ENDS)
def test_other_methods_are_refused(extreme: Any) -> None:
    with pytest.raises(EstimateError, match="method must be one of quantile, pena, got 'mle'"):
        extreme(skewed("sw"), "x", method="mle")
    with pytest.raises(EstimateError, match="method='pena' needs reports by duchi"):
        extreme(skewed("sw"), "x", method="pena")


def test_what_pena_calls_a_minimum_depends_on_the_budgets_alone() -> None:
    """At epsilon 0.5 the responses are +-coth(0.25) times the range, whatever the numbers are."""
    plan = plan_of("duchi")
    for x in (np.full(500, 0.0), np.full(500, 10.0)):
        reports = crowd(plan, x, seed=1)
        low, high = (extreme(reports, "x", method="pena") for extreme in ENDS)
        assert low.value == pytest.approx(-10 / tanh(0.25))
        assert high.value == pytest.approx(10 / tanh(0.25))
        assert (low.level, high.level) == (0, 1)
        assert np.isnan(low.limit())
        assert str(low).startswith("minimum of x: -40.83 by PENA's formula, the smallest of ")
        assert "the largest of" in str(high)
        assert "nan" not in str(low) + str(high)


def test_pena_scales_each_response_by_its_owners_range() -> None:
    plan = plan_of("duchi", (0.5,), grid={**GRID, "ranges": [[2, 4]]})
    reports = crowd(plan, numbers(400, 1), seed=1, ranges={"x": np.full(400, 1)})
    assert ds.minimum(reports, "x", method="pena").value == pytest.approx(-2 / tanh(0.25))


def test_it_is_said_in_words() -> None:
    reports = skewed("sw")
    low, high = str(ds.minimum(reports, "x")), str(ds.maximum(reports, "x"))
    n = f"{NumberEvidence.of(reports, 'x').n:,}"
    assert f"is the lowest quantile that {n} reports resolve (8.1 % of people are below)" in low
    assert "it is at least 0.5 with 95 % confidence" in low
    assert low.endswith("The minimum itself leaves no trace in private reports.")
    assert f"is the highest quantile that {n} reports resolve (" in high
    assert " % of people are above); it is at most " in high
