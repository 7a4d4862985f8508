"""The small tables of the dashboard as files: what came when, and what was tested of a round."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import urlencode

from discretion.estimate.legend import Legend
from discretion.render.markup import Markup, element, text
from discretion.web.dashboard.choice import Collected
from discretion.web.dashboard.documents import (
    Cell,
    Dependence,
    Overview,
    Quantiles,
    Screenings,
    Trends,
    TriedScreening,
    TriedSeries,
)
from discretion.web.dashboard.export import KINDS, Export
from discretion.web.dashboard.sheet import means_of

LEVELS = ("attribute", "level_from", "level_to", "answers", "share_of_weight")
DENSITIES = ("attribute", "from", "to", "share", "low", "high")
BOUNDS = ("attribute", "level", "value", "low", "high", "false_reports", "down", "up")
PAIRS = ("one", "other", "statistic", "df", "p", "adjusted", "strength", "n")
GROUPS = ("level", "part", "n", "ones", "outputs", "agreement", "adjusted", "suspicious")
SCREENED = ("what", "value", "stderr", "without", "without_stderr")
WAYS = ("raw", "online", "smooth")
ENDS = ("", "_low", "_high")
POINTS = ("round", "label", "reports", *(f"{way}{end}" for way in WAYS for end in ENDS))
SHIFTS = ("round", "label", "difference", "p")
MEAN = "mean"  # what estimates of a number are about
MOMENTS = {"value", "without", *POINTS[3:]}  # columns that are in its unit


class Answered(NamedTuple):
    """A table that is made of the answer to a question."""

    question: str
    write: Callable[[Any, Legend], Export]


def days(collected: Collected) -> Export:
    """Return how many reports of a round came on each day."""
    return Export(("day", "reports"), [(str(day), n) for day, n in sorted(collected.days.items())])


def rounds(collected: Collected) -> Export:
    """Return all rounds, and whether they take reports."""
    closed = collected.closed_on
    rows = [(round, state, closed.get(round)) for round, state in sorted(collected.rounds.items())]
    return Export(("round", "state", "closed_on"), rows)


def outcomes(collected: Collected) -> Export:
    """Return what became of all reports that were sent; of refused ones, by reason."""
    counts = {"kept": collected.kept, **collected.outcomes}
    rows: list[Sequence[Cell]] = [(outcome, None, n) for outcome, n in counts.items()]
    rows += [("refused", reason, n) for reason, n in sorted(collected.refused.items())]
    return Export(("outcome", "reason", "reports"), rows)


def levels(overview: Overview, _: Legend) -> Export:
    """Return the answers about each attribute by group of levels, in thousandths of epsilon."""
    found = overview["levels"]
    rows = [
        (row["name"], *ends, group["reports"], group["share"])
        for row in found["rows"]
        for ends, group in zip(found["groups"], row["groups"], strict=True)
    ]
    return Export(LEVELS, rows)


def densities(overview: Overview, legend: Legend) -> Export:
    """Return the shares of bins of each number."""
    rows: list[Sequence[Cell]] = []
    for name, found in means_of(overview):
        own = found["density"]
        shares = zip(own["value"], own["low"], own["high"], strict=True)
        edges = pairwise(map(_written(legend, name), own["edges"]))
        rows += [(name, *ends, *each) for ends, each in zip(edges, shares, strict=True)]
    return Export(DENSITIES, rows)


def bounds(found: Quantiles, legend: Legend) -> Export:
    """Return the quantiles of a number, and how far each share of false reports moves them."""
    name, rows = found["attribute"], list[Sequence[Cell]]()
    write = _written(legend, name)
    for each in found.get("margins", ()):
        for row, by in zip(found["quantiles"], each["margins"], strict=True):
            own = map(write, (row["value"], row["low"], row["high"]))
            rows.append((name, row["level"], *own, each["share"], by["down"], by["up"]))
    return Export(BOUNDS, rows)


def dependence(found: Dependence, _: Legend) -> Export:
    """Return the test of every pair."""
    pairs: Sequence[Mapping[str, Any]] = found["pairs"]
    return Export(PAIRS, [[pair[head] for head in PAIRS] for pair in pairs])


def groups(document: Screenings, _: Legend) -> Export:
    """Return the groups of reports that were screened, with what was found of each."""
    return _of_each(document["screenings"], "groups", GROUPS)


def screened(document: Screenings, legend: Legend) -> Export:
    """Return the estimates with all reports, and without the suspicious ones."""
    return _of_each(document["screenings"], "estimates", SCREENED, legend)


def points(document: Trends, legend: Legend) -> Export:
    """Return the estimates of every round: by itself, known by then, and smoothed."""
    return _of_each(document["trends"], "points", POINTS, legend)


def shifts(document: Trends, _: Legend) -> Export:
    """Return the rounds from which on something differs."""
    return _of_each(document["trends"], "shifts", SHIFTS)


COLLECTED: Mapping[str, Callable[[Collected], Export]] = {
    "days": days,
    "rounds": rounds,
    "outcomes": outcomes,
}
ANSWERED: Mapping[str, Answered] = {
    "levels": Answered("overview", levels),
    "densities": Answered("overview", densities),
    "bounds": Answered("quantiles", bounds),
    "dependence": Answered("dependence", dependence),
    "groups": Answered("screenings", groups),
    "screened": Answered("screenings", screened),
    "trends": Answered("trends", points),
    "shifts": Answered("trends", shifts),
}


def file_links(title: str, path: str, query: str = "") -> Markup:
    """Return links to a table as files; ``path`` leads to it, up to the kind of the file."""
    links = [
        text("a", own.name, href=f"{path}.{kind}{query}", aria_label=f"{title}: {own.name}")
        for kind, own in KINDS.items()
    ]
    return element("span", text("span", f"{title}: "), Markup(" · ".join(links)))


def table_links(
    root: str, titles: Mapping[str, str], fields: Mapping[str, object] | None = None
) -> Markup:
    """Return links to some tables, by name; ``root`` leads from the page to the dashboard."""
    query = f"?{urlencode(fields)}" if fields else ""
    named = (file_links(title, f"{root}tables/{name}", query) for name, title in titles.items())
    return element("p", *named, class_="take")


def _of_each(
    tried: Iterable[TriedScreening | TriedSeries],
    part: str,
    heads: Sequence[str],
    legend: Legend | None = None,
) -> Export:
    """Return the rows of a part of everything that was found, with its attribute first.

    With a legend, dates and times of day stand as such.
    """
    rows: list[Sequence[Cell]] = []
    for each in tried:
        found: Mapping[str, Any] = each["found"] or {part: ()}
        for row in found[part]:
            own = {head: row[head] for head in heads}
            if legend is not None and MEAN in own.values():
                write = _written(legend, each["name"])
                own |= {head: write(own[head]) for head in MOMENTS & own.keys()}
            rows.append((each["name"], *own.values()))
    return Export(("attribute", *heads), rows)


def _written(legend: Legend, name: str) -> Callable[[float | None], Cell]:
    """Return how numbers of an attribute stand in files: dates and times of day as such."""
    moment = legend.moments.get(name)
    return lambda value: value if moment is None or value is None else moment.written(value)
