"""What answers by variants cost: the largest ratio of their law, and nothing covers open ones."""

import re
from fractions import Fraction
from typing import Any

import pytest

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.device.promise import total_cost
from discretion.errors import BudgetSpent, OpenAnswer, UnknownAttribute
from discretion.plan import Plan
from tests.cases import for_each
from tests.contract.exponential import exp_lower, exp_upper
from tests.plans import HOME, MODE, author

FAR = {"metric": {"places": {"x": 0, "y": 999}}}
SHARES = {"idldp": {"shares": {"x": 0.5}}}
OPEN = {"uldp": {"sensitive": ["y"]}}
GRR = "grr"


def plan_of(*mechanisms: Any, levels: tuple[float, ...] = (1, 2)) -> Plan:
    """Return a plan with the attributes q0, q1, ... of the values x and y."""
    common = {"kind": "categorical", "values": ["x", "y"]}
    attributes = [{"name": f"q{i}", **common, "mechanism": m} for i, m in enumerate(mechanisms)]
    return Plan.of({"name": "t", "attributes": attributes, "budget": {"levels": list(levels)}})


def budget_of(plan: Plan, level: float = 1) -> Budget:
    return Budget.of(plan, dict.fromkeys(plan.attributes, level))


@for_each("mechanism", [FAR, SHARES, OPEN, {"metric": {"scale": 3}}])
@for_each("level", [1000, 2000])
def test_a_variant_costs_the_largest_ratio_of_outputs_that_all_values_give(
    mechanism: Any, level: int
) -> None:
    plan = plan_of(mechanism)
    law = plan.questions["q0"].law(level)
    probabilities = [[law.probability(y, code) for code in range(2)] for y in law.outputs()]
    ratio = max(max(row) / min(row) for row in probabilities if min(row) > 0)
    found = plan.questions["q0"].cost(level)
    assert exp_upper(Fraction(found - 1, 1000)) < ratio <= exp_lower(Fraction(found, 1000))


def test_an_ordinary_answer_costs_its_level() -> None:
    plan = plan_of(GRR)
    assert (plan.questions["q0"].cost(1000), plan.questions["q0"].cost(2000)) == (1000, 2000)


def test_the_ledger_and_the_outbox_have_the_cost_of_a_variant() -> None:
    plan = plan_of(FAR, GRR)
    own = plan.questions["q0"].cost(1000)
    assert own == 17_893
    with State() as state:
        device = Device(plan, state)
        device.report({"q0": "x", "q1": "y"}, budget_of(plan))
        assert device.spent == state.granted() == own + 1000
        assert (state.spent("q0"), state.spent("q1")) == (own, 1000)
        device.report({"q0": "x", "q1": "y"}, budget_of(plan), 1)
        assert (device.spent, state.granted()) == (own + 1000, 2 * (own + 1000))


@pytest.mark.parametrize("limit, allowed", [(17.892, False), (17.893, True)])
def test_a_limit_is_compared_with_costs(limit: float, allowed: bool) -> None:
    plan = plan_of(FAR)
    with State() as state:
        device = Device(plan, state, limit=limit)
        if allowed:
            device.report({"q0": "x"}, budget_of(plan))
            assert device.left == 0
            return
        with pytest.raises(BudgetSpent, match=re.escape("this one may cost 17.893")):
            device.report({"q0": "x"}, budget_of(plan))
        assert (device.spent, device.outbox(), device.left) == (0, [], 17_892)


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "default"])
def test_open_answers_are_refused_under_any_limit_unless_they_are_allowed_by_name(
    kept: bool,
) -> None:
    plan = plan_of(GRR, OPEN)
    given = {"limit": 100} if kept else {"default_limit": 100}
    record, budget = {"q0": "x", "q1": "x"}, budget_of(plan)
    with State() as state:
        for allow in ((), ("q0",)):
            device = Device(plan, state, allow_open=allow, **given)  # type: ignore[arg-type]
            with pytest.raises(OpenAnswer, match=r"^q1: .*--allow-open q1\)$") as refused:
                device.report(record, budget)
            assert refused.value.attribute == "q1"
            with pytest.raises(OpenAnswer):
                device.admit(budget)
        assert (state.spent(), state.sealed(plan.id, 0)) == (0, None)
        allowed = Device(plan, state, allow_open="q1", **given)  # type: ignore[arg-type]
        allowed.report(record, budget)
        assert state.spent() == total_cost(plan, budget) == 2000


def test_open_answers_need_no_leave_where_there_is_no_limit() -> None:
    plan = plan_of(OPEN)
    with State() as state:
        Device(plan, state).report({"q0": "x"}, budget_of(plan))
        assert state.spent() == 1000


def test_only_a_name_of_the_plan_can_be_allowed() -> None:
    with State() as state, pytest.raises(UnknownAttribute):
        Device(plan_of(OPEN), state, allow_open=("q7",))


def test_a_default_limit_holds_until_one_is_kept_and_is_not_kept_itself() -> None:
    plan = plan_of(GRR)
    with State() as state:
        device = Device(plan, state, default_limit=1)
        device.report({"q0": "x"}, budget_of(plan))
        assert (device.limit, device.left, state.limit()) == (1000, 0, None)
        with pytest.raises(BudgetSpent):
            device.report({"q0": "x"}, budget_of(plan), 1)
        with pytest.raises(BudgetSpent):
            device.admit(budget_of(plan))
        higher = Device(plan, state, 3, default_limit=1)
        higher.report({"q0": "x"}, budget_of(plan), 1)
        assert (higher.limit, higher.left, state.limit()) == (3000, 1000, 3000)
        assert Device(plan, state, 5, default_limit=1).limit == 3000


@pytest.mark.parametrize(
    "mechanisms, contract, whole",
    [
        ((GRR,), "attribute: what differs is told apart by at most its budgets.", "level 1: "),
        ((FAR, GRR), "attribute, except for q0: a variant, with the bound below.", "level 18.893"),
        (
            (FAR, GRR, OPEN, SHARES),
            "attribute, except for q0, q2 and q3: variants, each with the bound below.",
            "apart from open answers to q2, which have no bound.",
        ),
    ],
)
def test_the_promise_says_for_which_questions_the_contract_does_not_hold(
    mechanisms: tuple[Any, ...], contract: str, whole: str
) -> None:
    plan = plan_of(*mechanisms)
    with State() as state:
        lines = Device(plan, state).promise(budget_of(plan)).splitlines()
    assert lines[0] == f"The contract is {contract}"
    assert whole in lines[-4]


def test_a_plan_with_bundles_and_a_variant_promises_no_total_for_any_two_records() -> None:
    party = {"name": "party", "kind": "categorical", "values": ["x", "y"], "mechanism": FAR}
    rest = {"name": "other", "kind": "categorical", "values": ["x", "y"]}
    plan = Plan.of(
        author(
            attributes=[MODE, HOME, rest, party],
            bundles=[["mode", "home"]],
            budget={"levels": [1, 2]},
        )
    )
    with State() as state:
        device = Device(plan, state)
        said = device.promise(Budget.of(plan, {"mode+home": 2, "party": 1})).splitlines()
        plain = device.promise(Budget.of(plan, {"mode+home": 2, "other": 1})).splitlines()
    expected = "The contract is record, except for party: a variant, with the bound below."
    assert said[0] == expected
    assert plain[0].startswith("The contract is record: any two records")
    assert said[-4].startswith("In all, level 19.893: ")
