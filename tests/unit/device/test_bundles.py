"""A device and bundles: one answer for a cell, charged whole to each of its attributes."""

from collections.abc import Iterator

import pytest

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.errors import BudgetError, BudgetSpent, DiscretionError, RecordError
from discretion.plan import Plan
from discretion.report import read
from discretion.schema import Bundle
from tests.plans import AGE_GROUP, HOME, MODE, author

RECORD = {"mode": "bike", "age": 41.5, "home": "country"}


ANEW = (
    "  Two histories that change in different rounds: no bound, "
    "since equal reports show that an answer is the same."
)


@pytest.fixture
def device(bundled_plan: Plan) -> Iterator[Device]:
    with State() as state:
        yield Device(bundled_plan, state)


@pytest.fixture
def bundle(bundled_plan: Plan) -> Budget:
    return Budget.of(bundled_plan, {"mode+age": 4.5, "home": 1})


def test_a_bundle_is_one_answer(device: Device, bundle: Budget) -> None:
    report = device.report(RECORD, bundle)
    assert {name: a.level for name, a in report.answers.items()} == {"home": 1000, "mode+age": 4500}
    assert read(device.plan, report.to_bytes()) == report


def test_at_the_largest_level_the_answer_is_the_cell() -> None:
    """At epsilon 20 another of the 15 cells is reported with probability about 3e-8."""
    budget = {"levels": [10]}
    bundles = [["mode", "age"]]
    plan = Plan.of(author(attributes=[MODE, AGE_GROUP, HOME], bundles=bundles, budget=budget))
    with State() as state:
        report = Device(plan, state).report(RECORD, Budget.of(plan, {"mode+age": 20}))
    cell = plan.questions["mode+age"].attribute
    assert isinstance(cell, Bundle)
    reported = int.from_bytes(report.answers["mode+age"].y, "little")
    assert reported == 1 << cell.cell((3, 1))
    assert cell.labels[cell.cell((3, 1))] == "bike, [30, 60)"


@pytest.mark.parametrize("part", ["mode", "age"])
def test_a_bundle_of_which_a_part_is_missing_is_refused_by_the_parts_name(
    device: Device, bundle: Budget, part: str
) -> None:
    rule = f"{part}: the budget shares it, so the record must have it"
    for record in ({**RECORD, part: None}, {k: v for k, v in RECORD.items() if k != part}):
        with pytest.raises(RecordError, match=rule):
            device.report(record, bundle)
    assert device.spent == 0
    rest = {"age": "mode", "mode": "age"}[part]
    alone = Budget.of(device.plan, {rest: 2, "home": 1})
    assert list(device.report({**RECORD, part: None}, alone).answers) == [rest, "home"]


def test_the_ledger_charges_a_bundle_once_and_whole_to_each_attribute(
    device: Device, bundle: Budget
) -> None:
    device.report(RECORD, bundle)
    assert device.spent == 5500
    spent = {name: device.state.spent(name) for name in device.plan.names}
    assert spent == {"mode": 4500, "age": 4500, "home": 1000, "mode+age": 4500, "age+home": 0}


def test_an_attribute_alone_and_later_in_bundles_adds_up(device: Device) -> None:
    budgets: list[dict[str, object]]
    budgets = [{"mode": 1.5, "age": 2}, {"mode+age": 3}, {"age+home": 2.5}]
    for round, epsilons in enumerate(budgets):
        device.report(RECORD, Budget.of(device.plan, epsilons), round)
    assert device.spent == 3500 + 3000 + 2500
    assert device.state.spent("mode") == 1500 + 3000
    assert device.state.spent("age") == 2000 + 3000 + 2500
    assert device.state.spent("home") == 2500


def test_the_same_cell_is_repeated_and_a_changed_part_charges_the_whole_bundle(
    device: Device, bundle: Budget
) -> None:
    first = device.report(RECORD, bundle, 0)
    same = device.report({**RECORD, "age": 59}, bundle, 1)  # within its bin
    assert same.answers == first.answers
    assert device.spent == 5500
    device.report({**RECORD, "age": 61}, bundle, 2)
    assert device.spent == 5500 + 4500
    assert device.state.spent("mode") == 4500 + 4500


def test_a_limit_counts_the_levels_of_bundles(bundled_plan: Plan, bundle: Budget) -> None:
    with State() as state:
        device = Device(bundled_plan, state, limit=10)
        device.report(RECORD, bundle, 0)
        with pytest.raises(BudgetSpent, match=r"limit is 10, .* cost 5\.5, .* may cost 5\.5"):
            device.report(RECORD, bundle, 1)


@pytest.mark.parametrize(
    "levels",
    [{"mode+age": 4250}, {"mode": 250, "mode+age": 500}, {"mode+age": 500, "age+home": 500}],
)
def test_a_budget_that_no_one_checked_charges_and_seals_nothing(
    device: Device, levels: dict[str, int]
) -> None:
    with pytest.raises(DiscretionError):
        device.report(RECORD, Budget(device.plan.id, levels))
    assert device.spent == 0
    assert device.outbox() == []


def test_the_promise_states_the_contract_and_what_a_bundle_leaves_of_each_attribute(
    device: Device, bundle: Budget
) -> None:
    """e^1 = 2.718..., e^4.5 = 90.01... and e^5.5 = 244.69...; bounds are rounded up."""
    assert device.promise(bundle).splitlines() == [
        "The contract is record: any two records are told apart by at most the total.",
        "home, level 1: the odds between two values grow at most 2.8 times.",
        "mode+age, level 4.5: the odds between two cells grow at most 90.1 times.",
        "  Each of mode and age alone is protected by this whole level, not by a part of it.",
        "In all, level 5.5: the odds between two records grow at most 244.7 times.",
        "Later rounds repeat what was drawn for the same answer, at no cost.",
        "  Two histories that change in the same rounds: at most what is charged for them.",
        ANEW,
    ]


def test_the_owner_of_a_plan_without_bundles_has_the_attribute_contract(
    plan: Plan, budget: Budget
) -> None:
    with State() as state:
        promised = Device(plan, state).promise(budget).splitlines()
    assert promised[0] == (
        "The contract is attribute: what differs is told apart by at most its budgets."
    )
    assert [line.partition(":")[0] for line in promised[1:4]] == [
        "mode, level 3.5",
        "income, level 0.5",
        "In all, level 4",
    ]


def test_nothing_is_promised_about_a_budget_that_would_be_refused(
    device: Device, budget: Budget
) -> None:
    with pytest.raises(BudgetError, match="must be made for plan"):
        device.promise(budget)
    with pytest.raises(BudgetError, match="level must be on the plan's menu"):
        device.promise(Budget(device.plan.id, {"mode+age": 777}))
