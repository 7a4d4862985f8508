"""Honest numbers are not suspected; liars at an end of the range are."""

import numpy as np
import pytest
from scipy.stats import binom

from discretion.aggregate import Aggregate
from discretion.numbers import mean
from discretion.numbers.number_evidence import NumberEvidence
from discretion.plan import Family
from discretion.robustness.number_screening import UNDECODED, outputs_pvalue, screen
from discretion.robustness.testing import ALPHA
from tests.builders import answered, disclosed, table_of
from tests.significance import ALPHA as SURE
from tests.unit.numbers.crowds import RANGES, crowd, numbers, plan_of, skewed

DECODED = ["duchi", "pm", "sw", "hm"]
CROWDS = 100


@pytest.mark.parametrize("crowds", [40, pytest.param(CROWDS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("mechanism", DECODED)
def test_honest_numbers_are_seldom_suspected(mechanism: str, crowds: int) -> None:
    plan = plan_of(mechanism)
    alarms = sum(
        bool(screen(crowd(plan, numbers(500, seed), seed), "x").suspicious)
        for seed in range(crowds)
    )
    assert alarms <= binom.isf(SURE, crowds, ALPHA)


@pytest.mark.parametrize("mechanism", DECODED)
def test_one_liar_of_twenty_at_the_top_is_noticed(mechanism: str) -> None:
    plan, x = plan_of(mechanism, levels=(0.5, 2, 2.5, 3)), numbers(7_600, seed=1)
    law = plan.questions["x"].law(3000, Family.NUMBERS)
    lies = table_of(plan, [{"x": (3000, law.n_outputs - 1)}] * 400)
    found = screen(Aggregate.of(crowd(plan, x, seed=1)).merge(Aggregate.of(lies)), "x")
    (group,) = found.suspicious
    assert group.level == 3000
    assert group.agreement is not None
    assert group.agreement < 1e-4
    assert found.without is not None
    assert abs(found.without[0] - x.mean()) < abs(found.value[0] - x.mean())
    assert group.ones is None


def test_an_output_that_no_number_makes_so_frequent_is_out_of_bounds() -> None:
    """By laplace nothing is decoded, and bounds are all there is."""
    plan = plan_of("laplace", levels=(0.5, 1, 3))
    whole = Aggregate.of(crowd(plan, numbers(900, seed=2), seed=2))
    lies = Aggregate.of(table_of(plan, [{"x": (500, 10)}] * 300))
    honest, found = screen(whole, "x"), screen(whole.merge(lies), "x")
    assert not honest.suspicious
    assert honest.note == UNDECODED
    assert [group.level for group in found.suspicious] == [500]
    assert all(group.agreement is None for group in found.groups)
    assert found.without is not None


def test_the_estimate_is_the_mean_and_its_error() -> None:
    found, estimate = screen(skewed("pm"), "x"), mean(skewed("pm"), "x")
    assert found.value[0] == pytest.approx(estimate.value)
    assert found.stderr[0] == pytest.approx(estimate.stderr)
    assert found.what == ("mean",)
    assert [group.level for group in found.groups] == [500, 1000, 3000]


def test_ranges_are_groups_of_their_own() -> None:
    grid = {"kind": "numeric", "range": [0, 10], "step": 0.5, "ranges": RANGES}
    found = screen(crowd(plan_of("pm", grid=grid), numbers(600, 1), 1, ranges="menu"), "x")
    assert {group.part for group in found.groups} == {"", "0 to 5", "2 to 8"}
    assert not found.suspicious
    assert found.note == UNDECODED


def test_bounds_hold_for_any_numbers_also_the_most_extreme() -> None:
    for seed, x in enumerate((np.zeros(2_000), np.full(2_000, 10.0), np.full(2_000, 5.0))):
        for mechanism in (*DECODED, "laplace"):
            plan = plan_of(mechanism)
            found = screen(crowd(plan, x, seed), "x")
            assert all(group.outputs > 1e-4 for group in found.groups if group.outputs is not None)


def test_labels_are_handed_down() -> None:
    found = screen(answered(disclosed("oue", 3), np.arange(300) % 3, seed=1), "x")
    assert found.what == ("0", "1", "2")


def test_an_output_pvalue_is_one_for_what_is_to_be_expected() -> None:
    for part in NumberEvidence.of(skewed("sw"), "x").parts:
        assert outputs_pvalue(part) > 0.01
