"""What is published about each question: in JSON, and on a card in plain words with a chart."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypedDict

from discretion.estimate.documents.shares import Frequency
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
from discretion.render.labels import END
from discretion.render.markup import Markup, lines, text
from discretion.render.page import card, figure, folded, scrolled
from discretion.render.tables import Table
from discretion.schema import NOT_APPLICABLE
from discretion.web.dashboard.documents import (
    Density,
    Frequencies,
    Mean,
    Ranges,
    Rows,
    TriedLabels,
    TriedNumber,
    TriedOther,
    TriedRanges,
)
from discretion.web.dashboard.numbers import chart
from discretion.web.dashboard.ranges import end_of, named

LTR = "\u2066"  # around a date, which is read from the left in all languages, on one line
DATE = re.compile(r"\d{4}-\d\d-\d\d")
SPOKEN = 5  # labels that the text alternative of a chart names
Say = Mapping[str, str]


class Renewed(TypedDict):
    """The version in which an estimate was renewed last: it may be older than the others."""

    key: str
    answers: int
    version: int
    day: str


class Labels(TriedLabels, Renewed):
    """How frequent the values of an attribute are."""


class Number(TriedNumber, Renewed):
    """The mean of a number, and its density."""


class ShownRanges(TriedRanges, Renewed):
    """Shares of ranges of an ordered attribute."""


class Other(TriedOther, Renewed):
    """Any other statistic of an attribute."""


Estimate = Labels | Number | ShownRanges | Other


class Version(TypedDict):
    """All that is published about a round."""

    plan: str
    round: int
    version: int
    day: str
    reports: int
    least: int
    estimates: Sequence[Estimate]


def estimate_card(own: Estimate, legend: Legend, say: Say) -> Markup:
    """Return the card of an estimate: what was found, or that nothing could be."""
    name, found = own["name"], own["found"]
    count = written(own["answers"], say)
    counted = _dated(say["answers"].format(count=count, day=own["day"]))
    return card(
        own["key"],
        legend.question(name),
        text("p", say["failed"])
        if found is None
        else CONTENT[own["kind"]](found, name, legend, say),
        text("p", say["careful"], class_="warning") if own["warnings"] else "",
        text("p", counted, class_="note"),
    )


def written(count: int, say: Say) -> str:
    """Write a count in a language."""
    return _local(say)(lambda value: f"{value:,.0f}")(count)


def empty_card(name: str, said: str, legend: Legend) -> Markup:
    """Return the card of a question about which nothing is published, with the reason."""
    return card("empty", legend.question(name), text("p", said, class_="note"))


def _labels(found: Frequencies, name: str, legend: Legend, say: Say) -> Markup:
    """Return the shares of labels: the largest in words, a chart, and all of them in a table.

    Of a conditional question they are among those to whom it applies.
    """
    applicable = found.get("applicable")
    question, write = legend.question(name), _local(say)(percent)
    rows = applicable or found["frequencies"]
    bars = [Bar(legend.label(name, row["label"]), (_interval(row),)) for row in rows]
    drawn = most_frequent(bars)
    first = max(bars, key=lambda bar: bar.series[0].value)
    value, low, high = map(write, first.series[0])
    spoken = "; ".join(f"{bar.label} {write(bar.series[0].value)}" for bar in drawn[:SPOKEN])
    cells = [
        (bar.label, write(own.value), interval(own.low, own.high, write, say["between"]))
        for bar in bars
        for own in bar.series
    ]
    others = sum(r["value"] for r in found["frequencies"] if r["label"] == NOT_APPLICABLE)
    applies = text("p", say["applies"].format(share=write(_share(1.0 - others))))
    chart = bar_chart(
        drawn, say["shares"].format(question=question, values=spoken), form=say["between"]
    )
    return lines(
        [
            applies if applicable else "",
            text("p", say["most"].format(label=first.label, value=value, low=low, high=high)),
            figure(chart, say["bars"]),
            _table((say["answer"], say["share"], say["likely"]), cells, question, say),
        ]
    )


def _number(found: Mean, name: str, legend: Legend, say: Say) -> Markup:
    """Return a number: its mean in words, its density, and the shares of its bins."""
    mean, local = found["mean"], _local(say)
    question, unit = legend.question(name), legend.unit(name)
    write, edge = (
        legend.write(name, local(measured(mean["stderr"]))),
        legend.bare(name, local(on_grid)),
    )
    low, high = (UNKNOWN if end is None else write(end) for end in (mean["low"], mean["high"]))
    drawn = chart(name, found, legend, say["spread"], local)
    said = say["mean"].format(value=write(mean["value"]), low=low, high=high)
    ends = (f"{say[end]} ({unit})" if unit else say[end] for end in ("from", "to"))
    rows = _shares(found["density"], edge, say)
    shares = _table((*ends, say["share"], say["likely"]), rows, question, say)
    return lines(
        [
            text("p", _dated(said)),
            figure(drawn, f"{say['density']}{unit and f' ({unit})'}"),
            folded(f"{say['numbers']}: {question}", shares),
        ]
    )


def _shares(density: Density, edge: Write, say: Say) -> list[tuple[str, ...]]:
    write = _local(say)(percent)
    columns = density["value"], density["low"], density["high"]
    cells = zip(pairwise(density["edges"]), *columns, strict=True)
    return [
        (edge(a), edge(b), write(value), interval(low, high, write, say["between"]))
        for (a, b), value, low, high in cells
    ]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], question: str, say: Say) -> Markup:
    """Return a table whose card says what it is about; a screen reader hears it again."""
    return scrolled(Table(heads, rows).html(), f"{say['numbers']}: {question}")


def _local(say: Say) -> Callable[[Write], Write]:
    """Return how numbers are written in a language: its minus, decimal point and thousands."""
    marks = str.maketrans({"-": say["minus"], ".": say["point"], ",": say["thousands"]})
    return lambda write: lambda value: write(value).translate(marks)


def _ranges(found: Ranges, name: str, legend: Legend, say: Say) -> Markup:
    """Return the shares of ranges: a chart, and all of them in a table."""
    local, question = _local(say), legend.question(name)
    write, end = local(percent), end_of(name, legend, local(on_grid))
    bars = [
        Bar(named(row, end, say["between"]), (Interval(row["value"], row["low"], row["high"]),))
        for row in found["ranges"]
    ]
    cells = [
        (bar.label, write(own.value), interval(own.low, own.high, write, say["between"]))
        for bar in bars
        for own in bar.series
    ]
    read = "; ".join(f"{label} {share}" for label, share, _ in cells)
    spoken = say["shares"].format(question=question, values=read)
    heads = (say["answer"], say["share"], say["likely"])
    chart = figure(bar_chart(bars, spoken, form=say["between"]), say["bars"])
    return lines([chart, _table(heads, cells, question, say)])


def _other(found: Rows, name: str, legend: Legend, say: Say) -> Markup:
    """Return any other result as a table."""
    rows = [tuple(legend.label(name, _cell(cell)) for cell in row) for row in found["rows"]]
    return _table(found["heads"], rows, legend.question(name), say)


def _cell(value: str | float | None) -> str:
    if value is None:
        return UNKNOWN
    return number(value) if isinstance(value, float) else str(value)


def _interval(row: Frequency) -> Interval:
    low, high = row["low"], row["high"]
    return Interval(
        _share(row["value"]), 0.0 if low is None else low, 1.0 if high is None else high
    )


def _share(value: float) -> float:
    """Return a share that people can read: an unbiased estimate may lie outside 0 to 1."""
    return min(max(value, 0.0), 1.0)


def _dated(sentence: str) -> str:
    """Return a sentence whose dates are neither broken between lines nor turned around."""
    return DATE.sub(
        lambda found: f"{LTR}{found[0].replace('-', chr(0x2011))}{END}",  # a hyphen without a break
        sentence,
    )


CONTENT: Mapping[str, Callable[[Any, str, Legend, Say], Markup]] = {
    "labels": _labels,
    "number": _number,
    "ranges": _ranges,
    "other": _other,
}
