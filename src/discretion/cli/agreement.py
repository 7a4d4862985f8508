"""How ``discretion plan check`` shows a plan: a table, or JSON."""

from collections import Counter
from collections.abc import Iterator
from math import exp
from textwrap import wrap

from discretion.budget import epsilon
from discretion.budget.policy import describe
from discretion.plan import Plan, Question
from discretion.plan.parameters import ASSIGNED
from discretion.plan.wording import Wording
from discretion.render.formats import counted, is_formula
from discretion.render.tables import Table
from discretion.schema import Bundle

ADVICE = (
    'an unknown label counts as {}, the last one: add "other" to the values, or state a fallback'
)
FORMULA = (
    "{!r} is a formula to programs that open a table of rows or estimates: "
    "give it another code, and keep this as its label"
)
FEW = 20  # odds that are written with a decimal
WIDTH = 68  # of what stands beside a title
SURE = 99.95  # per cent
HARDLY = 6000  # thousandths of epsilon: from here on a report hides next to nothing


def plan_table(checked: Plan) -> Table:
    """Return a row per question: what is asked, and how it is reported."""
    heads = ("attribute", "values", "mechanism", "bytes", "else counts as")
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


def homeless(checked: Plan) -> Iterator[tuple[str, str]]:
    """Yield the attributes whose unknown labels count as the last one, since no other is stated."""
    for name, attribute in checked.attributes.items():
        if attribute.assumed:
            yield name, attribute.otherwise


def to_do_lines(checked: Plan) -> Iterator[tuple[str, str]]:
    """Ask the author for a place for unknown labels, and for codes that are safe in any file."""
    advice = [f"{name}: {ADVICE.format(last)}" for name, last in homeless(checked)]
    advice += [f"{name}: {FORMULA.format(code)}" for name, code in _formulas(checked)]
    title = "to do"
    for each in advice:
        for line in wrap(each, WIDTH):
            yield title, line
            title = ""


def _formulas(checked: Plan) -> Iterator[tuple[str, str]]:
    """Yield the first code of each question that a spreadsheet would take for a formula."""
    for name, attribute in checked.attributes.items():
        codes = attribute.document.get("values", ())
        yield from [(name, code) for code in codes if is_formula(code)][:1]


def level_lines(checked: Plan) -> Iterator[tuple[str, str]]:
    """Say what the least and the most level of an answer mean in odds."""
    yield "levels", describe(checked.policy.menu)
    levels = {level for question in checked.questions.values() for level in question.menu}
    for level in sorted({min(levels), max(levels)}) if levels else ():
        odds = exp(level / 1000)
        most = f"{odds:.1f}" if odds < FEW else f"{odds:,.0f}"
        sure = 100 * odds / (1 + odds)
        then = f"{sure:.1f}" if sure < SURE else "nearly 100"
        times = f"a report can make one answer up to {most} times as likely as another"
        plainly = ", so it is practically the answer itself" if level >= HARDLY else ""
        said = f"at {epsilon(level)}, {times} (from 50 % to {then} %){plainly}"
        yield from (("", line) for line in wrap(said, WIDTH))


def plan_document(checked: Plan, fitting: int | None) -> dict[str, object]:
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
        "fallbacks_assumed": [name for name, _ in homeless(checked)],
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


def _stated(question: Question) -> dict[str, object]:
    stated = question.parameters.stated(question.labels)
    if question.variant:
        return {"variant": stated, "promise": question.variant.promise(question.labels)}
    return {"words": stated} if stated and question.parameters.encoding else stated


def _bundle(checked: Plan, bundle: Bundle) -> dict[str, object]:
    return {
        "name": bundle.name,
        "attributes": [part.name for part in bundle.parts],
        "cells": bundle.size,
        "levels": [level / 1000 for level in checked.questions[bundle.name].menu],
        "mechanism": checked.questions[bundle.name].mechanism,
        "bytes": checked.questions[bundle.name].n_bytes,
    }
