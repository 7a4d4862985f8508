"""The panel of labels: how frequent each is, with its interval and its manipulation bounds."""

from discretion.estimate.documents import Frequency, Moved
from discretion.render.bars import Bar, Interval, bar_chart, most_frequent
from discretion.render.formats import interval, percent, points
from discretion.render.markup import Markup, text
from discretion.render.page import card, figure, folded, tabulated
from discretion.render.tables import Table
from discretion.web.dashboard.documents import Frequencies, TriedLabels
from discretion.web.dashboard.words import (
    BELOW,
    false_reports,
    manipulation,
    moved,
    said,
    warned,
    worth,
)

PLAIN = "Bar: estimate. On it: its 95 % interval."
UNBOUNDED = "How far false reports move the frequencies of texts is not known."
LEGEND = "Bar: estimate. On it: its 95 % interval. Line below: where {} could move it."
SPOKEN = 5  # labels that the text alternative of a chart names


def labels_card(tried: TriedLabels, *, whole: bool) -> Markup:
    """Return the card of an attribute with labels; the ``whole`` one has its table open."""
    name, found = tried["name"], tried["found"]
    notes = warned(tried["warnings"])
    if found is None:
        return card("labels", name, notes, said(tried["reason"]))
    bars = bars_of(found)
    drawn = bars if whole else most_frequent(bars)
    bounds = found["margins"]
    bound = false_reports(bounds[0]) if bounds else ""
    chart = bar_chart(drawn, _spoken(name, drawn), bound=bound)
    legend = LEGEND.format(bound) if bounds else PLAIN
    if len(drawn) < len(bars):
        count = f"The {len(drawn)} most frequent of {len(bars)} labels; the table has all."
        legend = f"{count} {legend}"
    numbers = _numbers(found)
    return card(
        "labels",
        name,
        text("p", worth(found), class_="note"),
        notes,
        figure(chart, legend),
        text("p", manipulation(bounds, points) if bounds else UNBOUNDED, class_="note"),
        numbers if whole else folded(f"The numbers for {name}", numbers),
    )


def bars_of(found: Frequencies) -> list[Bar]:
    """Return a bar for each label, in the plan's order."""
    rows, bounds = found["frequencies"], found["margins"]
    if not bounds:
        return [_bar(row, None) for row in rows]
    return [_bar(row, by) for row, by in zip(rows, bounds[0]["margins"], strict=True)]


def _bar(row: Frequency, by: Moved | None) -> Bar:
    value, low, high = row["value"], row["low"], row["high"]
    own = Interval(value, 0.0 if low is None else low, 1.0 if high is None else high)
    if by is None or by["down"] is None or by["up"] is None:
        return Bar(row["label"], (own,))
    return Bar(row["label"], (own,), bound=(value + by["down"], value + by["up"]))


def _spoken(name: str, bars: list[Bar]) -> str:
    first = [f"{bar.label} {percent(bar.series[0].value)}" for bar in bars[:SPOKEN]]
    more = "; and more" if len(bars) > SPOKEN else ""
    return f"Frequencies of {name} with 95 % intervals: {'; '.join(first)}{more}. {BELOW}"


def _numbers(found: Frequencies) -> Markup:
    bounds = found["margins"]
    heads = ("label", "frequency", "95 % interval", *map(false_reports, bounds))
    rows = [
        (
            row["label"],
            percent(row["value"]),
            interval(row["low"], row["high"], percent),
            *(moved(each["margins"][i], lambda share: f"{100 * share:.1f}") for each in bounds),
        )
        for i, row in enumerate(found["frequencies"])
    ]
    name = found["attribute"]
    caption = f"{name}: frequencies, and points by which false reports move them"
    return tabulated(Table(heads, rows, caption))
