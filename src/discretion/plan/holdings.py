"""Plans with what their reports imply beside what they ask: whether a set has an item."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from typing import cast

from discretion.plan.plan import Plan
from discretion.plan.question import Question, Questions
from discretion.schema.holding import Holding, Holdings


def with_holdings(plan: Plan, names: Iterable[str]) -> Plan:
    """Return a plan that has these names too, as far as they are of the form ``basket:milk``.

    Several items of one set are a bundle: one report is about all of them. The plan is one for
    analysts, with an id of its own; no device has it.
    """
    asked = {own.name: own for own in (plan.questions[name] for name in names)}.values()
    implied = sorted((q for q in asked if q.implied), key=lambda q: q.attribute.source)
    wanted = [q for _, own in groupby(implied, key=lambda q: q.attribute.source) for q in _of(own)]
    if all(dict.__contains__(plan.questions, question.name) for question in wanted):
        return plan
    own = {name: question for name, question in plan.questions.items() if not question.implied}
    return replace(plan, questions=Questions({**own, **{q.name: q for q in wanted}}))


def _of(questions: Iterable[Question]) -> list[Question]:
    """Return the questions about some items of one set, and the one about all of them."""
    items = list(questions)
    if len(items) == 1:
        return items
    holdings = Holdings.of([cast("Holding", item.attribute) for item in items])
    return [*items, replace(items[0], attribute=holdings)]
