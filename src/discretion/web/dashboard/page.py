"""The page about a round: its parts in order, each in its place whatever became of the others."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

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
    Overview,
    Quantiles,
    Screenings,
    TriedOther,
)
from discretion.web.dashboard.forms import (
    choice_form,
    downloads_view,
    graph_form,
    sign_in_form,
)
from discretion.web.dashboard.frame import SHEETS, Frame, contents
from discretion.web.dashboard.help import mark
from discretion.web.dashboard.labels import explained, labels_card
from discretion.web.dashboard.levels import levels_view
from discretion.web.dashboard.numbers import number_card
from discretion.web.dashboard.pair import graph_view
from discretion.web.dashboard.ranges import ranges_card
from discretion.web.dashboard.reports import reports_view, status
from discretion.web.dashboard.screening import screening_view
from discretion.web.dashboard.tables import table_links
from discretion.web.dashboard.words import said, shown, warned

NOBODY = "No report of this round is kept, so there is nothing to estimate yet."


@dataclass(frozen=True, slots=True)
class Answers:
    """What the collector found; None is what nobody asked for."""

    overview: Found[Overview]
    screenings: Found[Screenings]
    curves: Found[Curves] | None = None  # quantiles of all numbers
    graph: Found[Dependence] | None = None
    attacked: Found[Quantiles] | None = None  # of the one attribute, with manipulation bounds

    @property
    def all(self) -> list[Found[Mapping[str, object]]]:
        asked = (self.overview, self.curves, self.screenings, self.graph, self.attacked)
        return [found for found in asked if found is not None]


def dashboard_page(
    plan: Plan, collected: Collected, choice: Choice, answers: Answers, *, signed: bool
) -> str:
    """Return the page about a round; ``signed``: somebody signed in, and may sign out."""
    pending, legend = any(found.pending for found in answers.all), Legend.of(plan)
    overview = answers.overview.document
    kept = None if overview is None else overview["reports"]
    level_title = element("h3", text("span", "Answers by level"), mark("weight"))
    files = partial(table_links, "dashboard/", fields={"round": choice.round})
    drawn = shown(answers.overview, lambda found: levels_view(found["levels"]))
    levels = element("div", level_title, drawn)
    slow = text("p", "It reads all reports, which may take a while.", class_="note")
    graph = slow if answers.graph is None else shown(answers.graph, graph_view)
    if answers.graph and answers.graph.document:
        graph = lines([graph, files({"dependence": "Pairs"})])
    screened = partial(screening_view, attribute=choice.attribute, legend=legend)
    tested = shown(answers.screenings, screened)
    if answers.screenings.document:
        tested = lines([tested, files({"groups": "Groups", "screened": "Without suspicious ones"})])
    reports = reports_view(collected, choice.round, kept, levels)
    counted = lines([reports, files({"days": "Days", "levels": "Levels"})])
    sections = {
        "reports": ("Reports", counted, ""),
        **_estimates(plan, choice, answers, legend),
        "graph": ("What depends on what", graph, graph_form(choice)),
        "screening": (
            "Screening",
            tested,
            element("p", mark("screening", named=True), class_="marks"),
        ),
        "downloads": ("Downloads", downloads_view(plan, choice), ""),
    }
    form = choice_form(plan, collected.rounds, choice)
    entries = [(title, f"#{name}", False) for name, (title, _, _) in sections.items()]
    made = [_section(name, *own) for name, own in sections.items()]
    frame = Frame(plan, "", signed, choice.round)
    aside = Markup(contents("Contents", entries))
    whole = [element("section", form, aria_label="Choose"), *made]
    status_ = status(choice.round, kept)
    return frame.page(f"round {choice.round}", status_, aside, whole, pending=pending)


def sign_in_page(name: str, problem: str = "", root: str = "", wanted: str = "") -> str:
    """Return the page that asks for a token; ``root`` leads from its address to the first.

    ``wanted`` is the page of the dashboard that is shown then.
    """
    note = "Estimates are for those who have a token with the role analyse."
    main = element("main", text("h1", name), text("p", note), sign_in_form(root, problem, wanted))
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


def _section(name: str, title: str, content: str, beside: str) -> Markup:
    """Return a section; what the script may change of it is in a box of its own."""
    live = element("div", content, id=f"live-{name}", class_="live")
    return section(name, title, beside, live)


def _estimates(
    plan: Plan, choice: Choice, answers: Answers, legend: Legend
) -> Mapping[str, tuple[str, Markup, Markup]]:
    """Return the sections of labels and numbers, as far as the plan asks for such."""
    overview = answers.overview.document
    if overview is None or not overview["reports"]:
        content = shown(answers.overview, lambda _: text("p", NOBODY, class_="note"))
        return {"labels": ("Estimates", content, Markup(""))}
    labels, numbers, ranges, others = [], [], [], []
    whole = bool(choice.attribute)
    for tried in overview["estimates"]:
        if choice.attribute not in ("", tried["name"]):
            continue
        more = _further(tried, choice)
        if tried["kind"] == "labels":
            labels.append(labels_card(tried, legend, more, whole=whole))
        elif tried["kind"] == "ranges":
            ranges.append(ranges_card(tried, legend, more, whole=whole))
        elif tried["kind"] == "other":
            others.append(_other_card(tried, legend, more))
        else:
            curves, attacked = answers.curves, answers.attacked
            numbers.append(number_card(tried, curves, legend, more, whole=whole, attacked=attacked))
    found = {
        "labels": ("Frequencies", labels),
        "numbers": ("Numbers", numbers),
        "ranges": ("Ranges", ranges),
        "others": ("More statistics", others),
    }
    marks = element("p", mark("interval", named=True), mark("bound", named=True), class_="marks")
    beside = {"labels": "" if whole else _explained(overview)}
    sections = {
        name: (title, element("div", *cards, class_="grid"), Markup(marks + beside.get(name, "")))
        for name, (title, cards) in found.items()
        if cards
    }
    if numbers:
        title, grid, more = sections["numbers"]
        sections["numbers"] = title, lines([grid, _number_files(choice, answers)]), more
    if sections:
        return sections
    parts = " and ".join(plan.questions[choice.attribute].parts)
    bundled = f"{choice.attribute} is a bundle of numbers: see {parts}."
    return {"labels": ("Estimates", text("p", bundled, class_="note"), Markup(""))}


def _explained(overview: Overview) -> Markup:
    """Say once, above the cards of labels, what the marks in their pictures mean."""
    found = [own["found"] for own in overview["estimates"] if own["kind"] == "labels"]
    said = {explained(each): None for each in found if each is not None}
    return text("p", max(said, key=len), class_="note") if said else Markup("")


def _number_files(choice: Choice, answers: Answers) -> Markup:
    """Return links to what the file of all estimates does not have of numbers."""
    if answers.attacked is None:
        return table_links("dashboard/", {"densities": "Densities"}, {"round": choice.round})
    titles = {"densities": "Densities", "bounds": "Quantiles with bounds"}
    return table_links("dashboard/", titles, {"round": choice.round, "attribute": choice.attribute})


def _further(tried: Mapping[str, object], choice: Choice) -> Markup:
    """Return the way to the page where an estimate can be worked with."""
    about = {"attribute": tried["name"], "round": choice.round}
    named = {"statistic": tried["statistic"], **about} if "statistic" in tried else about
    href = f"dashboard/analysis?{urlencode(named)}"
    return text("a", "Analyse", href=href, aria_label=f"Analyse {tried['name']}")


def _other_card(tried: TriedOther, legend: Legend, more: Markup) -> Markup:
    """Return the card of a statistic of one attribute."""
    name, found = tried["name"], tried["found"]
    title = f"{legend.title(name)}: {tried['statistic']}"
    notes = warned(tried["warnings"])
    if found is None:
        return card("other", title, notes, said(tried["reason"]))
    rows = [tuple(legend.label(name, _cell(cell)) for cell in row) for row in found["rows"]]
    return card("other", title, notes, tabulated(Table(found["heads"], rows, title)), way=more)


def _cell(value: str | float | None) -> str:
    if value is None:
        return UNKNOWN
    return number(value) if isinstance(value, float) else str(value)
