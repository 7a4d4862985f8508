"""How ``discretion plan check`` shows a plan: a table, or JSON."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from discretion.plan import Plan, Question
from discretion.plan.parameters import ASSIGNED
from discretion.plan.wording import Wording
from discretion.render.formats import counted
from discretion.render.tables import Table
from discretion.schema import Bundle


def plan_table(checked: Plan) -> Table:
    """Return a row per question: what is asked, and how it is reported."""
    heads = ("attribute", "values", "mechanism", "bytes", "anything else")
    body = [
        (
            name,
            attribute.domain,
            _mechanism(checked.questions[name]),
            str(checked.questions[name].n_bytes),
            attribute.otherwise,
        )
        for name, attribute in ((name, checked.questions[name].attribute) for name in checked.names)
    ]
    return Table(heads, body, left=frozenset({0, 1, 2, 4}), elastic=frozenset({0, 1, 4}))


def wording_lines(wording: Wording) -> Iterator[tuple[str, str]]:
    """Yield what people read about the whole, and how many texts lack each language."""
    first = wording.within(wording.best(()) or "")
    if first.title:
        yield "title", str(first.title)
    if first.asker:
        yield "asked by", str(first.asker)
    lacking = Counter(language for language, _ in wording.missing())
    if wording.languages:
        yield (
            "languages",
            ", ".join(
                f"{each} ({counted(lacking[each], 'text')} missing)" if lacking[each] else each
                for each in wording.languages
            ),
        )


def applies_lines(checked: Plan) -> Iterator[tuple[str, str]]:
    """Yield to whom a question applies, where that is not everybody."""
    title = "applies"
    for name, attribute in checked.attributes.items():
        if attribute.conditions:
            yield title, f"{name}: if {' and '.join(map(str, attribute.conditions))}"
            title = ""


def plan_document(checked: Plan, fitting: int | None) -> dict[str, Any]:
    """Return the plan for machines, and how many records fit it."""
    attributes = [
        {
            "name": name,
            "kind": attribute.document["kind"],
            "values": attribute.document.get("values", list(attribute.labels)),
            "fallback": attribute.document.get("fallback"),
            "mechanism": checked.questions[name].mechanism,
            **_stated(checked.questions[name]),
            **({"applies": applies} if (applies := attribute.document.get("applies")) else {}),
            "bytes": checked.questions[name].n_bytes,
        }
        for name, attribute in checked.attributes.items()
    ]
    return {
        "name": checked.name,
        "id": checked.id,
        "attributes": attributes,
        "bundles": [_bundle(checked, bundle) for bundle in checked.bundles],
        "levels": [level / 1000 for level in checked.policy.menu],
        "share_least": checked.share_least,
        "sample": checked.sample,
        "allocation": "secret" if checked.secret else "disclosed",
        "contract": str(checked.contract),
        "fitting_records": fitting,
    }


def _mechanism(question: Question) -> str:
    """Name a mechanism; with words also how many bits they have, and of how many."""
    encoding = question.parameters.encoding
    if question.assigned:
        return f"{question.mechanism} {ASSIGNED}"
    if encoding is None or not question.parameters.stated(question.labels):
        return question.mechanism
    cohorts = f" x {encoding.cohorts}" if encoding.cohorts > 1 else ""
    return f"{question.mechanism} {encoding.hashes}/{encoding.bits}{cohorts}"


def _stated(question: Question) -> dict[str, Any]:
    stated = question.parameters.stated(question.labels)
    if question.variant:
        return {"variant": stated, "promise": question.variant.promise(question.labels)}
    return {"words": stated} if stated and question.parameters.encoding else stated


def _bundle(checked: Plan, bundle: Bundle) -> dict[str, Any]:
    return {
        "name": bundle.name,
        "attributes": [part.name for part in bundle.parts],
        "cells": bundle.size,
        "levels": [level / 1000 for level in checked.questions[bundle.name].menu],
        "mechanism": checked.questions[bundle.name].mechanism,
        "bytes": checked.questions[bundle.name].n_bytes,
    }
