"""A plan that words another anew goes on with its answers only if the owner says so."""

from typing import Any

import pytest

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.errors import AlreadyAnswered, BudgetError
from discretion.plan import Plan
from tests.plans import AGE, MODE, author

RECORD = {"mode": "bus", "age": 33}
TEXT = {"name": "word", "kind": "text", "mechanism": {"cms": {"cells": 16, "cohorts": 8}}}


def titled(title: str, replaces: str | None = None, **changed: Any) -> Plan:
    worded = {"title": title, "attributes": [MODE, AGE], **changed}
    return Plan.of(author(**worded, **({"replaces": replaces} if replaces else {})))


FIRST = titled("Ways")
SECOND = titled("Ways and means", FIRST.id)
THIRD = titled("Means", SECOND.id)


def answer(plan: Plan, state: State, round: int) -> dict[str, bytes]:
    report = Device(plan, state).report(RECORD, Budget.even(plan), round)
    return {name: answer.y for name, answer in report.answers.items()}


def test_with_a_yes_answers_are_repeated_at_no_cost_and_rounds_stay_answered() -> None:
    with State() as state:
        assert Device(SECOND, state).predecessor is None
        sent = answer(FIRST, state, 1)
        cost = state.spent()
        assert Device(SECOND, state).predecessor == FIRST
        Device(SECOND, state).adopt()
        assert answer(SECOND, state, 2) == sent
        with pytest.raises(AlreadyAnswered):
            answer(SECOND, state, 1)
        Device(THIRD, state).adopt()
        assert answer(THIRD, state, 3) == sent
        for round in (1, 2):
            with pytest.raises(AlreadyAnswered):
                answer(THIRD, state, round)
        assert state.spent() == cost


def test_without_it_everything_is_drawn_and_charged_anew() -> None:
    with State() as state:
        answer(FIRST, state, 1)
        cost = state.spent()
        answer(SECOND, state, 1)
        assert state.spent() == 2 * cost
        with pytest.raises(BudgetError, match="must word one anew"):
            Device(SECOND, state).adopt()


def test_only_a_plan_that_is_replaced_was_answered_and_has_the_same_law_is_gone_on_with() -> None:
    with State() as state:
        answer(FIRST, state, 1)
        changed = titled("Ways", FIRST.id, budget={"levels": [1]})
        for plan in (THIRD, titled("Ways", "0" * 64), changed, FIRST):
            assert Device(plan, state).predecessor is None
            with pytest.raises(BudgetError, match="must word one anew"):
                Device(plan, state).adopt()


def test_what_was_drawn_for_a_plan_holds_for_its_successor() -> None:
    sampled: dict[str, Any] = {"attributes": [MODE, AGE, TEXT], "share": {"sample": 1}}
    first = titled("Ways", **sampled)
    second = titled("Means", first.id, **sampled)
    weights = dict.fromkeys(("mode", "age", "word"), 1)
    for _ in range(8):
        with State() as state:
            budget = Device(first, state).sample(weights)
            Device(first, state).report({**RECORD, "word": "a"}, budget, 1)
            Device(second, state).adopt()
            assert Device(second, state).sample(weights).levels == budget.levels
            cohort = state.cohort(first.id)
            Device(second, state).report(
                {**RECORD, "word": "b"}, Device(second, state).sample(weights), 2
            )
            assert state.cohort(first.id) == cohort
            assert state.cohort(second.id) is None


def test_a_function_that_comes_with_the_credential_stays() -> None:
    hashed: dict[str, Any] = {
        "attributes": [{**MODE, "mechanism": {"olh": {"function": "assigned"}}}]
    }
    first = titled("Ways", **hashed)
    second = titled("Means", first.id, **hashed)
    with State() as state:
        sent = Device(first, state, token="abc").report(RECORD, Budget.even(first), 1)
        Device(second, state, token="abc").adopt()
        again = Device(second, state, token="abc").report(RECORD, Budget.even(second), 2)
        assert again.answers == sent.answers
