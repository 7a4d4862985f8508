"""The page: its parts in order, each in its place whatever became of the others."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.render.formats import UNKNOWN, number
from discretion.render.markup import Markup, element, lines, text
from discretion.render.page import card, section, served_page, tabulated
from discretion.render.tables import Table
from discretion.web.dashboard.choice import Choice, Collected
from discretion.web.dashboard.documents import (
    Curves,
    Dependence,
    Found,
    Joint,
    Overview,
    Quantiles,
    Screenings,
    Trends,
    TriedOther,
)
from discretion.web.dashboard.forms import (
    choice_form,
    downloads_view,
    graph_form,
    pair_form,
    sign_in_form,
    sign_out_form,
)
from discretion.web.dashboard.labels import labels_card
from discretion.web.dashboard.levels import levels_view
from discretion.web.dashboard.numbers import number_card
from discretion.web.dashboard.pair import graph_view, pair_view
from discretion.web.dashboard.ranges import ranges_card
from discretion.web.dashboard.reports import reports_view, status
from discretion.web.dashboard.rounds import rounds_view
from discretion.web.dashboard.screening import screening_view
from discretion.web.dashboard.trends import trends_view
from discretion.web.dashboard.words import said, shown, warned

NOBODY = "No report of this round is kept, so there is nothing to estimate yet."
REFRESH = '<noscript><meta http-equiv="refresh" content="5"></noscript>'  # until all is there
SHEETS = ["dashboard"]
SCRIPT = '<script type="module" src="static/dashboard.js"></script>'


@dataclass(frozen=True, slots=True)
class Answers:
    """What the collector found; None is what nobody asked for."""

    overview: Found[Overview]
    screenings: Found[Screenings]
    curves: Found[Curves] | None = None  # quantiles of all numbers
    pair: Found[Joint] | None = None
    graph: Found[Dependence] | None = None
    attacked: Found[Quantiles] | None = None  # of the one attribute, with manipulation bounds
    trends: Found[Trends] | None = None  # where there is more than one round

    @property
    def all(self) -> list[Found[Mapping[str, object]]]:
        asked = (self.overview, self.curves, self.screenings, self.pair, self.graph)
        later = (self.attacked, self.trends)
        return [found for found in (*asked, *later) if found is not None]


def dashboard_page(
    plan: Plan,
    collected: Collected,
    choice: Choice,
    answers: Answers,
    *,
    signed: bool,
    operator: bool = False,
) -> str:
    """Return the whole page.

    ``signed``: somebody signed in, and may sign out; ``operator``: may open and close rounds.
    """
    pending, legend = any(found.pending for found in answers.all), Legend.of(plan)
    bar = element(
        "div",
        text("p", status(collected), id="status", class_="note"),
        element("p", id="live", class_="note", hidden=""),
        sign_out_form() if signed else "",
        class_="bar",
    )
    form = choice_form(plan, collected.rounds, choice)
    head = element("header", text("h1", legend.survey(plan.name)), bar, form)
    levels = shown(answers.overview, lambda found: levels_view(found["levels"]))
    pair = "" if answers.pair is None else shown(answers.pair, partial(pair_view, legend=legend))
    slow = text("p", "It reads all reports, which may take a while.", class_="note")
    graph = slow if answers.graph is None else shown(answers.graph, graph_view)
    screened = partial(screening_view, attribute=choice.attribute, legend=legend)
    tested = shown(answers.screenings, screened)
    sections = [
        _section("reports", "Reports", reports_view(collected, choice.round)),
        _section("rounds", "Rounds", rounds_view(collected, operator=operator)),
        _section("levels", "Answers by level", levels),
        *_estimates(plan, choice, answers, legend),
        *_trends(choice, answers, legend),
        _section("pair", "Two attributes together", pair, pair_form(plan, choice)),
        _section("graph", "What depends on what", graph, graph_form(choice)),
        _section("screening", "Screening", tested),
        _section("downloads", "Downloads", downloads_view(choice)),
    ]
    more = [SCRIPT, REFRESH] if pending else [SCRIPT]
    body = lines([head, element("main", *sections)])
    return served_page(f"{legend.survey(plan.name)}: dashboard", body, SHEETS, more)


def sign_in_page(name: str, problem: str = "", root: str = "") -> str:
    """Return the page that asks for a token; ``root`` leads from its address to the first."""
    note = "Estimates are for those who have a token with the role analyse."
    main = element("main", text("h1", name), text("p", note), sign_in_form(root, problem))
    return served_page("Sign in", main, SHEETS, root=root)


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
    main = element("main", text("h1", title), why, way)
    return served_page(title, main, SHEETS, root=root)


def _section(name: str, title: str, content: str, form: str = "") -> Markup:
    """Return a section; what the script may change of it is in a box of its own."""
    live = element("div", content, id=f"live-{name}", class_="live")
    return section(name, title, form, live)


def _estimates(plan: Plan, choice: Choice, answers: Answers, legend: Legend) -> list[Markup]:
    """Return the sections of labels and numbers, as far as the plan asks for such."""
    overview = answers.overview.document
    if overview is None or not overview["reports"]:
        content = shown(answers.overview, lambda _: text("p", NOBODY, class_="note"))
        return [_section("labels", "Estimates", content)]
    labels, numbers, ranges, others = [], [], [], []
    whole = bool(choice.attribute)
    for tried in overview["estimates"]:
        if choice.attribute not in ("", tried["name"]):
            continue
        if tried["kind"] == "labels":
            labels.append(labels_card(tried, legend, whole=whole))
        elif tried["kind"] == "ranges":
            ranges.append(ranges_card(tried, legend, whole=whole))
        elif tried["kind"] == "other":
            others.append(_other_card(tried, legend))
        else:
            curves, attacked = answers.curves, answers.attacked
            numbers.append(number_card(tried, curves, legend, whole=whole, attacked=attacked))
    found = {
        "labels": ("Frequencies", labels),
        "numbers": ("Numbers", numbers),
        "ranges": ("Ranges", ranges),
        "others": ("More statistics", others),
    }
    sections = [
        _section(name, title, element("div", *cards, class_="grid"))
        for name, (title, cards) in found.items()
        if cards
    ]
    if sections:
        return sections
    parts = " and ".join(plan.questions[choice.attribute].parts)
    bundled = f"{choice.attribute} is a bundle of numbers: see {parts}."
    return [_section("labels", "Estimates", text("p", bundled, class_="note"))]


def _trends(choice: Choice, answers: Answers, legend: Legend) -> list[Markup]:
    """Return the section over rounds, if there is more than one."""
    if answers.trends is None:
        return []
    view = partial(trends_view, attribute=choice.attribute, legend=legend)
    return [_section("trends", "Over rounds", shown(answers.trends, view))]


def _other_card(tried: TriedOther, legend: Legend) -> Markup:
    """Return the card of a statistic of one attribute."""
    name, found = tried["name"], tried["found"]
    title = f"{legend.title(name)}: {tried['statistic']}"
    notes = warned(tried["warnings"])
    if found is None:
        return card("other", title, notes, said(tried["reason"]))
    rows = [tuple(legend.label(name, _cell(cell)) for cell in row) for row in found["rows"]]
    return card("other", title, notes, tabulated(Table(found["heads"], rows, title)))


def _cell(value: str | float | None) -> str:
    if value is None:
        return UNKNOWN
    return number(value) if isinstance(value, float) else str(value)
