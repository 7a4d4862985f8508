"""A card of the public results: one question, what was answered in plain words, and a chart."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from discretion.estimate.documents import Frequency
from discretion.estimate.legend import Legend
from discretion.render.bars import Bar, Interval, bar_chart, most_frequent
from discretion.render.formats import (
    UNKNOWN,
    Write,
    interval,
    measured,
    number,
    on_grid,
    percent,
)
from discretion.render.markup import Markup, lines, text
from discretion.render.page import card, figure, folded, tabulated
from discretion.render.tables import Table
from discretion.web.dashboard.documents import Density, Frequencies, Mean, Rows
from discretion.web.dashboard.numbers import chart
from discretion.web.results.version import Estimate

SPOKEN = 5  # labels that the text alternative of a chart names
Say = Mapping[str, str]


def estimate_card(own: Estimate, legend: Legend, say: Say) -> Markup:
    """Return the card of an estimate: what was found, or that nothing could be."""
    name, found = own["name"], own["found"]
    if own["kind"] == "labels":
        content = own["found"] and _labels(own["found"], legend, say)
    elif own["kind"] == "number":
        content = own["found"] and _number(own["found"], legend, say)
    else:
        content = own["found"] and _other(own["found"], name, legend)
    counted = say["answers"].format(count=f"{own['answers']:,}", day=own["day"])
    return card(
        own["key"],
        legend.question(name),
        text("p", say["failed"]) if found is None else content or "",
        text("p", say["careful"], class_="warning") if own["warnings"] else "",
        text("p", counted, class_="note"),
    )


def empty_card(name: str, said: str, legend: Legend) -> Markup:
    """Return the card of a question about which nothing is published, with the reason."""
    return card("empty", legend.question(name), text("p", said, class_="note"))


def _labels(found: Frequencies, legend: Legend, say: Say) -> Markup:
    name, applicable = found["attribute"], found.get("applicable") or []
    parts = [_bars(name, found["frequencies"], legend, say)]
    if applicable:
        parts += [text("h4", say["among"]), _bars(name, applicable, legend, say)]
    return lines(parts)


def _bars(name: str, rows: Sequence[Frequency], legend: Legend, say: Say) -> Markup:
    """Return the shares of labels: the largest in words, a chart, and all of them in a table."""
    bars = [Bar(legend.label(name, row["label"]), (_interval(row),)) for row in rows]
    drawn = most_frequent(bars)
    first = max(bars, key=lambda bar: bar.series[0].value)
    value, low, high = map(percent, first.series[0])
    spoken = "; ".join(f"{bar.label} {percent(bar.series[0].value)}" for bar in drawn[:SPOKEN])
    said = say["shares"].format(question=legend.question(name), values=spoken)
    heads = (say["answer"], say["share"], say["likely"])
    cells = [
        (bar.label, percent(own.value), _written(own.low, own.high, percent, say))
        for bar in bars
        for own in bar.series
    ]
    question = legend.question(name)
    return lines(
        [
            text("p", say["most"].format(label=first.label, value=value, low=low, high=high)),
            figure(bar_chart(drawn, said, form=say["between"]), say["bars"]),
            tabulated(Table(heads, cells, question)),
        ]
    )


def _number(found: Mean, legend: Legend, say: Say) -> Markup:
    """Return a number: its mean in words, its density, and the shares of its bins."""
    name, mean = found["attribute"], found["mean"]
    write, grid = (legend.write(name, each) for each in (measured(mean["stderr"]), on_grid))
    ends = (UNKNOWN if end is None else write(end) for end in (mean["low"], mean["high"]))
    low, high = ends
    lead = say["mean"].format(value=write(mean["value"]), low=low, high=high)
    unit = legend.unit(name)
    drawn = chart(name, found, legend, say["spread"])
    shares = _shares(legend.question(name), found["density"], grid, say)
    return lines(
        [
            text("p", lead),
            figure(drawn, f"{say['density']}{unit and f' ({unit})'}"),
            folded(f"{say['numbers']}: {legend.question(name)}", shares),
        ]
    )


def _shares(question: str, density: Density, write: Write, say: Say) -> Markup:
    columns = density["value"], density["low"], density["high"]
    cells = zip(pairwise(density["edges"]), *columns, strict=True)
    rows = [
        (write(a), write(b), percent(value), _written(low, high, percent, say))
        for (a, b), value, low, high in cells
    ]
    heads = (say["from"], say["to"], say["share"], say["likely"])
    return tabulated(Table(heads, rows, question))


def _other(found: Rows, name: str, legend: Legend) -> Markup:
    """Return any other result as a table."""
    rows = [tuple(legend.label(name, _cell(cell)) for cell in row) for row in found["rows"]]
    return tabulated(Table(found["heads"], rows, legend.question(name)))


def _cell(value: str | float | None) -> str:
    if value is None:
        return UNKNOWN
    return number(value) if isinstance(value, float) else str(value)


def _interval(row: Frequency) -> Interval:
    low, high = row["low"], row["high"]
    return Interval(row["value"], 0.0 if low is None else low, 1.0 if high is None else high)


def _written(low: float, high: float, write: Write, say: Say) -> str:
    return interval(low, high, write, say["between"])
