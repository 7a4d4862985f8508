"""Reports of running devices: new ones for each, as owners with one record would send them."""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence

from discretion.auditing.outputs import Output
from discretion.auditing.subjects import far_values
from discretion.budget import Budget
from discretion.device import Device, State
from discretion.plan import Plan
from discretion.report import Report

Record = Mapping[str, object]
# what new devices send, for each of several histories, a record a round
Sender = Callable[[Sequence[Sequence[Record]]], Iterator[list[list[Report]]]]


def far_records(plan: Plan) -> tuple[dict[str, object], dict[str, object]]:
    """Return two records that differ in every attribute, as far apart as they can be."""
    ends = {name: far_values(plan.questions[name]) for name in plan.attributes}
    first, last = ({name: pair[i] for name, pair in ends.items()} for i in range(2))
    return first, last


def uneven_budget(plan: Plan) -> Budget:
    """Return a budget with unequal levels, as far as the policy has any.

    It is for all attributes, or, of a plan that draws questions, for those that a device drew.
    """
    if plan.share.weights:
        with State() as state:
            return Device(plan, state).view()
    if plan.sample is None:
        names = list(Budget.even(plan).levels)
    else:
        asked = {name: 1 for name, _ in plan.share.questions}
        with State() as state:
            names = list(Device(plan, state).sample(asked).levels)
    return Budget.by_sensitivity(plan, {name: 1 + i for i, name in enumerate(names)})


def history(plan: Plan, budget: Budget, records: Sequence[Record]) -> tuple[list[Report], int]:
    """Return what one new device sends in as many rounds, and what it has then spent."""
    with State() as state:
        if plan.sample is not None:
            state.keep_draw(plan.id, list(budget.levels))
        device = Device(plan, state, token=secrets.token_urlsafe())  # a function is drawn as well
        first, every = 0, 1
        if plan.again.menu:
            every = plan.again.menu[0]
            first = device.rotate(every).phase
        sent = [
            device.report(record, budget, first + i * every) for i, record in enumerate(records)
        ]
        return sent, device.spent


def histories(
    plan: Plan, budget: Budget, asked: Sequence[Sequence[Record]], count: int
) -> Iterator[list[list[Report]]]:
    """Yield for each history of records what so many devices send."""
    for records in asked:
        yield [history(plan, budget, records)[0] for _ in range(count)]


def views(found: Sequence[Sequence[Report]]) -> dict[str, Sequence[Output]]:
    """Return histories as the bytes of their reports, and as what these say about each name."""
    seen: dict[str, Sequence[Output]] = {}
    for round in range(len(found[0])):
        reports = [sent[round] for sent in found]
        title = f"round {round}, " if len(found[0]) > 1 else ""
        seen[f"{title}report"] = [report.to_bytes() for report in reports]
        for name in dict.fromkeys(name for report in reports for name in report.answers):
            answers = [report.answers.get(name) for report in reports]
            seen[f"{title}{name}"] = [answer.y if answer else b"" for answer in answers]
    return seen
