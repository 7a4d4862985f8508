"""An audit as one HTML file: nothing is fetched, no script runs, it prints and scales."""

from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from string import Template

from discretion.auditing import words
from discretion.auditing.finding import Audit, Finding, Part
from discretion.errors import DiscretionError
from discretion.estimate.look import DARK, LIGHT
from discretion.synthesis.markup import element, text

OPEN = 12  # rows up to which a table is shown at once


def write_page(audit: Audit, path: Path) -> None:
    """Write the page, or say why that is not possible."""
    try:
        path.write_text(page(audit), encoding="utf-8")
    except OSError as error:
        raise DiscretionError(f"{path}: must be a file that can be written ({error})") from None


def page(audit: Audit) -> str:
    """Return the whole page."""
    template = Template(files("discretion.auditing").joinpath("audit.html").read_text("utf-8"))
    return template.substitute(
        light=LIGHT.css,
        dark=DARK.css,
        name=text("span", audit.title),
        verdict=text("p", audit.verdict, class_="lead"),
        facts="\n".join(_card(*fact) for fact in words.facts(audit)),
        failures=_failures(audit),
        notes="\n".join(text("p", note) for note in audit.notes),
        parts="\n".join(_section(audit, part) for part in Part if audit.of(part)),
        limits="\n".join(text("p", line) for line in words.LIMITS),
        version=version("discretion"),
    )


def _card(name: str, value: str, more: str) -> str:
    alert = name == "claims broken" and value != "0"
    figure = element("dd", text("strong", value), text("div", more, class_="note"))
    return element("div", text("dt", name), figure, class_="card alert" if alert else "card")


def _failures(audit: Audit) -> str:
    if audit.passes:
        return ""
    rows = [_row(finding) for finding in audit.failures]
    return element("div", text("h2", "What is broken"), _table("What is broken", Part.LAW, rows))


def _section(audit: Audit, part: Part) -> str:
    found = audit.of(part)
    table = _table(part.heading, part, [_row(finding) for finding in found])
    if len(found) > OPEN:
        table = element("details", text("summary", f"{len(found)} claims"), table)
    title, meaning = text("h2", part.heading), text("p", words.MEANINGS[part])
    return element("section", title, meaning, element("div", table, class_="card"))


def _row(finding: Finding) -> str:
    what, claim, found, verdict, how = words.cells(finding)
    return element(
        "tr",
        text("th", what, scope="row"),
        text("td", claim),
        text("td", found),
        text("td", verdict, class_="" if finding.passes else "miss"),
        text("td", how, class_="how"),
    )


def _table(title: str, part: Part, rows: list[str]) -> str:
    head = element("tr", *(text("th", name, scope="col") for name in words.heads(part)))
    table = element("table", element("thead", head), element("tbody", *rows))
    return element("div", table, class_="wide", role="region", aria_label=title, tabindex=0)
