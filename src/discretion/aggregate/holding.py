"""Reports, or their counts, with what they imply beside what they are about: ``basket:milk``."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar, cast

import numpy as np

from discretion.aggregate.aggregate import Aggregate, Strata
from discretion.errors import EstimateError
from discretion.family.counts import BitCounts, Outputs
from discretion.plan import Plan, Question
from discretion.plan.holdings import with_holdings
from discretion.schema.holding import Holding
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
