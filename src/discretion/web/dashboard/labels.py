"""The panel of labels: how frequent each is, with its interval and its margins."""

from collections.abc import Mapping
from typing import Any

from discretion.synthesis.markup import element, text
from discretion.synthesis.words import percent
from discretion.web.dashboard.bars import bars_of, frequency_chart, most_frequent
from discretion.web.dashboard.found import said, warned
from discretion.web.dashboard.tables import card, figure, folded, table
from discretion.web.dashboard.words import between, liars, moved, percent_of, points, worth

LEGEND = "Bar: estimate. On it: its 95 % interval. Line below: what {} of lies could make of it."


def labels_card(tried: Mapping[str, Any], *, whole: bool) -> str:
    """Return the card of an attribute with labels; the ``whole`` one has its table open."""
    name, found = tried["name"], tried["found"]
    notes = warned(tried["warnings"])
    if found is None:
        return card("labels", name, notes, said(tried["reason"]))
    bars = bars_of(found)
    drawn = bars if whole else most_frequent(bars)
    share = percent_of(found["margins"][0]["share"])
    chart = frequency_chart(name, drawn, share)
    content = [
        text("p", worth(found), class_="note"),
        notes,
        figure(chart, _caption(len(drawn), len(bars), share)),
        text("p", liars(found["margins"], points), class_="note"),
    ]
    numbers = _numbers(found)
    content.append(element("div", numbers) if whole else folded(f"The numbers for {name}", numbers))
    return card("labels", name, *content)


def _caption(drawn: int, labels: int, share: str) -> str:
    legend = LEGEND.format(share)
    if drawn == labels:
        return legend
    return f"The {drawn} most frequent of {labels} labels; the table has all. {legend}"


def _numbers(found: Mapping[str, Any]) -> str:
    margins = found["margins"]
    heads = ["label", "frequency", "95 % interval"]
    heads += [f"{percent_of(each['share'])} of lies" for each in margins]
    rows = [
        [
            row["label"],
            percent(row["value"]),
            between(row["low"], row["high"], percent),
            *(_moved(each["margins"][i]) for each in margins),
        ]
        for i, row in enumerate(found["frequencies"])
    ]
    return table(
        f"{found['attribute']}: frequencies, and points by which lies move them", heads, rows
    )


def _moved(row: Mapping[str, Any]) -> str:
    return moved(row["down"], row["up"], lambda share: f"{100 * share:.1f}")
