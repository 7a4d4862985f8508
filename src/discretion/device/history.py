"""What was asked before: questions of a new plan that look like ones that this device answered.

A new plan has a new id, and under it every answer is drawn, and charged, anew: who asks the same
under many plans can average the noise away. A question is recognised by its name or by its list of
values. One with another name and other values cannot be recognised, whatever it means.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discretion.device.state import State
from discretion.plan import Plan


@dataclass(frozen=True, slots=True)
class Before:
    """A question of a new plan, and what it looks like: an attribute answered under another."""

    name: str
    answered: str  # the attribute's name there
    plan: str  # the other plan's name; its id where its document is not known

    def __str__(self) -> str:
        if self.name == self.answered:
            return f"{self.name} was answered before, under plan {self.plan!r}"
        values = f"{self.name} has the same values as {self.answered}"
        return f"{values}, which was answered before, under plan {self.plan!r}"


def asked_before(state: State, plan: Plan) -> list[Before]:
    """Return the questions of a plan that look like ones answered under other plans.

    Each once: by its name if that was answered, else by its list of values.
    """
    documents = {known: json.loads(document) for known, document in state.plans().items()}
    named: dict[str, Before] = {}
    alike: dict[str, Before] = {}
    for other, attribute in state.answered():
        if other == plan.id:
            continue
        document = documents.get(other, {})
        seen = Before(attribute, attribute, document.get("name", other))
        named.setdefault(attribute, seen)
        domain = _domains(document).get(attribute)
        if domain is not None:
            alike.setdefault(domain, seen)
    found = []
    for name, domain in _domains(plan.document).items():
        seen_before = named.get(name) or alike.get(domain or "")
        if seen_before:
            found.append(Before(name, seen_before.answered, seen_before.plan))
    return found


def _domains(document: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the list of values of each attribute of a plan, in one spelling; None of a text."""
    return {question["name"]: _domain(question) for question in document.get("attributes", ())}


def _domain(question: Mapping[str, Any]) -> str | None:
    if "values" in question:
        return json.dumps(sorted(question["values"]))
    if "range" in question:
        return json.dumps(
            [question[key] for key in ("range", "step", "exponent", "bins") if key in question]
        )
    return None
