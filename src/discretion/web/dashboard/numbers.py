"""The panel of numbers: mean, quantiles and density of each, with their uncertainty."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from discretion.estimate.documents.numbers import Quantile
from discretion.estimate.legend import Legend
from discretion.render.bars import Interval
from discretion.render.density import density_chart
from discretion.render.formats import (
    Write,
    interval,
    measured,
    on_grid,
    percent,
    round_percent,
)
from discretion.render.markup import Markup, element, text
from discretion.render.page import card, figure, folded, tabulated
from discretion.render.tables import Table
from discretion.web.dashboard.documents import (
    Curves,
    Density,
    Found,
    Mean,
    Quantiles,
    TriedNumber,
)
from discretion.web.dashboard.words import (
    BELOW,
    doubted,
    false_reports,
    manipulation,
    moved,
    said,
    waiting,
    warned,
    worth,
)

LEGEND = (
    "Density, people per unit: line, and its 95 % band. The area over a range is its share. "
    "Upright line: the mean; below it its 95 % interval."
)
SPOKEN = "The density of {question} with its 95 % band: highest between {low} and {high}. " + BELOW


def number_card(
    tried: TriedNumber,
    curves: Found[Curves] | None,
    legend: Legend,
    way: str = "",
    *,
    whole: bool,
    attacked: Found[Quantiles] | None,
) -> Markup:
    """Return the card of a number; ``attacked`` has its quantiles with bounds, if wanted."""
    name, found = tried["name"], tried["found"]
    title, notes = legend.title(name), warned(tried["warnings"])
    if found is None:
        return card("numbers", title, notes, said(tried["reason"]))
    mean, write = found["mean"], legend.write(name, measured(found["mean"]["stderr"]))
    grid, unit = legend.write(name, on_grid), legend.unit(name)
    differ = legend.difference(name, measured(found["mean"]["stderr"]))
    ends = interval(mean["low"], mean["high"], write)
    shares = _shares(name, found["density"], grid)
    return card(
        "numbers",
        title,
        element(
            "p",
            text("strong", f"Mean {write(mean['value'])} (95 % interval {ends})"),
            class_="lead",
        ),
        text("p", worth(found), class_="note"),
        notes,
        element(
            "div",
            figure(chart(name, found, legend), f"{LEGEND}{unit and f' In {unit}.'}"),
            _attacked(name, attacked, grid, differ)
            if attacked
            else _quantiles(name, curves or Found(), grid),
            class_="beside",
        ),
        text("p", manipulation(found["margins"], differ), class_="note"),
        shares if whole else folded(f"The density of {name}", shares),
        way=way,
    )


def chart(
    name: str,
    found: Mean,
    legend: Legend,
    spoken: str = SPOKEN,
    local: Callable[[Write], Write] = lambda write: write,
) -> Markup:
    """Draw the density of a number, and its mean.

    ``spoken`` is its text alternative; ``local`` writes numbers as another language does.
    """
    density, mean = found["density"], found["mean"]
    edges = density["edges"]
    columns = density["value"], density["low"], density["high"]
    shares = [Interval(*ends) for ends in zip(*columns, strict=True)]
    heights = [own.value / (b - a) for own, (a, b) in zip(shares, pairwise(edges), strict=True)]
    top = max(range(len(heights)), key=heights.__getitem__)
    writes = local(on_grid), local(measured(mean["stderr"]))
    grid, write = (legend.write(name, each) for each in writes)
    highest = {"low": grid(edges[top]), "high": grid(edges[top + 1])}
    value, low, high = mean["value"], mean["low"], mean["high"]
    return density_chart(
        edges,
        shares,
        spoken.format(question=legend.question(name), **highest),
        mean=Interval(value, value if low is None else low, value if high is None else high),
        mean_label=write(value),
        write=legend.moments[name].write if name in legend.moments else writes[0],
        ticks=legend.ticks(name, edges[0], edges[-1]),
    )


def _quantiles(name: str, curves: Found[Curves], write: Write) -> Markup:
    """Return the quantiles, which may come later than the rest."""
    if curves.document is None:
        return said(curves.reason) if curves.reason else waiting(curves)
    own = next(each for each in curves.document["curves"] if each["name"] == name)
    if own["found"] is None:
        return said(own["reason"])
    rows = [_row(each, write) for each in own["found"]["quantiles"]]
    table = Table(("quantile", "value", "95 % interval"), rows, f"{name}: quantiles")
    return Markup(doubted(own["found"]) + tabulated(table))


def _attacked(name: str, attacked: Found[Quantiles], write: Write, differ: Write) -> Markup:
    """Return the quantiles with how far false reports move them."""
    if attacked.document is None:
        return said(attacked.reason) if attacked.reason else waiting(attacked)
    bounds = attacked.document["margins"]
    heads = ("quantile", "value", "95 % interval", *map(false_reports, bounds))
    rows = [
        (*_row(each, write), *(moved(own["margins"][i], differ) for own in bounds))
        for i, each in enumerate(attacked.document["quantiles"])
    ]
    caption = f"{name}: quantiles, and how far false reports move them"
    return Markup(doubted(attacked.document) + tabulated(Table(heads, rows, caption)))


def _row(row: Quantile, write: Write) -> Sequence[str]:
    name = "median" if row["level"] == 0.5 else f"{round_percent(row['level'])} have less"
    return name, write(row["value"]), interval(row["low"], row["high"], write)


def _shares(name: str, density: Density, write: Write) -> Markup:
    columns = density["value"], density["low"], density["high"]
    cells = zip(pairwise(density["edges"]), *columns, strict=True)
    rows = [
        (write(a), write(b), percent(value), interval(low, high, percent))
        for (a, b), value, low, high in cells
    ]
    return tabulated(Table(("from", "to", "share", "95 % interval"), rows, f"{name}: shares"))
