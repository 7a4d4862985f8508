"""How advice reads: a recommendation in words, as text, and as an HTML table in a notebook."""

from html import escape
from textwrap import wrap

from discretion.budget.level import epsilon
from discretion.design.table_advice import Advice, Forecast
from discretion.design.table_designs import BUNDLE, BUNDLE_ALL, ONE, SAMPLE, SPLIT
from discretion.plan.contract import Contract

WORTH = 1.1  # times less error that the weaker contract must give to be recommended
WIDTH = 80
HEADS = ("table", "design", "contract", "alone", "cell", "± 95 %", "error")
LEGEND = "alone: the level that protects one attribute; error: squared, over the least"
MOST = "≤: no cell is negative, so the mle errs less where noise hides a typical cell"
DOES = {
    SPLIT: "everyone reports every attribute, each with an even part of the total",
    SAMPLE: "everyone reports the attributes of one table, drawn beforehand, one by one",
    ONE: "everyone reports one attribute, drawn beforehand",
    BUNDLE: "everyone reports one table, drawn beforehand, as one cell",
    BUNDLE_ALL: "everyone reports each table as one cell, with a part of the total",
}
DOING = {
    SPLIT: "splitting",
    SAMPLE: "sampling tables",
    ONE: "sampling attributes",
    BUNDLE: "bundling",
    BUNDLE_ALL: "bundling all",
}


def recommendation(advice: Advice) -> str:
    """Say which design to take and what it costs, in error or in protection."""
    chosen, *others = advice.ranking
    other = next(iter(others), None)
    if _contract(advice, chosen) is Contract.RECORD:
        keeping = (name for name in others if _contract(advice, name) is Contract.ATTRIBUTE)
        other = next(keeping, other)
    if other is None:
        words = f"{_called(advice, chosen)} is the one way."
    elif (gain := advice.typical(other) / advice.typical(chosen)) >= WORTH:
        words = _trade(advice, chosen, other, gain)
    else:
        keeps = _contract(advice, other) is Contract.ATTRIBUTE
        if keeps and _alone(advice, other) < _alone(advice, chosen):
            chosen, other = other, chosen  # the stronger promise, at hardly any price
        words = f"{_called(advice, chosen)} is about as good as {_called(advice, other)}."
    return " ".join([words[0].upper() + words[1:], *_remarks(advice, chosen)])


def heading(advice: Advice) -> str:
    """Say in one line for whom the forecasts are."""
    return f"{advice.n:,} owners who spend {epsilon(advice.total)} each; all cells equally frequent"


def rows(advice: Advice) -> list[tuple[str, ...]]:
    """Return the forecasts as text; the error is in units of the table's smallest."""
    shown, last = [], None
    for row in advice.rows:
        least = advice.best(row.table).squared_error
        shown.append((" x ".join(row.table) if row.table != last else "", *_cells(row, least)))
        last = row.table
    return shown


def legend(advice: Advice) -> list[str]:
    """Say what the columns mean."""
    return [LEGEND, *([MOST] if any(row.at_most for row in advice.rows) else [])]


def notes(advice: Advice) -> list[str]:
    """Say what each design is, what the plan lacks for it, and which are not possible."""
    lines, drawn = [], "one table, drawn beforehand,"
    for design in advice.ranking:
        does = DOES[design].replace(drawn, drawn if len(advice.of(design)) > 1 else "the table")
        lacks = advice.needs[design]
        need = f"; the plan would need {', '.join(lacks)}" if lacks else ""
        lines.append(f"{design}: {does}{need}")
    return [*lines, *(f"{design}: not possible, {why}" for design, why in advice.refused.items())]


def text(advice: Advice) -> str:
    """Write it for a terminal."""
    table = [HEADS, *rows(advice)]
    widths = [max(len(row[i]) for row in table) for i in range(len(HEADS))]
    lines = [
        "  ".join(
            cell.ljust(width) if i < 3 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    ]
    return "\n".join(
        [
            heading(advice),
            *lines,
            *legend(advice),
            "",
            *paragraph(advice.recommendation),
            "",
            *items(advice),
        ]
    )


def html(advice: Advice) -> str:
    """Write it for a notebook."""
    head = "".join(f"<th>{escape(name)}</th>" for name in HEADS)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows(advice)
    )
    remarks = "".join(f"<li>{escape(note)}</li>" for note in notes(advice))
    return (
        f"<table><caption>{escape(heading(advice))}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table><p>{escape('; '.join(legend(advice)))}</p>"
        f"<p>{escape(advice.recommendation)}</p><ul>{remarks}</ul>"
    )


def paragraph(words: str, width: int = WIDTH) -> list[str]:
    """Return the lines of a paragraph."""
    return wrap(words, width, break_long_words=False)


def items(advice: Advice, width: int = WIDTH) -> list[str]:
    """Return the lines of the notes, what goes on being indented."""
    broken = (wrap(note, width, subsequent_indent="  ") for note in notes(advice))
    return [line for lines in broken for line in lines]


def _cells(row: Forecast, least: float) -> tuple[str, ...]:
    most = "≤" if row.at_most else ""
    return (
        row.design,
        str(row.contract),
        epsilon(row.alone),
        f"{1 / row.cells:.4f}",
        f"{most}{row.half_width:.4f}",
        f"{most}{row.squared_error / least:.3g}",
    )


def _trade(advice: Advice, chosen: str, other: str, gain: float) -> str:
    over = ", in the geometric mean of the tables" if len(advice.of(chosen)) > 1 else ""
    most = any(row.at_most for row in advice.of(other))
    much = f"{'an up to' if most else 'a'} {gain:.2g}"
    alone, before = (epsilon(_alone(advice, design)) for design in (chosen, other))
    protected = f"; each attribute alone is then protected by {alone} instead of {before}"
    return (
        f"{_called(advice, chosen)} gives {much} times smaller squared error than "
        f"{_called(advice, other)}{over}{protected if alone != before else ''}."
    )


def _alone(advice: Advice, design: str) -> int:
    """Return the level that protects an attribute of the joint tables, if there are any."""
    rows = advice.of(design)
    return max(row.alone for row in [row for row in rows if len(row.table) > 1] or rows)


def _remarks(advice: Advice, chosen: str) -> list[str]:
    remarks = []
    if advice.needs[chosen]:
        remarks.append("The plan as it is does not allow that.")
    wide = [row for row in advice.of(chosen) if row.at_most]
    if wide:
        names = ", ".join(" x ".join(row.table) for row in wide)
        remarks.append(
            f"A typical cell of {names} is then less frequent than its interval is wide to either "
            "side: fewer values, a larger total or more owners would help."
        )
    if advice.secret:
        remarks.append("Levels are secret; the errors are as if they were not.")
    return remarks


def _called(advice: Advice, design: str) -> str:
    return f"{DOING[design]} ({_contract(advice, design)} contract)"


def _contract(advice: Advice, design: str) -> Contract:
    return advice.of(design)[0].contract
