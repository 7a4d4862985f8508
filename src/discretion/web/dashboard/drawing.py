"""The picture of an analysis: bars, dots with intervals, a map of two attributes, or a density."""

from itertools import pairwise
from typing import cast

from discretion.render.bars import Bar, Interval, bar_chart, most_frequent
from discretion.render.density import density_chart
from discretion.render.forest import Block, fitting, forest_chart
from discretion.render.forest import Row as Dot
from discretion.render.formats import on_grid, percent
from discretion.render.heat import WRITTEN
from discretion.render.line import Moment, line_chart
from discretion.render.markup import Markup, element, text
from discretion.render.page import figure, scrolled
from discretion.web.dashboard.documents import Measure
from discretion.web.dashboard.pair import Share, heat_map
from discretion.web.dashboard.seen import DIFFERENCE, ROUND, Seen, grouped
from discretion.web.dashboard.words import BELOW

SPOKEN = 5  # rows that the text alternative of a picture names
BARS = "Bar: estimate. On it: its {} % interval."
DOTS = "Dot: estimate. Line: its {} % interval."
LINES = "Line: estimate, with its {} % band. Dots: each round by itself."
CURVES = 5
POINTS = " In percentage points."
MAP = "In per cent, ± half of each {} % interval; the stronger the colour, the more frequent."
SHADES = (
    "Most frequent values only; the stronger the colour, the more frequent. The table has numbers."
)
DENSITY = "Density: the area over a range is its share. Line: estimate; band: {} % intervals."
LEFT_OUT = " {:,} more rows are in the table."


def drawn(seen: Seen, title: str) -> Markup:
    """Return the picture with its caption, or nothing where there is nothing to draw."""
    measure, rows = seen.measure, seen.rows
    if measure is None or not any(seen.own(row, measure) for row in rows):
        return Markup("")
    if seen.inquiry.statistic.several and len(seen.names) == 2:
        return _map(seen, measure, title)
    if ROUND in seen.names:
        return _curves(seen, measure, title)
    if seen.names == ["from", "to"] and _adjoin(seen):
        return _density(seen, measure, title)
    if seen.of_shares(measure) and len(seen.names) == 1 and measure["value"] != DIFFERENCE:
        return _bars(seen, measure, title)
    return _dots(seen, measure, title)


def _bars(seen: Seen, measure: Measure, title: str) -> Markup:
    bars = []
    for row in seen.rows:
        own = seen.own(row, measure)
        if own is not None:
            bars.append(Bar(", ".join(seen.called(row)), (own,)))
    kept = bars if seen.inquiry.sort else most_frequent(bars)
    caption = BARS.format(seen.inquiry.confidence) + _left_out(len(bars) - len(kept))
    first = [f"{bar.label} {percent(bar.series[0].value)}" for bar in kept[:SPOKEN]]
    return figure(bar_chart(kept, _spoken(title, first, len(kept))), caption)


def _dots(seen: Seen, measure: Measure, title: str) -> Markup:
    """Draw a block for each answer, with the groups below one another, or all in one block."""
    write, apart = seen.write(measure), measure["value"] == DIFFERENCE
    parted = len(seen.names) > 1
    blocks = [
        Block(
            name if parted else "",
            [Dot(", ".join(_rest(seen.called(r), parted)), seen.own(r, measure)) for r in own],
        )
        for name, own in grouped(seen.rows, lambda r: seen.called(r)[-1] if parted else "")
    ]
    if all(len(block.rows) == 1 for block in blocks):
        blocks = [Block("", [Dot(b.title or b.rows[0].label, b.rows[0].own) for b in blocks])]
    kept, hidden = fitting(blocks)
    shares = seen.of_shares(measure)
    first = [
        f"{' '.join(filter(None, [block.title, row.label]))} {write(row.own.value)}"
        for block in kept
        for row in block.rows
        if row.own is not None
    ]
    said = _spoken(title, first[:SPOKEN], len(first))
    tick = seen.tick(measure)
    chart = forest_chart(kept, said, write, tick, shares=shares, zero=apart)
    caption = DOTS.format(seen.inquiry.confidence) + (POINTS if apart and shares else "")
    return figure(chart, caption + _left_out(hidden))


def _curves(seen: Seen, measure: Measure, title: str) -> Markup:
    """Draw a curve over rounds for each answer, the most frequent ones in the last round."""
    write, figures = seen.write(measure), []
    curves = [*grouped(seen.rows, lambda row: seen.called(row)[-1])]
    for name, rows in curves[:CURVES]:
        points = []
        for row in sorted(rows, key=lambda row: int(cast(int, row[ROUND]))):
            own, alone = seen.own(row, measure), seen.own(row, seen.measures[0])
            if own is not None and alone is not None:
                said = f"{seen.called(row)[0]}: {write(own.value)}, {write(alone.value)} by itself"
                points.append(Moment(int(cast(int, row[ROUND])), own, alone.value, said))
        spoken = [f"{point.round}: {write(point.curve.value)}" for point in points]
        label = _spoken(f"{title}, {name}", spoken[:SPOKEN], len(spoken))
        figures.append(figure(line_chart(points, (), label, write), name))
    note = LINES.format(seen.inquiry.confidence) + _left_out(
        len(seen.rows) - sum(len(rows) for _, rows in curves[:CURVES])
    )
    return element("div", *figures, text("p", note, class_="note"))


def _map(seen: Seen, measure: Measure, title: str) -> Markup:
    shares = []
    for row in seen.rows:
        own, (down, across) = seen.own(row, measure), seen.called(row)
        if own is not None:
            shares.append(Share(down, across, *own))
    heat = heat_map(seen.names, shares)
    most = max(shares, key=lambda share: share.value)
    label = f"{title}. Most frequent: {most}. {BELOW}"
    caption = MAP.format(seen.inquiry.confidence) if heat.size == WRITTEN else SHADES
    return figure(scrolled(heat.draw(label), f"Map of {' and '.join(seen.names)}"), caption)


def _density(seen: Seen, measure: Measure, title: str) -> Markup:
    rows = sorted(seen.rows, key=lambda row: cast(float, row["from"]))
    edges = [*(float(cast(float, row["from"])) for row in rows), float(cast(float, rows[-1]["to"]))]
    shares = [seen.own(row, measure) or Interval(0.0, 0.0, 1.0) for row in rows]
    name = seen.inquiry.names[0]
    moment = seen.legend.moments.get(name)
    ticks = seen.legend.ticks(name, edges[0], edges[-1])
    chart = density_chart(
        edges,
        shares,
        f"{title}. {BELOW}",
        write=on_grid if moment is None else moment.write,
        ticks=ticks,
    )
    unit = seen.legend.unit(name)
    caption = DENSITY.format(seen.inquiry.confidence) + (f" In {unit}." if unit else "")
    return figure(chart, caption)


def _adjoin(seen: Seen) -> bool:
    """Whether the rows are bins, one after the other, and not ranges that may overlap."""
    ends = sorted((row["from"], row["to"]) for row in seen.rows if isinstance(row["from"], float))
    touching = all(a[1] == b[0] for a, b in pairwise(ends))
    return len(ends) == len(seen.sheet["rows"]) > 1 and touching


def _rest(names: list[str], parted: bool) -> list[str]:
    return names[:-1] if parted else names


def _spoken(title: str, first: list[str], count: int) -> str:
    more = "; and more" if count > SPOKEN else ""
    return f"{title}: {'; '.join(first)}{more}. {BELOW}"


def _left_out(hidden: int) -> str:
    return LEFT_OUT.format(hidden) if hidden > 0 else ""
