from fractions import Fraction

import hypothesis.strategies as st
import pytest
from hypothesis import given

from discretion.budget import Average, Budget, Levels, Policy, Total
from discretion.budget.policy import apportion
from discretion.errors import BudgetError, UnknownAttribute
from discretion.plan import Plan
from tests.plans import author

TOTAL = {"total": 8.0, "spread": 1.5}
LEVELS = {"levels": [0.5, 1, 2, 4]}


def test_a_budget_stands_in_the_order_of_the_plan_and_names_it(plan: Plan) -> None:
    budget = Budget.of(plan, {"income": 0.5, "mode": 3.5})
    assert list(budget.levels.items()) == [("mode", 3500), ("income", 500)]
    assert budget.plan == plan.id
    assert budget.total == 4000


def test_a_budget_cannot_be_changed(budget: Budget) -> None:
    with pytest.raises(TypeError):
        budget.levels["mode"] = 6000  # type: ignore[index]


@pytest.mark.parametrize(
    "epsilons, rule, value",
    [
        ({}, "at least 1 attributes must be shared", "0"),
        ({"mode": 0}, "epsilon must be above zero", "0"),
        ({"mode": 1.1}, "mode: level must be on the plan's menu", "1.1"),
        ({"mode": 3.5}, "1 shared attributes may spend at most 2 together", "3.5"),
        ({"mode": 3.5, "age": 1}, "2 shared attributes may spend at most 4 together", "4.5"),
    ],
)
def test_a_budget_that_breaks_the_policy_is_refused(
    plan: Plan, epsilons: dict[str, object], rule: str, value: str
) -> None:
    with pytest.raises(BudgetError) as refused:
        Budget.of(plan, epsilons)
    assert refused.value.rule.startswith(rule)
    assert str(refused.value.value) == value


def test_an_unknown_attribute_is_refused_by_every_constructor(plan: Plan) -> None:
    message = "the plan has no attribute 'shoes'; it has mode, age, income"
    with pytest.raises(UnknownAttribute, match=message):
        Budget.of(plan, {"mode": 1, "shoes": 1})
    with pytest.raises(UnknownAttribute, match=message):
        Budget.even(plan, ["shoes"])
    with pytest.raises(UnknownAttribute, match=message):
        Budget.by_sensitivity(plan, {"shoes": 1})


def test_fewer_attributes_than_the_plan_asks_for_are_refused() -> None:
    plan = Plan.of(author(share={"least": 2}))
    with pytest.raises(BudgetError, match="at least 2 attributes must be shared, got 1"):
        Budget.of(plan, {"mode": 2})
    with pytest.raises(BudgetError, match="at least 2 attributes must be shared, got 0"):
        Budget.even(plan, [])
    assert Budget.of(plan, {"mode": 2.5, "age": 1.5}).total == 4000


@pytest.mark.parametrize(
    "policy, names, level",
    [
        (None, None, 2000),
        (TOTAL, None, 2500),
        (TOTAL, ["age"], 8000),
        (LEVELS, ["age", "mode"], 1000),
    ],
)
def test_even_gives_all_the_same(
    policy: dict[str, object] | None, names: list[str] | None, level: int
) -> None:
    plan = Plan.of(author(budget=policy) if policy else author())
    budget = Budget.even(plan, names)
    assert budget.levels == dict.fromkeys(names or plan.names, level)


def test_an_attribute_named_twice_is_shared_once() -> None:
    plan = Plan.of(author(budget=TOTAL))
    assert Budget.even(plan, ["age", "age"]) == Budget.even(plan, ["age"])


@pytest.mark.parametrize(
    "policy, sensitivities, levels",
    [
        # weights 1, 1/2, 1/4 of the rest 6000 - 750: targets 3250, 1750, 1000
        (None, {"mode": 1, "age": 2, "income": 4}, {"mode": 3250, "age": 1750, "income": 1000}),
        # targets 4000 * (1, 1/3, 1/9): to the menu 500, 1000, 2000, 4000 downwards
        (LEVELS, {"mode": 1, "age": 3, "income": 9}, {"mode": 4000, "age": 1000, "income": 500}),
        # least 2000 each, rest 8000 - 6000: targets 2000 + 2000 * (2, 2, 1) / 5, so 2750 twice and
        # 2250 would leave 250: the largest remainder (150 of income's 2400) gets it
        (TOTAL, {"mode": 1, "age": 1, "income": 2}, {"mode": 2750, "age": 2750, "income": 2500}),
    ],
)
def test_what_is_more_sensitive_gets_less_in_proportion(
    policy: dict[str, object] | None, sensitivities: dict[str, object], levels: dict[str, int]
) -> None:
    plan = Plan.of(author(budget=policy) if policy else author())
    assert Budget.by_sensitivity(plan, sensitivities).levels == levels


@pytest.mark.parametrize(
    "sensitivity, rule",
    [
        (0, "age: sensitivity must be above zero"),
        (-2, "age: sensitivity must be above zero"),
        ("high", "age: sensitivity must be a number"),
        (float("nan"), "age: sensitivity must be a number"),
    ],
)
def test_a_sensitivity_must_be_a_positive_number(
    plan: Plan, sensitivity: object, rule: str
) -> None:
    with pytest.raises(BudgetError, match=rule):
        Budget.by_sensitivity(plan, {"mode": 1, "age": sensitivity})


def test_no_sensitivities_share_nothing(plan: Plan) -> None:
    with pytest.raises(BudgetError, match="at least 1 attributes must be shared, got 0"):
        Budget.by_sensitivity(plan, {})


POLICIES: list[Policy] = [
    Average(2000, 250, 6000, 250),
    Average(1700, 300, 6100, 1000),
    Average(1234, 1, 20_000, 1),
    Total(8000, 1500, 250),
    Total(10_000, 3000, 700),
    Total(50_000, 20_000, 400),
    Levels((500, 1000, 2000, 4000)),
    Levels((123,)),
]


@given(
    st.sampled_from(POLICIES),
    st.lists(st.fractions(Fraction(1, 50), 50, max_denominator=50), min_size=1, max_size=7),
)
def test_apportioning_keeps_the_policy_and_the_order_of_the_weights(
    policy: Policy, weights: list[Fraction]
) -> None:
    levels = apportion(policy, weights, [1] * len(weights))
    policy.check({f"a{i}": level for i, level in enumerate(levels)})
    for weight, level in zip(weights, levels, strict=True):
        assert all(w <= weight or v >= level for w, v in zip(weights, levels, strict=True))


def test_apportioning_gives_each_step_that_the_allowance_can_pay(plan: Plan) -> None:
    """All of the allowance is spent where it is whole steps and nobody is at the top."""
    for sensitivity in range(1, 30):
        budget = Budget.by_sensitivity(plan, {"mode": 1, "age": 7, "income": sensitivity})
        at_top = 6000 in budget.levels.values()
        assert at_top or budget.total == 6000


def test_pldp_weighted_is_the_papers_figure() -> None:
    """3500 * (1 - 3000 / 4000) + 500 * (1 - 0 / 4000) = 875 + 500."""
    assert Budget("any", {"mode": 3500, "income": 500}).pldp_weighted == 1375


def test_pldp_weighted_of_equal_levels_is_their_sum() -> None:
    assert Budget("any", {"a": 700, "b": 700, "c": 700}).pldp_weighted == 2100
