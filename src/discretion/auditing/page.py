"""An audit as one HTML file: nothing is fetched, no script runs, it prints and scales."""

from collections.abc import Sequence
from importlib.metadata import version

from discretion.auditing import words
from discretion.auditing.finding import Audit, Finding, Part
from discretion.render.markup import element, lines, text
from discretion.render.page import (
    fact,
    paragraphs,
    section,
    standalone_page,
    table_card,
)
from discretion.render.tables import Table


def page(audit: Audit) -> str:
    """Return the whole page."""
    parts = [
        text("h1", f"What is leaked: {audit.title}"),
        text("p", audit.verdict, class_="lead"),
        element("dl", *(_fact(*each) for each in words.facts(audit)), class_="cards"),
        paragraphs(audit.notes),
        *([] if audit.passes else [_broken(audit.failures)]),
        *(_part(part, audit.of(part)) for part in Part if audit.of(part)),
        section("limits", "What this does not say", paragraphs(words.LIMITS)),
    ]
    footer = text("footer", f"Discretion {version('discretion')}.")
    return standalone_page("Discretion: an audit", lines([element("main", *parts), footer]))


def table(part: Part, findings: Sequence[Finding]) -> Table:
    """Return the findings about a part, for a page or a terminal."""
    rows = [words.cells(finding) for finding in findings]
    left, elastic = frozenset({0, 3, 4}), frozenset({0, 4})
    return Table(words.heads(part), rows, part.heading, left=left, elastic=elastic)


def _fact(name: str, value: str, more: str) -> str:
    alert = name == "claims broken" and value != "0"
    return fact(name, value, more, "alert" if alert else "")


def _broken(failures: Sequence[Finding]) -> str:
    return section("broken", "What is broken", table_card(table(Part.LAW, failures), titled=False))


def _part(part: Part, findings: Sequence[Finding]) -> str:
    meaning, found = (
        text("p", words.MEANINGS[part]),
        table_card(table(part, findings), titled=False),
    )
    return section(part, part.heading, meaning, found)
