"""Budgets of a plan with bundles: the policy sees each attribute with an equal part."""

from collections.abc import Mapping
from fractions import Fraction

import hypothesis.strategies as st
import pytest
from hypothesis import given

from discretion.budget import Average, Budget, Policy, Total
from discretion.budget.agreement import bundled, by_attribute, count, repeated
from discretion.budget.level import MOST
from discretion.budget.policy import apportion
from discretion.errors import BudgetError, UnknownAttribute
from discretion.plan import Plan
from tests.plans import AGE_GROUP, HOME, MODE, author

TOTAL = {"total": 8.0, "spread": 1.5}
LEVELS = {"levels": [0.5, 1, 2, 4]}


def plan_of(budget: Mapping[str, object], **changes: object) -> Plan:
    bundles = [["mode", "age"], ["age", "home"]]
    return Plan.of(
        author(attributes=[MODE, AGE_GROUP, HOME], bundles=bundles, budget=budget, **changes)
    )


def test_a_bundle_stands_after_the_attributes_and_counts_as_its_attributes(
    bundled_plan: Plan,
) -> None:
    budget = Budget.of(bundled_plan, {"mode+age": 5.5, "home": 0.5})
    assert list(budget.levels.items()) == [("home", 500), ("mode+age", 5500)]
    assert budget.total == 6000
    assert repr(budget) == "<Budget home: 0.5, mode+age: 5.5>"
    assert by_attribute(bundled_plan, budget.levels) == {"home": 500, "mode": 2750, "age": 2750}
    assert count(bundled_plan, budget.levels) == 3


def test_an_attribute_of_a_bundle_may_be_reported_alone(bundled_plan: Plan) -> None:
    assert Budget.of(bundled_plan, {"mode": 3.5, "age": 0.5}).total == 4000
    assert Budget.of(bundled_plan, {"mode": 1, "age+home": 5}).total == 6000


@pytest.mark.parametrize(
    "epsilons, message",
    [
        ({"mode": 1, "mode+age": 2}, "mode: must be reported alone or in one bundle, got mode and"),
        ({"mode+age": 2, "age+home": 2}, "age: must be .* one bundle, got mode.age and age.home"),
        ({"mode+age": 2.25}, r"mode\+age: level must be on the plan's menu \(0.5, 1, ..., 12\), g"),
        ({"mode+age": 4.5}, "2 shared attributes may spend at most 4 together, got 4.5"),
        ({"mode+age": 5.5, "home": 1}, "3 shared attributes may spend at most 6 together, got 6.5"),
    ],
)
def test_a_budget_that_breaks_a_rule_is_refused(
    bundled_plan: Plan, epsilons: dict[str, object], message: str
) -> None:
    with pytest.raises(BudgetError, match=message):
        Budget.of(bundled_plan, epsilons)


def test_an_attribute_twice_is_refused_by_every_constructor(bundled_plan: Plan) -> None:
    for make in (Budget.even, lambda p, n: Budget.by_sensitivity(p, dict.fromkeys(n, 1))):
        with pytest.raises(BudgetError, match="age: must be reported alone or in one bundle"):
            make(bundled_plan, ["mode+age", "age"])


def test_a_bundle_that_the_plan_lacks_is_refused(bundled_plan: Plan) -> None:
    with pytest.raises(UnknownAttribute, match=r"it has mode, age, home, mode\+age, age\+home"):
        Budget.of(bundled_plan, {"mode+home": 2})


def test_each_part_must_get_the_policys_least() -> None:
    """Of 8 with spread 1.5 each of two attributes gets 2.667 or more."""
    plan = plan_of(TOTAL)
    assert Budget.of(plan, {"mode+age": 5.5}).total == 5500
    with pytest.raises(BudgetError, match=r"each of 2 attributes must get 2.667 or more, got 2.5"):
        Budget.of(plan, {"mode+age": 5})


def test_attributes_are_counted_where_the_plan_asks_for_some() -> None:
    plan = plan_of(LEVELS, share={"least": 2})
    assert Budget.of(plan, {"mode+age": 8}).total == 8000
    with pytest.raises(BudgetError, match="at least 2 attributes must be shared, got 1"):
        Budget.of(plan, {"home": 1})


@pytest.mark.parametrize(
    "policy, names, levels",
    [
        ({"average": 2.0, "least": 0.25, "most": 6.0}, None, {"home": 2000, "mode+age": 4000}),
        (TOTAL, None, {"home": 2500, "mode+age": 5000}),
        (LEVELS, None, {"home": 1000, "mode+age": 2000}),
        (LEVELS, ["age+home"], {"age+home": 2000}),
        (TOTAL, ["mode", "age"], {"mode": 4000, "age": 4000}),
        ({"average": 16, "least": 1, "most": 20}, None, {"home": 10_000, "mode+age": 20_000}),
        ({"levels": [2, 9, 12, 13, 14]}, None, {"home": 9000, "mode+age": 18_000}),
    ],
)
def test_even_gives_each_attribute_the_same_in_bundles_that_do_not_overlap(
    policy: dict[str, object], names: list[str] | None, levels: dict[str, int]
) -> None:
    assert Budget.even(plan_of(policy), names).levels == levels


def test_a_bundles_sensitivity_is_that_of_each_of_its_attributes() -> None:
    """Weights 2/2 and 1/1 of the rest, 6 - 0.75: each target is 2 * 0.25 + 2.625 and half of that.

    Per attribute 1.5625 and 2.875: down to 1.5 and 2.75, and the 0.25 left pay for one step of
    home, whose remainder is the larger, not for two of the bundle.
    """
    plan = plan_of({"average": 2.0, "least": 0.25, "most": 6.0})
    budget = Budget.by_sensitivity(plan, {"mode+age": 2, "home": 1})
    assert budget.levels == {"home": 3000, "mode+age": 3000}
    alone = Budget.by_sensitivity(plan, {"mode": 2, "age": 2, "home": 1})
    assert abs(alone.levels["mode"] + alone.levels["age"] - 3000) <= 500


def test_sensitivities_without_an_allowance_reach_down_from_the_largest_level() -> None:
    plan = plan_of({"levels": [0.5, 1, 2, 11]})
    budget = Budget.by_sensitivity(plan, {"mode+age": 1, "home": 4})
    assert budget.levels == {"home": 2000, "mode+age": 4000}


@given(st.sets(st.sampled_from(["mode", "age", "home"])))
def test_attributes_are_bundled_in_the_plans_order_and_each_is_named_once(
    attributes: set[str],
) -> None:
    plan = plan_of(LEVELS)
    names = bundled(plan, attributes)
    assert sorted(p for name in names for p in plan.questions[name].parts) == sorted(attributes)
    assert repeated(plan, names) is None
    assert ("mode+age" in names) == ({"mode", "age"} <= attributes)
    assert ("age+home" in names) == (attributes == {"age", "home"})


POLICIES: list[Policy] = [
    Average(2000, 250, 6000, 250),
    Average(1234, 1, 20_000, 1),
    Total(8000, 1500, 250),
    Total(30_000, 20_000, 400),
]


@given(
    st.sampled_from(POLICIES),
    st.lists(
        st.tuples(st.fractions(Fraction(1, 50), 50, max_denominator=50), st.integers(1, 3)),
        min_size=1,
        max_size=5,
    ),
)
def test_apportioning_to_bundles_keeps_the_policy(
    policy: Policy, shares: list[tuple[Fraction, int]]
) -> None:
    weights, counts = zip(*shares, strict=True)
    levels = apportion(policy, weights, counts)
    whole = [v for v, count in zip(levels, counts, strict=True) for _ in range(count)]
    policy.check({f"a{i}": level for i, level in enumerate(whole)})
    assert all(v * count <= MOST for v, count in zip(levels, counts, strict=True))


@given(
    st.sampled_from(POLICIES),
    st.lists(st.fractions(Fraction(1, 50), 50, max_denominator=50), min_size=1, max_size=4),
)
def test_a_bundle_gets_what_its_attributes_would_get_to_a_step(
    policy: Policy, weights: list[Fraction]
) -> None:
    """Two attributes of equal weight, as a bundle and alone; the others are served the same."""
    together = apportion(policy, [2 * weights[0], *weights[1:]], [2, *[1] * len(weights[1:])])
    alone = apportion(policy, [weights[0], *weights], [1] * (len(weights) + 1))
    step = max(b - a for a, b in zip(policy.menu, policy.menu[1:], strict=False))
    if max(alone) * 2 <= MOST:
        assert abs(together[0] - alone[0]) <= step
        assert all(abs(v - w) <= step for v, w in zip(together[1:], alone[2:], strict=True))
