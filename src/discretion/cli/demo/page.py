"""The demonstration as one HTML file: nothing is fetched, no script runs, it prints and scales."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from string import Template

from discretion import __version__
from discretion.budget import epsilon
from discretion.cli.demo import charts, density, heat, words
from discretion.cli.demo.number import Number
from discretion.cli.demo.owner import Answer, Owner, pretty
from discretion.cli.demo.pair import Pair
from discretion.cli.demo.rows import Rows
from discretion.cli.demo.survey import OWNERS, VARIANTS, Compared, Comparison, coverage
from discretion.errors import DiscretionError
from discretion.estimate.look import DARK, LIGHT
from discretion.synthesis.markup import element, text


def write_page(
    path: Path,
    owner: Owner,
    comparisons: Sequence[Comparison],
    pair: Pair,
    number: Number,
    rows: Rows,
    quality: str,
    seed: int,
) -> None:
    """Write the page, or say why that is not possible."""
    whole = page(owner, comparisons, pair, number, rows, quality, seed)
    try:
        path.write_text(whole, encoding="utf-8")
    except OSError as error:
        raise DiscretionError(f"{path}: must be a file that can be written ({error})") from None


def page(
    owner: Owner,
    comparisons: Sequence[Comparison],
    pair: Pair,
    number: Number,
    rows: Rows,
    quality: str,
    seed: int,
) -> str:
    """Return the whole page."""
    template = Template(files("discretion.cli.demo").joinpath("page.html").read_text("utf-8"))
    top, reach = charts.top_of(comparisons), charts.reach_of(comparisons)
    return template.substitute(
        light=LIGHT.css,
        dark=DARK.css,
        owners=f"{OWNERS:,}",
        levels=words.listed([f"{a.attribute} {epsilon(a.level)}" for a in owner.answers], "and"),
        bytes=len(owner.report.to_bytes()),
        report=text("code", pretty(owner.report)),
        answers="\n".join(map(_answer, owner.answers)),
        together=text("p", words.together(owner)),
        crowd="\n".join(_comparison(comparison, top, reach) for comparison in comparisons),
        coverage="\n".join(_coverage(comparisons, variant) for variant in VARIANTS),
        pair=_pair(pair),
        number=_number(number),
        rows=_rows(rows, quality),
        seed=seed,
        version=__version__,
    )


def _answer(answer: Answer) -> str:
    ratio = answer.law.ratio
    return element(
        "article",
        text("h4", f"{answer.attribute}, level {epsilon(answer.level)}"),
        text("p", f"Her answer: {answer.true}. The set sent: {words.listed(answer.sent, 'and')}."),
        element("div", charts.dots(answer.kept), text("p", words.kept(answer)), class_="dots"),
        element("div", charts.belief_bar(ratio), text("p", words.worst_case(ratio)), class_="sure"),
        class_="card",
    )


def _coverage(comparisons: Sequence[Comparison], variant: str) -> str:
    held, count = coverage(comparisons, variant)
    return element(
        "div",
        text("dt", f"{variant} levels"),
        element("dd", text("strong", f"{held} of {count}"), " intervals hold the truth"),
        class_=f"card {variant}-edge",
    )


def _comparison(comparison: Comparison, top: float, reach: int) -> str:
    return _article(
        comparison,
        f"{words.worth(comparison)}.",
        _figure(charts.frequency_chart(comparison, top), "Frequency"),
        _figure(charts.error_chart(comparison, reach), "Distance from the truth, in points"),
    )


def _pair(pair: Pair) -> str:
    """Return the section on two attributes: how far off the table is, two maps, the numbers."""
    distances = [
        _distance("taken as unrelated", pair.unrelated, "unrelated"),
        *[_distance(f"{v} levels", pair.distance(v), v) for v in VARIANTS],
    ]
    article = _article(
        pair,
        f"{words.held(pair)} {words.tells(pair)}",
        _figure(heat.truth_map(pair), "Truth, in per cent"),
        _figure(heat.estimate_map(pair), "Estimate (disclosed), ± half of its 95 % interval"),
    )
    said = [text("p", words.pairs(pair)), text("p", words.moved(pair))]
    return "\n".join([*said, element("dl", *distances, class_="cards"), article])


def _number(number: Number) -> str:
    """Return the section on a number: its density, and a table of mean and quantiles."""
    heads = ["", "truth", "estimate", "95 % interval", "holds"]
    head = element("tr", *[text("th", name, scope="col") for name in heads])
    rows = []
    for row in number.rows():
        ends = f"{row.low:,.0f} to {row.high:,.0f}"
        cells = [f"{row.truth:,.0f}", f"{row.value:,.0f}", ends, "yes" if row.holds else "no"]
        data = [text("td", cell) for cell in cells]
        rows.append(element("tr", text("th", row.what, scope="row"), *data))
    caption = text("caption", f"{number.attribute}: mean and quantiles")
    table = element("table", caption, element("thead", head), element("tbody", *rows))
    label = f"Table for {number.attribute} as a number"
    wide = element("div", table, class_="wide", role="region", aria_label=label, tabindex=0)
    figure = _figure(density.density_chart(number), "Density with its 95 % band, and the truth")
    note = text("p", words.held_of(number), class_="note")
    beside = element("div", figure, wide, class_="pair")
    article = element("article", text("h3", number.attribute), note, beside, class_="card")
    return "\n".join([text("p", words.numbers(number)), article])


def _rows(rows: Rows, quality: str) -> str:
    """Return the section on synthetic rows: a few of them, and where their quality is told."""
    head = element("tr", *[text("th", name, scope="col") for name in rows.names])
    body = [element("tr", *[text("td", cell) for cell in row]) for row in rows.first]
    caption = text("caption", f"The first of {rows.publication.count:,} rows")
    table = element("table", caption, element("thead", head), element("tbody", *body))
    label = "Table of synthetic rows"
    wide = element("div", table, class_="wide", role="region", aria_label=label, tabindex=0)
    link = element("p", text("a", "Their quality, in full", href=quality), ".")
    return "\n".join([text("p", words.rows_of(rows)), wide, text("p", words.rows_off(rows)), link])


def _article(compared: Compared, note: str, *figures: str) -> str:
    numbers = text("summary", f"The numbers for {compared.attribute}")
    return element(
        "article",
        text("h3", compared.attribute),
        text("p", note, class_="note"),
        element("div", *figures, class_="pair"),
        element("details", numbers, _table(compared)),
        class_="card",
    )


def _distance(name: str, share: float, kind: str) -> str:
    return element(
        "div",
        text("dt", name),
        element("dd", "off by ", text("strong", words.off(share))),
        class_=f"card {kind}-edge",
    )


def _figure(picture: str, caption: str) -> str:
    return element("figure", text("figcaption", caption), picture)


def _table(compared: Compared) -> str:
    heads = ["value", "truth"]
    for variant in VARIANTS:
        heads += [variant, "95 % interval", "holds"]
    head = element("tr", *[text("th", name, scope="col") for name in heads])
    rows = []
    for code, label in enumerate(compared.labels):
        cells = [words.percent(compared.truth[code])]
        for variant in VARIANTS:
            value, low, high, holds = compared.reading(variant, code)
            interval = f"{words.percent(low)} to {words.percent(high)}"
            cells += [words.percent(value), interval, "yes" if holds else "no"]
        data = [text("td", cell) for cell in cells]
        rows.append(element("tr", text("th", label, scope="row"), *data))
    caption = text("caption", f"{compared.attribute}: frequencies in per cent")
    table = element("table", caption, element("thead", head), element("tbody", *rows))
    label = f"Table for {compared.attribute}"
    return element("div", table, class_="wide", role="region", aria_label=label, tabindex=0)
