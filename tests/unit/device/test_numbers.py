"""A device answers about numbers: in the range that its owner chose, and in bundles of them."""

from collections.abc import Iterator
from dataclasses import replace
from math import inf, nan

import pytest

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.errors import AlreadyAnswered, BudgetError, RecordError
from discretion.plan import Plan
from discretion.report import read
from tests.cases import for_each
from tests.plans import bundled_numbers, ranged_commuters

WHOLE, WIDE, NARROW = [0, 200000], [0, 100000], [20000, 60000]


@pytest.fixture
def device() -> Iterator[Device]:
    with State() as state:
        yield Device(ranged_commuters(), state)


def budget(*ends: int, epsilon: float = 2) -> Budget:
    return Budget.of(ranged_commuters(), {"income": epsilon}, {"income": ends})


def test_the_range_travels_with_the_report(device: Device) -> None:
    for round, ends in enumerate((WHOLE, WIDE, NARROW)):
        report = device.report({"income": 31_257}, budget(*ends), round)
        assert report.answers["income"].range == round
        assert read(device.plan, report.to_bytes()) == report


def test_a_report_without_a_range_is_of_all_of_it(device: Device) -> None:
    report = device.report({"income": 31_257}, Budget.of(device.plan, {"income": 2}))
    assert report.answers["income"].range == 0


def test_what_lies_outside_is_the_same_answer_as_the_nearer_end(device: Device) -> None:
    first = device.report({"income": 60_000}, budget(*NARROW))
    for value in (60_001, 10**9, inf, "1e400"):
        assert device.report({"income": value}, budget(*NARROW)) == first
    with pytest.raises(AlreadyAnswered):
        device.report({"income": 59_999}, budget(*NARROW))


@pytest.mark.parametrize("value", [inf, -inf, "Infinity", "-inf", 1e308, -(10**40)])
def test_infinities_are_clamped(device: Device, value: object) -> None:
    assert list(device.report({"income": value}, budget(*WIDE)).answers) == ["income"]


@pytest.mark.parametrize("value", [nan, None, float("-nan")])
def test_what_is_no_number_at_all_is_missing(device: Device, value: object) -> None:
    with pytest.raises(RecordError, match="income: the budget shares it, so the record must have"):
        device.report({"income": value}, budget(*WIDE))
    assert device.spent == 0


@pytest.mark.parametrize("value", ["nan", "much", "", True, [1]])
def test_what_cannot_be_read_as_a_number_is_refused(device: Device, value: object) -> None:
    with pytest.raises(RecordError, match="income: must be a number, got"):
        device.report({"income": value}, budget(*WIDE))
    assert device.spent == 0


def test_another_range_in_a_sealed_round_is_refused(device: Device) -> None:
    device.report({"income": 31_257}, budget(*WIDE))
    with pytest.raises(AlreadyAnswered):
        device.report({"income": 31_257}, budget(*NARROW))


def test_each_range_is_a_new_answer_and_is_charged(device: Device) -> None:
    device.report({"income": 31_257}, budget(*WIDE), 0)
    device.report({"income": 31_257}, budget(*NARROW), 1)
    assert device.spent == 4000
    y = device.report({"income": 31_257}, budget(*WIDE), 2).answers["income"].y
    assert device.spent == 4000
    assert y == device.report({"income": 31_257}, budget(*WIDE), 0).answers["income"].y


def test_a_range_costs_the_level_and_nothing_else(device: Device) -> None:
    device.report({"income": 31_257}, budget(*NARROW, epsilon=0.5))
    assert device.spent == device.state.granted() == device.state.spent("income") == 500


def test_the_promise_is_that_of_the_law_in_the_range(device: Device) -> None:
    """e^2 = 7.389, rounded up."""
    for ends in (WHOLE, NARROW):
        assert "income, level 2: the odds between two values grow at most 7.4 times." in (
            device.promise(budget(*ends))
        )


@for_each(
    "ends", [(0, 150000), (20000, 60001), (100000, 0), (0,), (0, 1, 2), "all", None, 5, (nan, 1)]
)
def test_a_range_off_the_menu_is_refused(ends: object) -> None:
    menu = r"\[0, 200000\], \[0, 100000\], \[20000, 60000\]"
    with pytest.raises(
        BudgetError, match=rf"income: range must be on the plan's menu \({menu}\), g"
    ):
        Budget.of(ranged_commuters(), {"income": 2}, {"income": ends})


@pytest.mark.parametrize("ranges", [{"income": 3}, {"income": -1}, {"mode": 1}, {"mode": 0}])
def test_a_range_that_no_budget_of_the_plan_has_is_refused(
    device: Device, ranges: dict[str, int]
) -> None:
    """Of a label a place would be read as a part of the level."""
    forged = replace(Budget.of(device.plan, {"mode": 1, "income": 1}), ranges=ranges)
    with pytest.raises(BudgetError, match="range must be on the plan's menu, got"):
        device.report({"mode": "car", "income": 1}, forged)
    assert device.spent == 0


# Bundles of numbers


@pytest.fixture
def numbers() -> Iterator[Device]:
    with State() as state:
        yield Device(bundled_numbers(), state)


@pytest.mark.parametrize("name, width, cells", [("a+b", 1, 9), ("a+c", 1, 4)])
def test_a_bundle_of_numbers_is_one_answer(
    numbers: Device, name: str, width: int, cells: int
) -> None:
    report = numbers.report({"a": 0.25, "b": inf, "c": -3}, Budget.of(numbers.plan, {name: 4}))
    (answer,) = report.answers.values()
    assert (answer.level, answer.range, len(answer.y)) == (4000, None, width)
    assert answer.y[0] < cells
    assert numbers.spent == 4000
    first, _, second = name.partition("+")
    assert numbers.state.spent(first) == numbers.state.spent(second) == 4000


def test_a_bundle_of_which_a_number_is_missing_is_refused(numbers: Device) -> None:
    with pytest.raises(RecordError, match="b: the budget shares it"):
        numbers.report({"a": 1, "b": nan}, Budget.of(numbers.plan, {"a+b": 4}))


def test_forty_signs_fit_into_five_bytes() -> None:
    names = [f"x{i}" for i in range(40)]
    attributes = [{"name": n, "kind": "numeric", "range": [0, 1], "step": 0.01} for n in names]
    bundle = {"attributes": names, "mechanism": "duchi"}
    plan = Plan.of(
        {
            "name": "many",
            "attributes": attributes,
            "bundles": [bundle],
            "budget": {"levels": [0.1, 0.5]},
        }
    )
    (name,) = (bundle.name for bundle in plan.bundles)
    with State() as state:
        report = Device(plan, state).report(dict.fromkeys(names, 0.3), Budget.of(plan, {name: 20}))
    assert len(report.answers[name].y) == 5
    assert read(plan, report.to_bytes()) == report
