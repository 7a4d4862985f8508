"""A device for audits that is a program: sound, or with a bug that its first argument names.

It is started several times, so it imports what a device needs and no more.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Event
from typing import Any

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.plan import Plan
from discretion.report import Report


def reports(plan: Plan, line: str, bug: str) -> Iterator[Report]:
    asked = json.loads(line)
    budget = Budget.of(plan, asked["budget"])
    bold = Budget.of(plan, dict.fromkeys(asked["budget"], 4))
    spent = bold if bug == "bold" else budget
    for _ in range(asked["count"] + (bug == "many") - (bug == "few")):
        sent = history(plan, spent, asked["records"])
        if bug == "forgetful":
            sent = [history(plan, spent, asked["records"])[r] for r in range(len(sent))]
        for record, report in zip(asked["records"], sent, strict=True):
            yield changed(report, record, budget, bug)


def history(plan: Plan, budget: Budget, records: Sequence[Mapping[str, Any]]) -> list[Report]:
    """Return what one new device sends, a record a round."""
    with State() as state:
        device = Device(plan, state)
        return [device.report(record, budget, round) for round, record in enumerate(records)]


def changed(report: Report, record: dict[str, Any], budget: Budget, bug: str) -> Report:
    match bug:
        case "bold":
            answers = {n: replace(a, level=budget.levels[n]) for n, a in report.answers.items()}
            return replace(report, answers=answers)
        case "id":
            return replace(report, id=f"{record['b'] == 'z':x}{report.id[1:]}")
        case "plan":
            return replace(report, plan="f" * 64)
    return report


def main(bug: str) -> None:
    if bug == "loud":
        sys.exit("the device is out of order")
    plan = Plan.from_bytes(sys.stdin.buffer.readline().rstrip(b"\n"))
    for line in sys.stdin:
        for report in reports(plan, line, bug):
            sys.stdout.buffer.write(report.to_bytes() + b"\n")
        if bug == "endless":
            sys.stdout.flush()
            Event().wait()
        if bug == "dead":
            return
        if bug == "torn":
            sys.stdout.write('{"half": ')
            sys.exit("the device broke down")


if __name__ == "__main__":
    main(sys.argv[1])
