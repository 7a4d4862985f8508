"""One owner of the demonstration: her report, and the laws that bound what it can reveal."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from discretion.budget import Budget
from discretion.device import Device
from discretion.mechanism import SupportLaw
from discretion.plan import Family, Plan
from discretion.report import Report

CHOICE = {"age": 2, "travel": 3.5, "income": 0.5}  # her epsilons, chosen before her answers


@dataclass(frozen=True)
class Answer:
    """One attribute of a report: what was sent, and what it can reveal."""

    attribute: str
    level: int
    true: str  # her answer, which stays with her
    sent: tuple[str, ...]  # the values that her report speaks for
    law: SupportLaw

    @property
    def kept(self) -> Fraction:
        """How often the true answer is among what is sent."""
        return self.law.inclusion.own


@dataclass(frozen=True)
class Owner:
    """Somebody who took part: her report and its answers."""

    report: Report
    budget: Budget
    answers: tuple[Answer, ...]

    @property
    def ratio(self) -> Fraction:
        """By how much the odds between two records can grow that differ in all she shared."""
        return prod((answer.law.ratio for answer in self.answers), start=Fraction(1))


def take_part(plan: Plan, record: Mapping[str, object]) -> Owner:
    """Let a device make the report of a record; it draws from the operating system."""
    budget = Budget.of(plan, CHOICE)
    report = Device(plan).report(record, budget)
    answers = []
    for name, level in budget.levels.items():
        question = plan.questions[name]
        attribute, law = question.attribute, question.law(level, Family.SETS)
        support = law.support(int.from_bytes(report.answers[name].y, "little"))
        sent = tuple(label for i, label in enumerate(attribute.labels) if support >> i & 1)
        true = attribute.labels[attribute.code(record[name])]
        answers.append(Answer(name, level, true, sent, law))
    return Owner(report, budget, tuple(answers))


def pretty(report: Report) -> str:
    """Write a report with spaces and line ends, an answer a line, within 80 columns."""
    document = json.loads(report.to_bytes())
    answers = document.pop("answers")
    head = json.dumps(document, indent=2).removesuffix("\n}")
    lines = [f"    {json.dumps(name)}: {json.dumps(answer)}" for name, answer in answers.items()]
    return "\n".join([f"{head},", '  "answers": {', ",\n".join(lines), "  }", "}"])
