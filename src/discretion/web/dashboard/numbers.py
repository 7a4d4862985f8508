"""The panel of numbers: mean, quantiles and density of each, with their uncertainty."""

from collections.abc import Mapping, Sequence
from typing import Any

from discretion.synthesis.markup import element, text
from discretion.synthesis.words import percent
from discretion.web.dashboard.density import density_chart
from discretion.web.dashboard.found import Found, said, warned
from discretion.web.dashboard.tables import card, figure, folded, table
from discretion.web.dashboard.words import (
    Write,
    between,
    liars,
    measure,
    moved,
    on_grid,
    percent_of,
    worth,
)

LEGEND = "Density: line, and its 95 % band. Upright line: the mean; below it its 95 % interval."
Tried = Mapping[str, Any]


def number_card(tried: Tried, curves: Found | None, *, whole: bool, attacked: Found | None) -> str:
    """Return the card of a number; ``attacked`` has its quantiles with margins, if wanted."""
    name, found = tried["name"], tried["found"]
    notes = warned(tried["warnings"])
    if found is None:
        return card("numbers", name, notes, said(tried["reason"]))
    write = measure(found["mean"]["stderr"])
    content = [
        element("p", text("strong", _mean(found["mean"], write)), class_="lead"),
        text("p", worth(found), class_="note"),
        notes,
        figure(density_chart(name, found), LEGEND),
        text("p", liars(found["margins"], write), class_="note"),
        _attacked(name, attacked) if attacked else _quantiles(name, curves or Found()),
    ]
    numbers = table(f"{name}: shares", ["from", "to", "share", "95 % interval"], _shares(found))
    opened = element("div", numbers) if whole else folded(f"The density of {name}", numbers)
    return card("numbers", name, *content, opened)


def _mean(mean: Mapping[str, Any], write: Write) -> str:
    ends = between(mean["low"], mean["high"], write)
    return f"Mean {write(mean['value'])} (95 % interval {ends})"


def _quantiles(name: str, curves: Found) -> str:
    """Return the quantiles, which may come later than the rest."""
    if curves.document is None:
        return said(curves.reason)
    own = next(each for each in curves.document["curves"] if each["name"] == name)
    if own["found"] is None:
        return said(own["reason"])
    rows = [_row(each) for each in own["found"]["quantiles"]]
    return table(f"{name}: quantiles", ["quantile", "value", "95 % interval"], rows)


def _attacked(name: str, attacked: Found) -> str:
    """Return the quantiles with what liars make of them."""
    if attacked.document is None:
        return said(attacked.reason)
    margins: Sequence[Any] = attacked.document["margins"]
    heads = [f"{percent_of(each['share'])} of lies" for each in margins]
    rows = [
        [*_row(each), *(_shift(own["margins"][i]) for own in margins)]
        for i, each in enumerate(attacked.document["quantiles"])
    ]
    head = ["quantile", "value", "95 % interval", *heads]
    return table(f"{name}: quantiles, and how far lies move them", head, rows)


def _row(row: Mapping[str, Any]) -> list[str]:
    name = "median" if row["level"] == 0.5 else f"{percent_of(row['level'])} have less"
    return [name, on_grid(row["value"]), between(row["low"], row["high"], on_grid)]


def _shift(row: Mapping[str, Any]) -> str:
    return moved(row["down"], row["up"], on_grid)


def _shares(found: Mapping[str, Any]) -> list[list[str]]:
    density = found["density"]
    ends = zip(density["edges"], density["edges"][1:], strict=False)
    rows = zip(ends, density["value"], density["low"], density["high"], strict=True)
    return [
        [on_grid(a), on_grid(b), percent(value), between(low, high, percent)]
        for (a, b), value, low, high in rows
    ]
