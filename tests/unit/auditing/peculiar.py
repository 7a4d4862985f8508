"""A device for audits that is a program: sound, or with a bug that its first argument names."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace

from discretion.auditing.reports import history
from discretion.budget import Budget
from discretion.plan import Plan
from discretion.report import Report


def reports(plan: Plan, line: str, bug: str) -> Iterator[Report]:
    asked = json.loads(line)
    budget = Budget.of(plan, asked["budget"])
    bold = Budget.of(plan, dict.fromkeys(asked["budget"], 4))
    for _ in range(asked["count"] - (bug == "few")):
        (report,), _ = history(plan, bold if bug == "bold" else budget, [asked["record"]])
        if bug == "bold":
            answers = {n: replace(a, level=budget.levels[n]) for n, a in report.answers.items()}
            report = replace(report, answers=answers)
        if bug == "id":
            report = replace(report, id=f"{asked['record']['b'] == 'z':x}{report.id[1:]}")
        yield replace(report, plan="f" * 64) if bug == "plan" else report


def main(bug: str) -> None:
    if bug == "loud":
        sys.exit("the device is out of order")
    plan = Plan.from_bytes(sys.stdin.buffer.readline().rstrip(b"\n"))
    for line in sys.stdin:
        for report in reports(plan, line, bug):
            sys.stdout.buffer.write(report.to_bytes() + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])
