"""Dashboards of small crowds, and a reader that notes what stands on a page."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from html.parser import HTMLParser
from typing import Any, cast

from discretion.aggregate import Aggregate
from discretion.collector.overview import QUANTILES
from discretion.collector.problems import problem_of
from discretion.collector.questions import answer
from discretion.collector.store import Store
from discretion.collector.store.store import Round
from discretion.crowd import simulate
from discretion.errors import DiscretionError
from discretion.plan import Plan
from discretion.table import ReportTable
from discretion.web.dashboard import (
    Answers,
    Choice,
    Collected,
    Found,
    Frame,
    Inquiry,
    analysis_page,
    dashboard_page,
)
from tests.builders import bundled_survey, secret_survey
from tests.collector.crowds import crowd, reports_of
from tests.plans import AVERAGE, HOME, MODE

EVIL, QUOTED = "<script>alert(1)</script>", '"a"&b'
LONG = "long " * 39 + "label"
CROWD = 80
WITHIN = {"a", "div", "span"}  # of a cell
VOID = {"meta", "link", "input", "wbr", "path"}


@cache
def earners() -> Plan:
    """Labels, and a number on a coarse grid."""
    income = {"name": "income", "kind": "numeric", "range": [0, 100], "step": 10}
    return Plan.of({"name": "earners", "attributes": [MODE, HOME, income], "budget": AVERAGE})


@cache
def hostile() -> Plan:
    """All names are markup, or quotes, or formulas, or long."""
    one = {"name": EVIL, "kind": "categorical", "values": [QUOTED, EVIL, "=1+1", "@sum", LONG]}
    other = {"name": QUOTED, "kind": "categorical", "values": ["-1", "+x"], "mechanism": "oue"}
    number = {"name": "<b>9</b>", "kind": "numeric", "range": [-2, 2], "step": 0.5}
    asked = {"attributes": [one, other, number], "bundles": [[EVIL, QUOTED]]}
    return Plan.of({"name": EVIL, **asked, "budget": AVERAGE})


@cache
def numbers() -> Plan:
    """A bundle of numbers is all that is asked."""
    asked = [
        {"name": name, "kind": "numeric", "range": [0, 10], "step": 1} for name in ("mine", "yours")
    ]
    bundles = [{"attributes": ["mine", "yours"], "levels": 2}]
    budget = {"levels": [1, 2]}
    return Plan.of({"name": "gifts", "attributes": asked, "bundles": bundles, "budget": budget})


@cache
def worded() -> Plan:
    """Questions, labels and a unit, of which some could break a page or are written leftwards."""
    labels = [EVIL, "بالسيارة (الخاصة)", LONG]
    values = [{"code": f"code{i}", "label": label} for i, label in enumerate(labels)]
    travel = {"name": "travel", "kind": "categorical", "question": "How? <b>", "values": values}
    length = {"name": "length", "kind": "numeric", "range": [0, 100], "step": 10}
    length |= {"question": "How <i>far</i>?", "unit": "<km>"}
    asked = {"title": "Ways & means", "attributes": [travel, HOME, length]}
    return Plan.of({"name": "survey", **asked, "budget": AVERAGE})


@cache
def ordered() -> Plan:
    """A number and a date that are reported by intervals, and labels in order."""
    pay = {"name": "pay", "kind": "numeric", "range": [0, 5000], "step": 1, "unit": "€"}
    day = {"name": "day", "kind": "date", "range": ["2026-01-01", "2026-06-30"]}
    mood = {"name": "mood", "kind": "ordinal", "values": [f"<{i}>" for i in range(20)]}
    asked = [{**each, "mechanism": "hierarchy"} for each in (pay, day)]
    budget = {"levels": [0.5, 1, 2]}
    return Plan.of({"name": "order", "attributes": [*asked, mood], "budget": budget})


PLANS: Mapping[str, Callable[[], Plan]] = {
    "plain": earners,
    "secret": secret_survey,
    "bundled": bundled_survey,
    "numbers": numbers,
    "hostile": hostile,
    "worded": worded,
    "ordered": ordered,
}


@dataclass(frozen=True, slots=True)
class Kept:
    """A store that has the reports of one crowd."""

    plan: Plan
    sent: ReportTable

    def rounds(self) -> list[Round]:
        return [Round(0, "open", None)]

    def aggregate(self, round: int) -> Aggregate:
        return Aggregate.of(self.sent) if len(self.sent) else Aggregate(self.plan, round)

    def table(self, round: int) -> ReportTable:
        return ReportTable.from_reports(self.plan, reports_of(self.sent))


@cache
def kept(key: str, n: int = CROWD) -> Kept:
    plan = PLANS[key]()
    if not n:
        return Kept(plan, ReportTable.from_reports(plan, []))
    if key == "numbers":
        records = {"mine": [i % 11 for i in range(n)], "yours": [i % 3 for i in range(n)]}
        return Kept(plan, simulate(plan, records, budgets="levels", seed=2))
    if key == "ordered":
        days = [None if i % 7 == 0 else date(2026, 1 + i % 6, 1) for i in range(n)]
        moods = [f"<{i % 20}>" for i in range(n)]
        owners = {"pay": [(i * i) % 5001 for i in range(n)], "day": days, "mood": moods}
        return Kept(plan, simulate(plan, owners, budgets="levels", seed=2))
    return Kept(plan, crowd(plan, n, 2))


@cache
def found(key: str, n: int, question: str, *names: str) -> Found[Any]:
    """Return what a question brings, as it comes from the process that worked it out."""
    values: dict[str, Any] = {"round": 0}
    if question == "quantiles":
        values |= {"attribute": names[0], "at": list(QUANTILES), "margins": True}
    try:
        document = answer(cast(Store, kept(key, n)), question, values)
    except DiscretionError as error:
        return Found(None, problem_of(error).detail, 1)
    return Found(json.loads(json.dumps(document, allow_nan=False)), "", 1)


def document(key: str, question: str = "overview", n: int = CROWD) -> Any:
    """Return a document of a crowd, to be changed as one likes."""
    return json.loads(json.dumps(found(key, n, question).document))


def estimate(whole: Mapping[str, Any], name: str, kind: str = "labels") -> Any:
    """Return what an overview has of a name."""
    tried = (e for e in whole["estimates"] if (e["name"], e["kind"]) == (name, kind))
    return next(tried)


def answers(key: str, n: int = CROWD, *, whole: bool = True) -> Answers:
    """Return what the collector finds for a page; the ``whole`` one has the graph."""
    overview, screenings, curves = (
        found(key, n, question) for question in ("overview", "screenings", "curves")
    )
    if not whole:
        return Answers(overview, screenings, curves)
    return Answers(overview, screenings, curves, found(key, n, "dependence"))


def collected(n: int = CROWD, **changes: Any) -> Collected:
    outcomes = {"accepted": n + 2, "duplicate": 3, "conflict": 1, "deleted": 2}
    days = {date(2026, 3, 1): n, date(2026, 3, 4): 2} if n else {}
    return replace(Collected({0: "open"}, outcomes, {"wrong_plan": 7}, days), **changes)


def page(key: str, n: int = CROWD, choice: Choice | None = None, **changes: Any) -> "Page":
    """Return the page of a crowd, with other answers where they are named."""
    own = replace(answers(key, n), **changes)
    chosen = choice or Choice(0, graph=True)
    return read(dashboard_page(PLANS[key](), collected(n), chosen, own, signed=True))


def inquired(
    key: str, *given: tuple[str, str], n: int = CROWD, found: Found[Any] | None = None
) -> "Page":
    """Return the page of an inquiry about a crowd, or about what was found of one."""
    plan = PLANS[key]()
    inquiry = Inquiry.of(plan, [0], 0, given)
    known = found or analysed(key, inquiry, n)
    return read(analysis_page(Frame(plan, "/analysis", True, 0), collected(n), inquiry, known))


def analysed(key: str, inquiry: Inquiry, n: int = CROWD) -> Found[Any]:
    """Return what an inquiry brings, as it comes from the process that worked it out."""
    try:
        document = answer(cast(Store, kept(key, n)), "analysis", inquiry.values())
    except DiscretionError as error:
        return Found(None, problem_of(error).detail, 1)
    return Found(json.loads(json.dumps(document, allow_nan=False)), "", 1)


@dataclass(slots=True)
class Table:
    """A table: its caption, and its rows, the first of which has the heads."""

    caption: str = ""
    rows: list[list[str]] = field(default_factory=list)

    @property
    def body(self) -> dict[str, list[str]]:
        """Rows by their names."""
        return {row[0]: row[1:] for row in self.rows[1:]}


class Page(HTMLParser):
    """Notes the elements of a page, its tables, and what stands outside of markup."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.tables: list[Table] = []
        self.titles: list[str] = []
        self.said, self.open = "", list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append(Table())
        elif tag == "tr":
            self.tables[-1].rows.append([])
        elif tag in ("th", "td"):
            self.tables[-1].rows[-1].append("")
        elif tag == "title":
            self.titles.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"{tag} ends, and another is open"

    def handle_data(self, data: str) -> None:
        plain = data.replace("\N{NO-BREAK SPACE}", " ")
        self.said += plain
        inside = next((tag for tag in reversed(self.open) if tag not in WITHIN), "")
        if inside in ("th", "td"):
            self.tables[-1].rows[-1][-1] += plain
        elif inside == "caption":
            self.tables[-1].caption += plain
        elif inside == "title":
            self.titles[-1] += plain

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def table(self, start: str) -> Table:
        """Return the table whose caption begins like this."""
        return next(table for table in self.tables if table.caption.startswith(start))


def read(markup: str) -> Page:
    """Read a page or a part of one; whatever is opened must be closed."""
    found = Page()
    found.feed(markup)
    found.close()
    assert found.open == []
    return found
