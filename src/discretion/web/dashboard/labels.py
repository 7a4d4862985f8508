"""The panel of labels: how frequent each is, with its interval and its manipulation bounds."""

from discretion.estimate.documents.checks import Moved
from discretion.estimate.documents.shares import Frequency
from discretion.estimate.legend import Legend
from discretion.render.bars import Bar, Interval, bar_chart, most_frequent
from discretion.render.formats import interval, percent, points
from discretion.render.markup import Markup, element, text
from discretion.render.page import card, figure, folded, tabulated
from discretion.render.tables import Table
from discretion.web.dashboard.documents import Frequencies, TriedLabels
from discretion.web.dashboard.words import (
    BELOW,
    doubted,
    false_reports,
    manipulation,
    moved,
    said,
    warned,
    worth,
)

PLAIN = "Bar: estimate. On it: its 95 % interval."
UNBOUNDED = "How far false reports move the frequencies of texts is not known."
LEGEND = "Bar: estimate. On it: its 95 % interval. Line below: how far {} could move it."
AMONG = "among those to whom the question applies"
SPOKEN = 5  # labels that the text alternative of a chart names


def labels_card(tried: TriedLabels, legend: Legend, way: str = "", *, whole: bool) -> Markup:
    """Return the card of an attribute with labels; the ``whole`` one has its table open."""
    name, found = tried["name"], tried["found"]
    title, notes = legend.title(name), warned(tried["warnings"])
    if found is None:
        return card("labels", title, notes, said(tried["reason"]))
    bars = bars_of(found, legend)
    drawn = bars if whole else most_frequent(bars)
    bounds = found["margins"]
    bound = false_reports(bounds[0]) if bounds else ""
    chart = bar_chart(drawn, _spoken(legend.question(name), drawn), bound=bound)
    caption = explained(found) if whole else ""
    if len(drawn) < len(bars):
        count = f"The {len(drawn)} most frequent of {len(bars)} labels; the table has all."
        caption = f"{count} {caption}".strip()
    numbers = _numbers(found, legend)
    return card(
        "labels",
        title,
        text("p", worth(found), class_="note"),
        notes,
        doubted(found),
        element("div", figure(chart, caption), numbers if whole else "", class_="beside"),
        _among(found, legend),
        text("p", manipulation(bounds, points) if bounds else UNBOUNDED, class_="note"),
        "" if whole else folded(f"The numbers for {name}", numbers),
        way=way,
    )


def explained(found: Frequencies) -> str:
    """Return what the marks in the picture of an attribute mean."""
    bounds = found["margins"]
    return LEGEND.format(false_reports(bounds[0])) if bounds else PLAIN


def _among(found: Frequencies, legend: Legend) -> Markup:
    """Return the bars of those alone to whom a question applies, where that is not everybody."""
    rows = found.get("applicable")
    if not rows:
        return Markup("")
    bars = [_bar(legend.label(found["attribute"], row["label"]), row, None) for row in rows]
    drawn = most_frequent(bars)
    spoken = _spoken(f"{legend.question(found['attribute'])}, {AMONG}", drawn)
    return figure(bar_chart(drawn, spoken), f"{AMONG.capitalize()}. {PLAIN}")


def bars_of(found: Frequencies, legend: Legend) -> list[Bar]:
    """Return a bar for each label, in the plan's order."""
    rows, bounds, name = found["frequencies"], found["margins"], found["attribute"]
    moves = bounds[0]["margins"] if bounds else [None] * len(rows)
    pairs = zip(rows, moves, strict=True)
    return [_bar(legend.label(name, row["label"]), row, by) for row, by in pairs]


def _bar(label: str, row: Frequency, by: Moved | None) -> Bar:
    value, low, high = row["value"], row["low"], row["high"]
    own = Interval(value, 0.0 if low is None else low, 1.0 if high is None else high)
    if by is None or by["down"] is None or by["up"] is None:
        return Bar(label, (own,))
    return Bar(label, (own,), bound=(value + by["down"], value + by["up"]))


def _spoken(name: str, bars: list[Bar]) -> str:
    first = [f"{bar.label} {percent(bar.series[0].value)}" for bar in bars[:SPOKEN]]
    more = "; and more" if len(bars) > SPOKEN else ""
    return f"Frequencies of {name} with 95 % intervals: {'; '.join(first)}{more}. {BELOW}"


def _numbers(found: Frequencies, legend: Legend) -> Markup:
    bounds, name = found["margins"], found["attribute"]
    heads = ("label", "frequency", "95 % interval", *map(false_reports, bounds))
    rows = [
        (
            legend.label(name, row["label"]),
            percent(row["value"]),
            interval(row["low"], row["high"], percent),
            *(moved(each["margins"][i], lambda share: f"{100 * share:.1f}") for each in bounds),
        )
        for i, row in enumerate(found["frequencies"])
    ]
    caption = f"{name}: frequencies, and points by which false reports move them"
    return tabulated(Table(heads, rows, caption))
