"""A device whose hash functions come with its token."""

from typing import cast

import pytest

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.errors import CredentialNeeded
from discretion.mechanism import Hashed
from discretion.mechanism.assigned import assigned
from discretion.plan import Plan
from discretion.report import Report, read
from tests.plans import assigned_commuters, hashed_commuters

PLAN = assigned_commuters()
LEVELS = {"mode": 3, "home": 1}
BUDGET = Budget.of(PLAN, LEVELS)
RECORD = {"mode": "bike", "home": "town"}


def functions(plan: Plan, report: Report) -> dict[str, int]:
    """Return the functions that a report names."""
    laws = {
        name: cast(Hashed, plan.questions[name].law(a.stratum))
        for name, a in report.answers.items()
    }
    return {
        name: int.from_bytes(answer.y, "little") // laws[name].hashing.n_buckets
        for name, answer in report.answers.items()
    }


def given(token: str) -> dict[str, int]:
    """Return the functions that come with a token."""
    laws = {
        name: cast(Hashed, PLAN.questions[name].law(level)) for name, level in BUDGET.levels.items()
    }
    return {name: assigned(law, token, PLAN.id, name).function for name, law in laws.items()}


def test_functions_are_those_of_the_token_in_all_rounds_and_for_all_answers() -> None:
    with State() as state:
        device = Device(PLAN, state, token="mine")
        first = device.report(RECORD, BUDGET, 0)
        again = device.report(RECORD, BUDGET, 1)
        other = device.report({"mode": "car", "home": "country"}, BUDGET, 2)
        for report in (first, again, other):
            assert functions(PLAN, report) == given("mine")
            assert read(PLAN, report.to_bytes()) == report
        assert again.answers == first.answers
        assert device.spent == 2 * BUDGET.total


def test_with_another_token_answers_are_drawn_and_charged_anew() -> None:
    with State() as state:
        Device(PLAN, state, token="mine").report(RECORD, BUDGET, 0)
        second = Device(PLAN, state, token="other")
        assert functions(PLAN, second.report(RECORD, BUDGET, 1)) == given("other")
        assert second.spent == 2 * BUDGET.total


def test_a_sealed_round_stays_what_it_is_whatever_the_token() -> None:
    with State() as state:
        first = Device(PLAN, state, token="mine").report(RECORD, BUDGET)
        assert Device(PLAN, state, token="other").report(RECORD, BUDGET) == first
        assert Device(PLAN, state).report(RECORD, BUDGET) == first


def test_without_a_token_nothing_is_drawn_or_charged() -> None:
    with State() as state:
        device = Device(PLAN, state)
        with pytest.raises(CredentialNeeded, match="mode: its hash function comes with a token"):
            device.report(RECORD, BUDGET)
        assert device.spent == 0
        assert device.outbox() == []


def test_where_functions_are_drawn_a_token_changes_nothing() -> None:
    plan = hashed_commuters()
    own = Budget.of(plan, LEVELS)
    seen = set()
    for _ in range(5):
        with State() as state:
            report = Device(plan, state, token="mine").report(RECORD, own)
            seen.add(functions(plan, report)["mode"])
    assert len(seen) == 5


def test_the_promise_says_that_the_token_identifies_her_report() -> None:
    promised = Device(PLAN, token="mine").promise(BUDGET)
    line = (
        "Its hash function comes with your token: whoever knows the token can identify your report."
    )
    assert promised.count(line) == 2
    plan = hashed_commuters()
    assert line not in Device(plan).promise(Budget.of(plan, LEVELS))
