"""The panel of ranges: the shares of ten, and of any that somebody drags or types."""

import json
from collections.abc import Callable

from discretion.estimate.documents.numbers import Range, Steps
from discretion.estimate.legend import Legend
from discretion.render.bars import Bar, Interval, bar_chart
from discretion.render.formats import Write, counted, interval, on_grid, percent, points
from discretion.render.markup import Markup, element, text
from discretion.render.page import card, figure, folded, identity, tabulated
from discretion.render.tables import Table
from discretion.web.dashboard.documents import Ranges, TriedRanges
from discretion.web.dashboard.words import (
    BELOW,
    false_reports,
    manipulation,
    moved,
    said,
    warned,
)

CAPTION = "Bar: share of a range. On it: its 95 % interval. Line below: how far {} could move it."
SPOKEN = "Shares of ranges of {} with 95 % intervals: {}. {}"
EndOf = Callable[[str], str]
ENDS = {"first": "From", "last": "To"}


def ranges_card(tried: TriedRanges, legend: Legend, way: str = "", *, whole: bool) -> Markup:
    """Return the card of an ordered attribute; the ``whole`` one has its table open."""
    name, found = tried["name"], tried["found"]
    title, notes = legend.title(name), warned(tried["warnings"])
    if found is None:
        return card("ranges", title, notes, said(tried["reason"]))
    bounds, bars = found["margins"], bars_of(found, legend)
    bound = false_reports(bounds[0])
    read = ", ".join(f"{bar.label} {percent(bar.series[0].value)}" for bar in bars)
    chart = bar_chart(bars, SPOKEN.format(legend.question(name), read, BELOW), bound=bound)
    numbers = _numbers(found, legend)
    return card(
        "ranges",
        title,
        text(
            "p", f"{counted(found['reports'], 'answer')}; method {found['method']}.", class_="note"
        ),
        notes,
        _chosen(found["attribute"], found["steps"], legend) if "steps" in found else Markup(""),
        element(
            "div", figure(chart, CAPTION.format(bound)), numbers if whole else "", class_="beside"
        ),
        text("p", manipulation(bounds, points), class_="note"),
        "" if whole else folded(f"The ranges of {name}", numbers),
        way=way,
    )


def bars_of(found: Ranges, legend: Legend) -> list[Bar]:
    """Return a bar for each range."""
    write, bars = end_of(found["attribute"], legend), []
    for row, by in zip(found["ranges"], found["margins"][0]["margins"], strict=True):
        own, down, up = Interval(row["value"], row["low"], row["high"]), by["down"], by["up"]
        bound = None if down is None or up is None else (own.value + down, own.value + up)
        bars.append(Bar(named(row, write), (own,), bound=bound))
    return bars


def end_of(name: str, legend: Legend, local: Write = on_grid) -> EndOf:
    """Return how an end of a range is written: a number, a date or a label."""
    write = legend.bare(name, local)

    def written(end: str) -> str:
        try:
            return write(float(end))
        except ValueError:
            return legend.label(name, end)

    return written


def named(row: Range, write: EndOf, form: str = "{low} to {high}") -> str:
    """Return both ends of a range, or the one that it has."""
    low, high = write(row["from"]), write(row["to"])
    return low if low == high else form.format(low=low, high=high)


def _chosen(name: str, steps: Steps, legend: Legend) -> Markup:
    """Return the fields of a range, which a script fills: without it there is the table."""
    key, write, unit = identity("range", name), end_of(name, legend), legend.unit(name)
    ends = {"first": [*map(write, steps["first"])], "last": [*map(write, steps["last"])]}
    fields = [
        element(
            "div",
            text("label", f"{label} ({unit})" if unit else label, for_=f"{key}-{end}"),
            element("input", type="text", id=f"{key}-{end}", data_end=end, list=f"{key}-{end}s"),
            element(
                "datalist", *(element("option", value=v) for v in ends[end]), id=f"{key}-{end}s"
            ),
            element(
                "input",
                type="range",
                min=0,
                max=len(ends[end]) - 1,
                data_slides=end,
                aria_label=f"{label}, to be dragged",
            ),
            class_="end",
        )
        for end, label in ENDS.items()
    ]
    known = {**ends, "below": steps["below"], "stderr": steps["stderr"]}
    output = element("output", class_="lead", for_=" ".join(f"{key}-{end}" for end in ENDS))
    shown = element("div", *fields, output, class_="chosen", hidden="")
    data = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
    return element("chosen-range", shown, id=key, data_steps=data)


def _numbers(found: Ranges, legend: Legend) -> Markup:
    name, bounds = found["attribute"], found["margins"]
    write = end_of(name, legend)
    heads = ("range", "share", "95 % interval", "without assumptions", *map(false_reports, bounds))
    rows = [
        (
            named(row, write),
            percent(row["value"]),
            interval(row["low"], row["high"], percent),
            interval(row["linear"]["low"], row["linear"]["high"], percent),
            *(moved(own["margins"][i], lambda share: f"{100 * share:.1f}") for own in bounds),
        )
        for i, row in enumerate(found["ranges"])
    ]
    caption = f"{name}: shares of ranges, and points by which false reports move them"
    return tabulated(Table(heads, rows, caption))
