"""The demonstration in a terminal: default colours, bold and dim, never wider than a page."""

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from discretion.budget import epsilon
from discretion.cli.demo import words
from discretion.cli.demo.number import Number
from discretion.cli.demo.owner import Owner, pretty
from discretion.cli.demo.pair import Pair
from discretion.cli.demo.survey import OWNERS, VARIANTS, Comparison, Rows, coverage
from discretion.render.formats import in_percent, listed
from discretion.render.tables import Table
from discretion.render.terminal import console

MISS = " miss"  # beside an interval that does not cover the true value
WIDEST = 100  # longer lines are hard to read, however wide the terminal


def readable_console() -> Console:
    """Return a console whose lines are short enough to be read."""
    out = console()
    out.width = min(out.width, WIDEST)
    return out


def introduce(out: Console, seed: int) -> None:
    """Print who is asked."""
    out.print(
        f"{OWNERS:,} generated owners. Each shares one to five attributes and divides a budget of "
        "2 per shared attribute among them as she likes; her device perturbs, and only the report "
        f"leaves. (seed {seed})"
    )


def show_owner(out: Console, owner: Owner) -> None:
    """Print one report and what it can reveal."""
    _heading(out, "One owner")
    levels = [f"{a.attribute} {epsilon(a.level)}" for a in owner.answers]
    out.print(
        "First she chose what to share, and a level (epsilon: higher reveals more) for each: "
        f"{listed(levels)}. Then she was asked. Her answers, "
        f"{listed([a.true for a in owner.answers])}, stay with her. "
        f"This leaves her device: {len(owner.report.to_bytes())} bytes, here with spaces and line "
        "ends added. The id and each y are drawn afresh, whatever the seed.\n"
    )
    out.print(pretty(owner.report), soft_wrap=True)
    out.print()
    for answer in owner.answers:
        head = Text(f"{answer.attribute}, level {epsilon(answer.level)}", "bold")
        sent = listed(answer.sent) or "nothing"
        out.print(head.append(f": the set sent is {sent}.", "not bold"))
        text = f"{words.kept(answer)} {words.worst_case(answer.law.ratio)}"
        out.print(Padding(Text(text), (0, 0, 1, 2), expand=False))
    out.print(words.together(owner))


def show_crowd(out: Console, comparisons: Sequence[Comparison]) -> None:
    """Print truth and estimates side by side, attribute by attribute."""
    _heading(out, "The crowd")
    out.print(
        "How frequent each value is, in per cent with 95 % intervals, among those who shared the "
        "attribute. The same people with the same budgets are asked twice: with reports that state "
        "their levels (disclosed), and with reports that do not (secret; these reveal less). An "
        "interval that misses the truth is marked.\n"
    )
    for comparison in comparisons:
        out.print(_table(comparison))
        out.print(f"{words.worth(comparison)}\n", style="dim")


def conclude(out: Console, comparisons: Sequence[Comparison]) -> None:
    """Print how many intervals cover the true value."""
    for variant in VARIANTS:
        held, count = coverage(comparisons, variant)
        share = f"{held} of {count} intervals cover the true value ({held / count:.0%})"
        out.print(Text(f"{variant.capitalize():<11}", "bold").append(share, "not bold"))
    out.print(
        "95 % of them should: one in twenty misses, and without the truth nobody knows which."
    )


def show_pair(out: Console, pair: Pair) -> None:
    """Print the joint table of two attributes, and how far it is from the truth."""
    _heading(out, "Two attributes at once")
    out.print(f"{words.pairs(pair)} In per cent with 95 % intervals.\n")
    out.print(_cells(pair))
    out.print(f"\n{words.held(pair)}")
    for said in (words.moved, words.moved_secret, words.dependence):
        out.print(said(pair))


def show_number(out: Console, number: Number) -> None:
    """Print the mean and quantiles of a number beside the truth."""
    _heading(out, "A number")
    out.print(f"{words.numbers(number)}\n")
    rows = [
        (
            row.what,
            f"{row.truth:,.0f}",
            f"{row.value:,.0f}",
            f"{row.low:,.0f}-{row.high:,.0f}" + MISS * (not row.holds),
        )
        for row in number.rows()
    ]
    out.print(
        Table((number.attribute, "truth", "estimate", "interval"), rows, left=frozenset({0, 3}))
    )
    out.print(f"\n{words.held_of(number)}")


def show_rows(out: Console, rows: Rows) -> None:
    """Print a few synthetic rows, and how far they are from the truth."""
    _heading(out, "Synthetic rows")
    out.print(f"{words.rows_of(rows)}\n")
    out.print(Table(rows.names, rows.first, left=frozenset(range(len(rows.names)))))
    out.print(f"\n{words.rows_off(rows)}")


def _heading(out: Console, text: str) -> None:
    out.print(f"\n{text}\n", style="bold")


def _table(comparison: Comparison) -> Table:
    heads = [comparison.attribute, "truth"]
    for variant in VARIANTS:
        heads += [variant, "interval"]
    rows = []
    for code, label in enumerate(comparison.labels):
        cells = [label, in_percent(comparison.truth[code])]
        for variant in VARIANTS:
            value, low, high, holds = comparison.reading(variant, code)
            ends = f"{in_percent(low)}-{in_percent(high)}"
            cells += [in_percent(value), ends + MISS * (not holds)]
        rows.append(cells)
    return Table(heads, rows, left=frozenset({0, 3, 5}))


def _cells(pair: Pair) -> Table:
    """Return the first attribute down and the second across, a block of lines for each value."""
    down, across = pair.sides
    rows: list[list[str]] = []
    for row, label in enumerate(down):
        codes = range(row * len(across), (row + 1) * len(across))
        readings = [pair.reading("disclosed", code) for code in codes]
        ends = [f"{in_percent(r.low)}-{in_percent(r.high)}" for r in readings]
        rows += [
            *([[""] * (len(across) + 2)] if row else []),
            [label, "truth", *(in_percent(pair.truth[code]) for code in codes)],
            ["", "estimate", *(in_percent(r.value) for r in readings)],
            ["", "interval", *ends],
        ]
        if not all(r.holds for r in readings):
            rows.append(["", "", *("" if r.holds else "miss" for r in readings)])
    heads = [*pair.names, *(label.replace(" ", "\n") for label in across)]
    return Table(heads, rows, left=frozenset({0, 1}))
