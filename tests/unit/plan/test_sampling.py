"""How many of its questions a plan lets a device draw, and which number is the best."""

from typing import Any

import pytest

from discretion.budget import Total
from discretion.errors import BudgetError, PlanError
from discretion.mechanism import MECHANISMS, number_law
from discretion.plan import Plan
from tests.cases import for_each
from tests.plans import AGE_GROUP, HOME, INCOME, MODE, NUMBERS, author

UNIT = {"kind": "numeric", "range": [-1, 1], "step": 0.01}  # 201 points


def of_numbers(count: int, total: float, mechanism: str, **changes: Any) -> Plan:
    """Return a plan for so many numbers, of which the best number is drawn."""
    attributes = [{**UNIT, "name": f"x{i}", "mechanism": mechanism} for i in range(count)]
    budget = {"total": total, "spread": 1.01, "step": 0.001}
    return Plan.of(author(attributes=attributes, budget=budget, share={"sample": "auto"}) | changes)


def costs(mechanism: str, total: float, count: int, square: float = 1 / 3) -> dict[int, float]:
    """Return u (V(u) + s) / total for u = total / k: the variance from numbers spread evenly."""
    found = {}
    for k in range(1, count + 1):
        law = number_law(mechanism, 201, int(total * 1000) // k)
        noise = sum(law.variance(code) for code in range(201)) / 201 / 100**2
        found[k] = (float(noise) + square) / k
    return found


@pytest.mark.parametrize("total, best, floor", [(6, 2, 1), (10, 3, 2)])
def test_the_floor_of_the_best_number_is_not_the_best(total: int, best: int, floor: int) -> None:
    """PMPM draws floor(0.28 total): 0.372 against 0.3175 at 6, and 0.202 against 0.187 at 10."""
    found = costs("pm", total, 10)
    assert int(0.28 * total) == floor == best - 1
    assert min(found, key=found.__getitem__) == best
    assert of_numbers(10, total, "pm").sample == best


def test_the_costs_are_those_that_were_measured() -> None:
    six, ten = costs("pm", 6, 3), costs("pm", 10, 3)
    measured = {1: 0.372, 2: 0.3175}
    assert {k: six[k] for k in measured} == pytest.approx(measured, rel=0.005)
    assert {k: ten[k] for k in (2, 3)} == pytest.approx({2: 0.202, 3: 0.187}, rel=0.005)


@for_each("total", [1, 2, 3.5, 5, 6, 8, 10, 14, 20])
@for_each("mechanism", ["duchi", "pm", "hm", "window"])
def test_auto_is_the_best_by_brute_force(mechanism: str, total: float) -> None:
    found = costs(mechanism, total, 6)
    assert of_numbers(6, total, mechanism).sample == min(found, key=found.__getitem__)


@pytest.mark.parametrize(
    "mechanism, per", [("pm", 3.565), ("hm", 3.96), ("duchi", 2.177)], ids=["pm", "hm", "duchi"]
)
def test_a_large_total_is_spent_in_parts_of_the_best_size(mechanism: str, per: float) -> None:
    sample = of_numbers(12, 20, mechanism).sample
    assert sample is not None
    assert abs(20 / per - sample) < 1


@pytest.mark.parametrize("size, per", [(2, 2.18), (5, 3.47), (10, 4.38), (50, 6.37)])
def test_labels_have_a_best_size_too(size: int, per: float) -> None:
    values = [str(i) for i in range(size)]
    attributes = [{**MODE, "name": f"x{i}", "values": values} for i in range(12)]
    budget = {"total": 20, "spread": 1.01, "step": 0.001}
    plan = Plan.of(author(attributes=attributes, budget=budget, share={"sample": "auto"}))
    assert plan.sample is not None
    assert abs(20 / per - plan.sample) < 1


def test_all_are_drawn_where_each_may_spend_the_same_anyway() -> None:
    """An average gives each attribute as much whatever their number, and more of them tell more."""
    plan = Plan.of(author(share={"sample": "auto"}))
    assert plan.sample == 3


def test_what_the_policy_forbids_is_not_drawn() -> None:
    """Of 10 with spread 1 three cannot have equal parts on the menu, so none may have four."""
    attributes = [{**UNIT, "name": f"x{i}", "mechanism": "pm"} for i in range(10)]
    budget = {"total": 10, "spread": 1}
    plan = Plan.of(author(attributes=attributes, budget=budget, share={"sample": "auto"}))
    assert plan.sample == 2
    with pytest.raises(BudgetError):
        plan.policy.even(3)
    assert plan.policy.even(4) == 2500


def test_auto_is_resolved_when_the_plan_is_made() -> None:
    plan = of_numbers(10, 10, "pm")
    assert plan.document["share"] == {"sample": 3}
    assert b"auto" not in plan.to_bytes()
    assert Plan.from_bytes(plan.to_bytes()) == plan
    assert isinstance(plan.policy, Total)


def test_an_optimal_mechanism_is_taken_for_a_window() -> None:
    plans = [
        Plan.of(
            author(
                attributes=[{**UNIT, "name": f"x{i}", "mechanism": mechanism} for i in range(4)],
                budget={"total": 6, "spread": 1.5, "step": 0.5},
                share={"sample": "auto"},
            )
        )
        for mechanism in ("optimal", "window")
    ]
    assert plans[0].sample == plans[1].sample


def test_questions_are_the_bundles_and_what_is_in_none() -> None:
    plan = Plan.of(
        author(
            attributes=[MODE, AGE_GROUP, HOME, INCOME, *NUMBERS],
            bundles=[["home", "mode"], {"attributes": ["a", "c"]}],
            share={"sample": 2},
        )
    )
    names = (("age", 1), ("income", 1), ("b", 1), ("home+mode", 2), ("a+c", 2))
    assert plan.share.questions == names
    assert list(plan.share.counts) == [1, 2, 3, 4]
    assert plan.share_least == 1


def test_a_number_of_answers_beyond_what_the_policy_allows_is_refused() -> None:
    with pytest.raises(PlanError, match="leaves no level that 3 attributes can have"):
        Plan.of(author(budget={"total": 10, "spread": 1}, share={"sample": 3}))


def test_every_label_mechanism_can_be_drawn() -> None:
    for mechanism in MECHANISMS:
        attributes = [{**MODE, "name": f"x{i}", "mechanism": mechanism} for i in range(6)]
        budget = {"total": 4, "spread": 1.5}
        plan = Plan.of(author(attributes=attributes, budget=budget, share={"sample": "auto"}))
        assert plan.sample in (1, 2), mechanism
