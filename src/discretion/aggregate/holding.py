"""Plans, reports and counts with what they imply beside what they are about: ``basket:milk``."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import TypeVar, cast

import numpy as np

from discretion.aggregate.aggregate import Aggregate, Strata
from discretion.budget.level import range_of
from discretion.errors import EstimateError
from discretion.family import of
from discretion.family.cells import Cells
from discretion.family.counts import BitCounts, Outputs
from discretion.plan import Plan, Question
from discretion.plan.question import Questions
from discretion.schema.holding import Holding, Holdings, Mention
from discretion.table import ReportFolder, ReportTable
from discretion.table.holding import codes_of, table_with

D = TypeVar("D")
FINE = 1 << 20  # of the denominator of a probability that is estimated


def including(data: D, names: Iterable[str]) -> D:
    """Return the same data with these names too, as far as its reports imply them.

    Whatever is no reports and no counts comes back as it is.
    """
    if not isinstance(data, ReportTable | ReportFolder | Aggregate):
        return data
    plan = with_holdings(data.plan, names)
    return data if plan is data.plan else cast("D", _with(_occupied(plan, data), data))


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
    source, (codes, *more) = question.attribute.source, codes_of(question)
    if more or codes.shape[1] > 1:
        raise EstimateError(f"{question.name!r} needs the reports about {source!r}, not counts")
    found: Strata = {}
    for stratum, tally in counts.counted(source).items():
        own = cast("BitCounts", tally)
        held = int(own.counts[np.arange(len(codes)), codes[:, 0]].sum())
        found[stratum] = Outputs(own.n, np.array([own.n - held, held]))
    return found


def _occupied(plan: Plan, data: ReportTable | ReportFolder | Aggregate) -> Plan:
    """Return the plan with how often the cell of a text is held by others, as the reports say."""
    texts = {n: q for n, q in plan.questions.items() if q.implied and q.parameters.encoding}
    sources = {question.attribute.source for question in texts.values()}
    bases = {name: _bases(of(plan.questions[name]).cells(), data) for name in sources}
    for name, question in texts.items():
        base = bases[question.attribute.source]
        parts = [replace(cast("Mention", own), occupied=base) for own in question.attribute.parts]
        texts[name] = replace(question, attribute=Holdings.of(parts) if parts[1:] else parts[0])
    return replace(plan, questions=Questions({**plan.questions, **texts})) if texts else plan


def _bases(family: Cells, data: ReportTable | ReportFolder | Aggregate) -> tuple[Fraction, ...]:
    """Return the share of owners who hold the cell of a text that nobody has, for each length."""
    if isinstance(data, Aggregate):
        counts = cast("Mapping[int, BitCounts]", data.counted(family.name))
    else:
        counts = data.fold([family.name], family.count)
    found = []
    for place in family.places:
        own = {stratum: tally for stratum, tally in counts.items() if range_of(stratum) == place}
        base = family.sketch(own).base if own else 0.0
        found.append(Fraction(base).limit_denominator(FINE))
    return tuple(found)


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
