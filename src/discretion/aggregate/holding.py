"""Plans, reports and counts with what they imply beside what they are about: ``basket:milk``."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from typing import TypeVar, cast

import numpy as np

from discretion.aggregate.aggregate import Aggregate, Strata
from discretion.errors import EstimateError
from discretion.family.counts import BitCounts, Outputs
from discretion.plan import Plan, Question
from discretion.plan.question import Questions
from discretion.schema.holding import Holding, Holdings
from discretion.table import ReportFolder, ReportTable
from discretion.table.holding import table_with

D = TypeVar("D")


def including(data: D, names: Iterable[str]) -> D:
    """Return the same data with these names too, as far as its reports imply them.

    Whatever is no reports and no counts comes back as it is.
    """
    if not isinstance(data, ReportTable | ReportFolder | Aggregate):
        return data
    plan = with_holdings(data.plan, names)
    return data if plan is data.plan else cast("D", _with(plan, data))


def _with(plan: Plan, data: ReportTable | ReportFolder | Aggregate) -> object:
    if isinstance(data, ReportTable):
        return table_with(plan, data)
    if isinstance(data, ReportFolder):
        return replace(data, plan=plan)
    implied = [question for question in plan.questions.values() if question.implied]
    tallies = data.tallies | {question.name: _counted(question, data) for question in implied}
    return Aggregate(plan, data.round, data.reports, tallies)


def _counted(question: Question, counts: Aggregate) -> Strata:
    """Return how often an item was reported; more than that is not in the counts."""
    source, holding = question.attribute.source, cast("Holding", question.attribute.parts[0])
    if len(question.parts) > 1 or len(holding.bits) > 1:
        raise EstimateError(f"{question.name!r} needs the reports about {source!r}, not counts")
    found: Strata = {}
    for stratum, tally in counts.counted(source).items():
        own = cast("BitCounts", tally)
        held = int(own.counts[0, holding.place])
        found[stratum] = Outputs(own.n, np.array([own.n - held, held]))
    return found


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
