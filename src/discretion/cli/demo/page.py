"""The demonstration as one HTML file: nothing is fetched, no script runs, it prints and scales."""

from collections.abc import Sequence
from math import ceil

from discretion import __version__
from discretion.budget import epsilon
from discretion.cli.demo import words
from discretion.cli.demo.number import Number
from discretion.cli.demo.owner import Answer, Owner, pretty
from discretion.cli.demo.pair import Pair
from discretion.cli.demo.survey import (
    OWNERS,
    VARIANTS,
    Compared,
    Comparison,
    Estimated,
    Rows,
    coverage,
)
from discretion.device.promise import at_most
from discretion.render.bars import Bar, Interval, bar_chart, deviation_chart, gauge, room_for
from discretion.render.density import density_chart
from discretion.render.formats import in_percent, interval, listed, percent
from discretion.render.heat import Cell, HeatMap
from discretion.render.markup import Markup, element, lines, text
from discretion.render.page import (
    card,
    fact,
    figure,
    filled,
    folded,
    paragraphs,
    standalone_page,
    tabulated,
)
from discretion.render.svg import length, picture, up_to
from discretion.render.tables import Table

EDGES = {"disclosed": "first-edge", "secret": "second-edge"}
BELOW = "The numbers are in the table below."


def page(
    owner: Owner,
    comparisons: Sequence[Comparison],
    pair: Pair,
    number: Number,
    rows: Rows,
    quality: str,
    seed: int,
) -> str:
    """Return the whole page; ``quality`` is where the quality report stands."""
    body = filled(
        "discretion.cli.demo",
        "page.html",
        owners=f"{OWNERS:,}",
        levels=listed([f"{a.attribute} {epsilon(a.level)}" for a in owner.answers]),
        bytes=len(owner.report.to_bytes()),
        report=pretty(owner.report),
        answers=lines(map(_answer, owner.answers)),
        together=words.together(owner),
        crowd=_crowd(comparisons),
        coverage=lines(_coverage(comparisons, variant) for variant in VARIANTS),
        pair=_pair(pair),
        number=_number(number),
        rows=_rows(rows, quality),
        seed=seed,
        version=__version__,
    )
    return standalone_page("Discretion: a demonstration", body)


def bars_of(compared: Compared[Estimated]) -> list[Bar]:
    """Return a bar for each value, with the truth and what each variant estimates."""
    return [
        Bar(
            label,
            tuple(Interval(*compared.reading(variant, code)[:3]) for variant in VARIANTS),
            float(compared.truth[code]),
        )
        for code, label in enumerate(compared.labels)
    ]


def _answer(answer: Answer) -> Markup:
    ratio = answer.law.ratio
    sure = float(words.belief(ratio))
    label = f"50 % before, at most {at_most(100 * words.belief(ratio))} % after"
    sent = listed(answer.sent) or "nothing"
    return element(
        "article",
        text("h4", f"{answer.attribute}, level {epsilon(answer.level)}"),
        text("p", f"Her answer: {answer.true}. The set sent: {sent}."),
        element("div", _dots(words.of_hundred(answer.kept)), text("p", words.kept(answer))),
        element("div", gauge(sure, label, 0.5), text("p", words.worst_case(ratio))),
        class_="card",
    )


def _dots(count: int) -> Markup:
    """Draw a hundred dots, so many of them filled."""
    parts = [
        element(
            "circle",
            cx=length(10 * (i % 10) + 5),
            cy=length(10 * (i // 10) + 5),
            r=3.5,
            class_="kept" if i < count else "other",
        )
        for i in range(100)
    ]
    return picture(100, 100, f"{count} of 100 dots are filled", parts, "dots")


def _coverage(comparisons: Sequence[Comparison], variant: str) -> Markup:
    held, count = coverage(comparisons, variant)
    name = f"{variant} levels"
    return fact(name, f"{held} of {count}", "intervals cover the true value", EDGES[variant])


def _crowd(comparisons: Sequence[Comparison]) -> Markup:
    """Return a card for each attribute; all charts have one scale."""
    charts = {comparison.attribute: bars_of(comparison) for comparison in comparisons}
    bars = [bar for own in charts.values() for bar in own]
    left = room_for(bar.label for bar in bars)
    top = min(up_to(max(own.high for bar in bars for own in bar.series)), 1.0)
    ends = ((end, bar.truth or 0.0) for bar in bars for own in bar.series for end in own)
    most = ceil(100 * max(abs(end - truth) for end, truth in ends))
    cards = []
    for comparison in comparisons:
        own, name = charts[comparison.attribute], comparison.attribute
        shares = f"{name}. How frequent each value is: bars with 95 % intervals. {BELOW}"
        far = f"{name}. How far the estimates are from the truth, in points. {BELOW}"
        one = bar_chart(own, shares, series=VARIANTS, top=top, left=left)
        other = deviation_chart(own, far, series=VARIANTS, most=most, left=left)
        figures = figure(one, "Frequency"), figure(other, "Distance from the truth, in points")
        cards.append(_compared(comparison, f"{words.worth(comparison)}.", *figures))
    return lines(cards)


def _pair(pair: Pair) -> Markup:
    """Return the section on two attributes: how far off the table is, two maps, the numbers."""
    distances = [
        ("taken as unrelated", pair.unrelated, "muted-edge"),
        *((f"{v} levels", pair.distance(v), EDGES[v]) for v in VARIANTS),
    ]
    cards = [fact(name, percent(share), "off the truth", edge) for name, share, edge in distances]
    truth = _map(pair, "in truth", estimated=False)
    estimate = _map(pair, "as estimated", estimated=True)
    article = _compared(
        pair,
        f"{words.held(pair)} {words.dependence(pair)}",
        figure(truth, "Truth, in per cent"),
        figure(estimate, "Estimate (disclosed), ± half of its 95 % interval"),
    )
    said = paragraphs([words.pairs(pair), words.moved(pair)])
    return lines([said, element("dl", *cards, class_="cards"), article])


def _map(pair: Pair, how: str, *, estimated: bool) -> Markup:
    """Draw how frequent each pair of values is; two maps that are compared have one scale."""
    top = float(max(pair.truth.max(), pair.estimates["disclosed"].value.max()))
    cells = []
    for code, label in enumerate(pair.labels):
        row, column = divmod(code, pair.shape[1])
        truth, found = float(pair.truth[code]), pair.reading("disclosed", code)
        share = found.value if estimated else truth
        written = [f"{100 * share:.1f}"]
        title = f"{label}: truth {percent(truth)}"
        if estimated:
            ends = interval(found.low, found.high, percent)
            title = f"{label}: {percent(share)} ({ends}); truth {percent(truth)}"
            written += [f"±{50 * (found.high - found.low):.1f}", *["miss"] * (not found.holds)]
        cells.append(Cell(row, column, share / top, title, tuple(written)))
    (down, across), (rows, columns) = pair.names, pair.sides
    label = f"{pair.attribute}. How frequent each pair is {how}, in per cent. {BELOW}"
    return HeatMap(rows, columns, cells, (down, across)).draw(label)


def _number(number: Number) -> Markup:
    """Return the section on a number: its density, and a table of mean and quantiles."""
    name, histogram = number.attribute, number.histogram
    rows = [
        (
            row.what,
            f"{row.truth:,.0f}",
            f"{row.value:,.0f}",
            interval(row.low, row.high, "{:,.0f}".format),
            "yes" if row.holds else "no",
        )
        for row in number.rows()
    ]
    heads = ("statistic", "truth", "estimate", "95 % interval", "holds")
    shares = zip(histogram.value.tolist(), histogram.interval().tolist(), strict=True)
    chart = density_chart(
        histogram.edges.tolist(),
        [Interval(value, *ends) for value, ends in shares],
        f"The density of {name}: estimate with its band, and truth",
        truth=number.shares.tolist(),
    )
    drawn = figure(chart, "Density with its 95 % band, and the truth")
    table = tabulated(Table(heads, rows, f"{name}: mean and quantiles"))
    note = text("p", words.held_of(number), class_="note")
    article = card("number", name, note, element("div", drawn, table, class_="pair"))
    return lines([text("p", words.numbers(number)), article])


def _rows(rows: Rows, quality: str) -> Markup:
    """Return the section on synthetic rows: a few of them, and a link to their quality report."""
    caption = f"The first of {rows.publication.count:,} rows"
    left = frozenset(range(len(rows.names)))
    table = tabulated(Table(rows.names, rows.first, caption, left=left))
    link = element("p", text("a", "Their quality, in full", href=quality), ".")
    return lines([text("p", words.rows_of(rows)), table, text("p", words.rows_off(rows)), link])


def _compared(compared: Compared[Estimated], note: str, *figures: str) -> Markup:
    name = compared.attribute
    return card(
        "compared",
        name,
        text("p", note, class_="note"),
        element("div", *figures, class_="pair"),
        folded(f"The numbers for {name}", tabulated(_table(compared))),
    )


def _table(compared: Compared[Estimated]) -> Table:
    heads = ["value", "truth"]
    for variant in VARIANTS:
        heads += [variant, "95 % interval", "holds"]
    rows = []
    for code, label in enumerate(compared.labels):
        cells = [label, in_percent(compared.truth[code])]
        for variant in VARIANTS:
            value, low, high, holds = compared.reading(variant, code)
            ends = interval(low, high, in_percent)
            cells += [in_percent(value), ends, "yes" if holds else "no"]
        rows.append(cells)
    return Table(heads, rows, f"{compared.attribute}: frequencies in per cent")
