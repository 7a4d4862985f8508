import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.errors import (
    AlreadyAnswered,
    BudgetError,
    BudgetSpent,
    DiscretionError,
    RecordError,
    UnknownAttribute,
)
from discretion.plan import Plan
from discretion.report import Report, read
from tests.plans import author

RECORD = {"mode": "bike", "age": 41, "income": 31_257}


@pytest.fixture
def device(plan: Plan) -> Iterator[Device]:
    with State() as state:
        yield Device(plan, state)


def test_a_report_answers_what_the_budget_shares_and_nothing_else(
    device: Device, budget: Budget
) -> None:
    report = device.report(RECORD, budget)
    assert {name: answer.level for name, answer in report.answers.items()} == budget.levels
    assert (report.plan, report.round) == (device.plan.id, 0)
    assert read(device.plan, report.to_bytes()) == report


def test_a_record_need_not_have_what_is_not_shared(device: Device, budget: Budget) -> None:
    report = device.report({"mode": "bike", "income": 31_257, "age": None}, budget)
    assert list(report.answers) == ["mode", "income"]


def test_a_report_is_not_read_back_from_the_bytes_just_written(
    device: Device, budget: Budget, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_back: list[bytes] = []

    def reading(plan: Plan, data: bytes) -> Report:
        read_back.append(data)
        return read(plan, data)

    monkeypatch.setattr("discretion.device.device.read", reading)
    report = device.report(RECORD, budget)
    assert read_back == []
    assert device.report(RECORD, budget) == report
    assert read_back == [report.to_bytes()]


def test_asking_again_returns_the_same_bytes_at_no_cost(device: Device, budget: Budget) -> None:
    first = device.report(RECORD, budget).to_bytes()
    assert {device.report(RECORD, budget).to_bytes() for _ in range(5)} == {first}
    assert device.spent == budget.total


def test_another_spelling_of_the_same_answer_is_the_same_answer(
    device: Device, budget: Budget
) -> None:
    first = device.report({"mode": "tram", "income": 10**9}, budget)
    assert device.report({"mode": "walk", "income": np.float64("inf")}, budget) == first


@pytest.mark.parametrize("changed", [{"mode": "car"}, {"income": 31_258}])
def test_another_value_in_a_sealed_round_is_refused(
    device: Device, budget: Budget, changed: dict[str, object]
) -> None:
    first = device.report(RECORD, budget)
    with pytest.raises(AlreadyAnswered, match="round 0 is sealed with another record or budget"):
        device.report({**RECORD, **changed}, budget)
    assert device.spent == budget.total
    assert device.report(RECORD, budget) == first


def test_another_budget_in_a_sealed_round_is_refused(device: Device, budget: Budget) -> None:
    device.report(RECORD, budget)
    with pytest.raises(AlreadyAnswered):
        device.report(RECORD, Budget.of(device.plan, {"mode": 3.25, "income": 0.5}))
    with pytest.raises(AlreadyAnswered):
        device.report(RECORD, Budget.of(device.plan, {"mode": 0.5}))


def test_the_ledger_is_charged_what_each_attribute_may_reveal(
    device: Device, budget: Budget
) -> None:
    assert device.spent == 0
    device.report(RECORD, budget)
    assert device.spent == 4000
    assert [device.state.spent(name) for name in device.plan.names] == [3500, 0, 500]


def test_the_same_answer_in_a_later_round_is_repeated_and_costs_nothing(
    device: Device, budget: Budget
) -> None:
    reports = [device.report(RECORD, budget, round) for round in range(6)]
    assert len({report.answers["income"].y for report in reports}) == 1
    assert len({report.answers["mode"].y for report in reports}) == 1
    assert len({report.id for report in reports}) == 6
    assert device.spent == budget.total


def test_a_changed_answer_is_drawn_and_charged_and_the_old_one_still_known(
    device: Device, budget: Budget
) -> None:
    first = device.report(RECORD, budget, 0)
    device.report({**RECORD, "income": 50_000}, budget, 1)
    assert device.spent == 4000 + 500
    back = device.report(RECORD, budget, 2)
    assert back.answers == first.answers
    assert device.spent == 4000 + 500


def test_the_same_answer_at_another_level_is_drawn_and_charged(
    device: Device, budget: Budget
) -> None:
    device.report(RECORD, budget, 0)
    device.report(RECORD, Budget.of(device.plan, {"mode": 3.25, "income": 0.5}), 1)
    assert device.spent == 4000 + 3250


def test_a_number_that_stays_in_its_bin_is_repeated(secret_plan: Plan) -> None:
    """A changed answer would show that the value moved, and would be charged for nothing."""
    budget = Budget.of(secret_plan, {"temperature": 1.5})
    with State() as state:
        device = Device(secret_plan, state)
        first = device.report({"temperature": 0.31}, budget, 0)
        again = device.report({"temperature": 1.49}, budget, 1)
        assert again.answers == first.answers
        assert device.spent == 1500


def test_a_secret_report_does_not_reveal_the_level(secret_plan: Plan) -> None:
    record = {"mode": "bus", "temperature": 0.2}
    lengths = set()
    for epsilons in ({"mode": 3.5, "temperature": 0.5}, {"mode": 0.25, "temperature": 3.75}):
        with State() as state:
            device = Device(secret_plan, state)
            data = device.report(record, Budget.of(secret_plan, epsilons)).to_bytes()
            assert b"level" not in data
            assert device.spent == 4000
            lengths.add(len(data))
    assert len(lengths) == 1


@pytest.mark.parametrize("value", [None, float("nan"), np.float32("nan")], ids=repr)
def test_a_shared_attribute_that_the_record_lacks_is_refused(
    device: Device, budget: Budget, value: object
) -> None:
    rule = "mode: the budget shares it, so the record must have it"
    with pytest.raises(RecordError, match=rule):
        device.report({**RECORD, "mode": value}, budget)
    with pytest.raises(RecordError, match=rule):
        device.report({"income": 31_257}, budget)
    assert device.spent == 0


@pytest.mark.parametrize("round", [-1, 1 << 31])
def test_a_round_out_of_bounds_is_refused(device: Device, budget: Budget, round: int) -> None:
    with pytest.raises(RecordError, match="round: must be a whole number from 0 to 2147483647"):
        device.report(RECORD, budget, round)


@pytest.mark.parametrize("round", [-1, 1 << 31, True, 1.0, 1.5], ids=repr)
def test_a_round_that_a_report_cannot_state_charges_and_seals_nothing(
    device: Device, budget: Budget, round: int
) -> None:
    with pytest.raises(DiscretionError):
        device.report(RECORD, budget, round)
    assert device.spent == 0
    assert device.outbox() == []


def test_a_budget_for_another_plan_is_refused(device: Device) -> None:
    other = Plan.of(author(name="others"))
    with pytest.raises(BudgetError, match=f"the budget must be made for plan {device.plan.id}"):
        device.report(RECORD, Budget.of(other, {"mode": 2}))


@pytest.mark.parametrize("levels", [{"mode": 777}, {"mode": 6000}, {}])
def test_a_budget_that_no_one_checked_charges_and_seals_nothing(
    device: Device, levels: dict[str, int]
) -> None:
    """A report that the collector would refuse is not made."""
    with pytest.raises(DiscretionError):
        device.report(RECORD, Budget(device.plan.id, levels))
    assert device.spent == 0
    assert device.outbox() == []


def test_an_attribute_that_the_plan_lacks_is_refused(device: Device) -> None:
    with pytest.raises(UnknownAttribute, match="shoes"):
        device.report({**RECORD, "shoes": 43}, Budget(device.plan.id, {"shoes": 250}))


def test_the_id_is_the_start_of_the_hash_of_a_receipt_that_stays(
    device: Device, budget: Budget
) -> None:
    report = device.report(RECORD, budget)
    receipt = device.receipt()
    assert receipt is not None
    assert len(receipt) == 32
    assert report.id == hashlib.sha256(receipt).digest()[:16].hex()
    assert receipt.hex().encode() not in report.to_bytes()
    assert device.receipt(round=1) is None


def test_the_outbox_holds_what_is_not_acknowledged(device: Device, budget: Budget) -> None:
    sent = [device.report(RECORD, budget, round).to_bytes() for round in (0, 3, 1)]
    assert device.outbox() == [(0, sent[0]), (1, sent[2]), (3, sent[1])]
    device.acknowledge(1)
    device.acknowledge(1)
    assert device.outbox() == [(0, sent[0]), (3, sent[1])]
    assert device.receipt(1) is not None
    assert device.report(RECORD, budget, 1).to_bytes() == sent[2]


def test_devices_of_two_plans_on_one_state_share_the_ledger_and_nothing_else(
    plan: Plan, secret_plan: Plan, budget: Budget
) -> None:
    with State() as state:
        one, other = Device(plan, state), Device(secret_plan, state)
        one.report(RECORD, budget)
        other.report({"mode": "bike"}, Budget.of(secret_plan, {"mode": 1.75}))
        assert one.spent == other.spent == 4000 + 1750
        assert [len(device.outbox()) for device in (one, other)] == [1, 1]
        assert one.receipt() != other.receipt()


def test_two_owners_with_one_record_have_other_ids(plan: Plan, budget: Budget) -> None:
    reports: list[Report] = []
    for _ in range(2):
        with State() as state:
            reports.append(Device(plan, state).report(RECORD, budget))
    assert reports[0].id != reports[1].id


@pytest.mark.parametrize("limit, rounds", [(4, 1), (7.999, 1), (8, 2), (11, 2)])
def test_a_limit_is_never_passed(plan: Plan, budget: Budget, limit: float, rounds: int) -> None:
    with State() as state:
        device = Device(plan, state, limit=limit)
        for round, mode in enumerate(["car", "bus"][:rounds]):
            device.report({"mode": mode, "income": 100 * round}, budget, round)
        with pytest.raises(BudgetSpent) as refused:
            device.report({"mode": "walk", "income": 7}, budget, rounds)
        assert device.spent == refused.value.granted == 4000 * rounds
        assert (refused.value.charge, refused.value.limit) == (4000, limit * 1000)
        assert len(device.outbox()) == rounds


@pytest.mark.parametrize("record", [RECORD, {**RECORD, "mode": "car", "income": 0}])
def test_a_limit_is_decided_without_regard_to_the_value(
    plan: Plan, budget: Budget, record: dict[str, object]
) -> None:
    """What is in the memo would cost nothing, and is refused like what is not."""
    with State() as state:
        device = Device(plan, state, limit=7.5)
        device.report(RECORD, budget, 0)
        with pytest.raises(BudgetSpent, match=r"limit is 7\.5, .* may have cost 4, .* may cost 4"):
            device.report(record, budget, 1)


def test_how_many_rounds_a_limit_allows_does_not_reveal_whether_values_changed(
    plan: Plan, budget: Budget
) -> None:
    """Decision 6: whether a device sends never depends on the value, nor on past values."""

    def rounds(incomes: list[int]) -> int:
        with State() as state:
            device = Device(plan, state, limit=4 * 3)
            try:
                for round, income in enumerate(incomes):
                    device.report({"mode": "bike", "income": income}, budget, round)
            except BudgetSpent:
                pass
            return len(device.outbox())

    assert rounds([500] * 30) == rounds(list(range(0, 15_000, 500)))


def test_a_sealed_report_is_returned_even_when_the_limit_is_reached(
    plan: Plan, budget: Budget
) -> None:
    with State() as state:
        device = Device(plan, state, limit=4)
        first = device.report(RECORD, budget)
        assert device.report(RECORD, budget) == first


@pytest.mark.parametrize("limit", [0, -1, "8", True, 0.0001], ids=repr)
def test_a_limit_must_be_an_epsilon(plan: Plan, limit: object) -> None:
    with State() as state, pytest.raises(BudgetError):
        Device(plan, state, limit=limit)


def test_the_length_of_a_report_never_depends_on_a_value(plan: Plan) -> None:
    budget = Budget.of(plan, {"mode": 3.5, "age": 0.75, "income": 1.25})
    modes: list[object] = ["car", "bus", "train", "bike", "walk", "tram", 7, float("inf")]
    ages = [*range(14, 103), 41.5, float("inf"), float("-inf"), 1e300]
    lengths = set()
    for i, age in enumerate(ages):
        record = {"mode": modes[i % len(modes)], "age": age, "income": 2173.5 * i}
        with State() as state:
            lengths.add(len(Device(plan, state).report(record, budget).to_bytes()))
    assert len(lengths) == 1


def test_a_report_from_a_file_is_the_same_after_it_was_closed(
    plan: Plan, budget: Budget, tmp_path: Path
) -> None:
    path = tmp_path / "owner.db"
    with State(path) as state:
        device = Device(plan, state)
        first, receipt = device.report(RECORD, budget).to_bytes(), device.receipt()
    with State(path) as state:
        device = Device(plan, state)
        assert device.outbox() == [(0, first)]
        assert device.report(RECORD, budget).to_bytes() == first
        assert device.receipt() == receipt
        assert device.spent == budget.total
        later = device.report(RECORD, budget, 1)
        assert later.answers == read(plan, first).answers
        assert device.spent == budget.total


def test_a_limit_stays_with_the_state_and_cannot_be_raised(plan: Plan, budget: Budget) -> None:
    with State() as state:
        Device(plan, state, limit=7.5).report(RECORD, budget, 0)
        for device in (Device(plan, state), Device(plan, state, limit=100)):
            with pytest.raises(BudgetSpent):
                device.report(RECORD, budget, 1)
        assert state.limit() == 7500


def test_what_is_no_budget_is_refused(plan: Plan) -> None:
    with pytest.raises(BudgetError, match=r"use Budget\.of"):
        Device(plan).report(RECORD, {"mode": 1})  # type: ignore[arg-type]


def test_a_device_and_a_budget_say_what_they_are(plan: Plan, budget: Budget) -> None:
    with State() as state:
        device = Device(plan, state)
        device.report(RECORD, budget)
        assert repr(device) == "<Device of plan 'commuters': 4 spent>"
        assert repr(budget) == "<Budget mode: 3.5, income: 0.5>"
