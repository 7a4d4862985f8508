"""The page: its parts in order, each in its place whatever became of the others."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from typing import Any

from discretion.plan import Plan
from discretion.synthesis.markup import element, text
from discretion.web.dashboard.choice import Choice, Collected
from discretion.web.dashboard.downloads import downloads_view
from discretion.web.dashboard.forms import (
    choice_form,
    graph_form,
    pair_form,
    sign_in_form,
    sign_out_form,
)
from discretion.web.dashboard.found import Found, shown
from discretion.web.dashboard.graph import graph_view
from discretion.web.dashboard.labels import labels_card
from discretion.web.dashboard.levels import levels_view
from discretion.web.dashboard.numbers import number_card
from discretion.web.dashboard.pair import pair_view
from discretion.web.dashboard.reports import reports_view, status
from discretion.web.dashboard.screening import screening_view

NOBODY = "No report of this round is kept, so there is nothing to estimate yet."
REFRESH = '<noscript><meta http-equiv="refresh" content="5"></noscript>'  # until all is there
SCRIPT = '<script type="module" src="static/dashboard.js"></script>'


@dataclass(frozen=True, slots=True)
class Answers:
    """What the collector found; None is what nobody asked for."""

    overview: Found
    screenings: Found
    curves: Found | None = None  # quantiles of all numbers
    pair: Found | None = None
    graph: Found | None = None
    attacked: Found | None = None  # quantiles of the one attribute, with margins

    @property
    def all(self) -> list[Found]:
        asked = (self.overview, self.curves, self.screenings, self.pair, self.graph, self.attacked)
        return [found for found in asked if found is not None]


def dashboard_page(
    plan: Plan, collected: Collected, choice: Choice, answers: Answers, *, signed: bool
) -> str:
    """Return the whole page; ``signed``: somebody signed in, and may sign out."""
    pending = any(found.pending for found in answers.all)
    head = [
        element(
            "header",
            text("h1", plan.name),
            element(
                "div",
                text("p", status(collected), id="status", class_="note"),
                element("p", id="live", class_="note", hidden=""),
                sign_out_form() if signed else "",
                class_="bar",
            ),
            choice_form(plan, collected.rounds, choice),
        )
    ]
    sections = [
        _section("reports", "Reports", reports_view(collected, choice.round)),
        _section("levels", "Answers by level", _levels(answers.overview)),
        *_estimates(plan, choice, answers),
        _section("pair", "Two attributes together", _pair(answers), pair_form(plan, choice)),
        _section("graph", "What depends on what", _graph(answers), graph_form(choice)),
        _section("screening", "Screening", _screening(choice, answers.screenings)),
        _section("downloads", "Downloads", downloads_view(choice)),
    ]
    more = f"{SCRIPT}\n{REFRESH}" if pending else SCRIPT
    body = "\n".join([*head, element("main", *sections)])
    return _whole(f"{plan.name}: dashboard", body, more)


def sign_in_page(name: str, problem: str = "", root: str = "") -> str:
    """Return the page that asks for a token; ``root`` leads from its address to the first."""
    note = "Estimates are for those who have a token with the role analyse."
    main = element("main", text("h1", name), text("p", note), sign_in_form(root, problem))
    return _whole("Sign in", main, root=root)


def problem_page(
    title: str,
    detail: str,
    root: str = "",
    back: tuple[str, str] = ("To the dashboard", "dashboard"),
) -> str:
    """Return a page that says what went wrong, and leads back."""
    said, place = back
    way = element("p", text("a", said, href=f"{root}{place}"))
    why = text("p", f"{detail[:1].upper()}{detail[1:]}")
    return _whole(title, element("main", text("h1", title), why, way), root=root)


def _whole(title: str, body: str, more: str = "", root: str = "") -> str:
    source = files("discretion.web.dashboard").joinpath("page.html").read_text("utf-8")
    return Template(source).substitute(title=text("title", title), body=body, more=more, root=root)


def _section(name: str, title: str, content: str, form: str = "") -> str:
    """Return a section; what the script may change of it is in a box of its own."""
    live = element("div", content, id=f"live-{name}", class_="live")
    head = text("h2", title, id=name)
    return element("section", head, form, live, aria_labelledby=name)


def _levels(overview: Found) -> str:
    return shown(overview, lambda document: levels_view(document["levels"]))


def _estimates(plan: Plan, choice: Choice, answers: Answers) -> list[str]:
    """Return the sections of labels and numbers, as far as the plan asks for such."""
    document = answers.overview.document
    if document is None or not document["reports"]:
        content = shown(answers.overview, lambda _: text("p", NOBODY, class_="note"))
        return [_section("labels", "Estimates", content)]
    tried = [e for e in document["estimates"] if choice.attribute in ("", e["name"])]
    labels = [_labels(each, choice) for each in tried if each["kind"] == "labels"]
    numbers = [_number(each, choice, answers) for each in tried if each["kind"] == "number"]
    found = {"labels": ("Frequencies", labels), "numbers": ("Numbers", numbers)}
    sections = [
        _section(name, title, element("div", *cards, class_="grid"))
        for name, (title, cards) in found.items()
        if cards
    ]
    return sections or [_section("labels", "Estimates", _told(plan, choice.attribute))]


def _told(plan: Plan, name: str) -> str:
    parts = " and ".join(plan.questions[name].parts)
    return text("p", f"{name} tells numbers: see {parts}.", class_="note")


def _labels(tried: Mapping[str, Any], choice: Choice) -> str:
    return labels_card(tried, whole=bool(choice.attribute))


def _number(tried: Mapping[str, Any], choice: Choice, answers: Answers) -> str:
    whole = bool(choice.attribute)
    return number_card(tried, answers.curves, whole=whole, attacked=answers.attacked)


def _pair(answers: Answers) -> str:
    return "" if answers.pair is None else shown(answers.pair, pair_view)


def _graph(answers: Answers) -> str:
    if answers.graph is None:
        return text("p", "It reads all reports, which may take a while.", class_="note")
    return shown(answers.graph, graph_view)


def _screening(choice: Choice, screenings: Found) -> str:
    return shown(screenings, lambda document: screening_view(document, choice.attribute))
