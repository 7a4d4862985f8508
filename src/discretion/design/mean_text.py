"""How advice on means reads: a recommendation in words, and as text."""

from textwrap import wrap

from discretion.budget.level import epsilon
from discretion.design.mean_advice import MeanAdvice, MeanForecast
from discretion.design.mean_designs import Design
from discretion.plan.contract import Contract

WIDTH = 80
SHOWN = 3  # designs of each contract
HEADS = ("design", "contract", "told", "alone", "rmse", "error")
LEGEND = (
    "draw k: each owner tells k of the numbers, drawn beforehand, one by one",
    "m blocks: each tells one of m blocks of numbers, drawn beforehand, as one cell",
    "alone: the level that protects one number; rmse: of a mean, over its range",
    "error: squared, over the least",
)


def heading(advice: MeanAdvice) -> str:
    """Say in one line for whom the forecasts are."""
    count = len(advice.names)
    what = f"the mean of {advice.names[0]}" if count == 1 else f"the means of {count} numbers"
    spend = f"{advice.n:,} owners who spend {epsilon(advice.total)} each"
    return f"{spend}: {what}, {advice.supposed}"


def rows(advice: MeanAdvice) -> list[tuple[str, ...]]:
    """Return the best forecasts of each contract as text, the error over the smallest."""
    least, seen, shown = advice.rows[0].squared_error, dict.fromkeys(Contract, 0), []
    for row in advice.rows:
        seen[row.design.contract] += 1
        if seen[row.design.contract] <= SHOWN:
            shown.append(_cells(row, least))
    return shown


def recommendation(advice: MeanAdvice) -> str:
    """Say which design to take and what it costs, in error or in protection."""
    best, chosen = advice.rows[0], advice.recommended
    others = [row for row in advice.rows if row.design.contract is not best.design.contract]
    if chosen is not best:
        return _sentence(f"{_called(chosen)} is about as good as {_called(best)}")
    if not others or best.design.contract is Contract.ATTRIBUTE:
        return _sentence(f"{_called(best)} errs least")
    other, gain = others[0], others[0].squared_error / best.squared_error
    words = f"{_called(best)} gives a {gain:.2g} times smaller squared error than {_called(other)}"
    if best.alone != other.alone:
        alone, before = epsilon(best.alone), epsilon(other.alone)
        words += f"; each number alone is then protected by {alone} instead of {before}"
    return _sentence(words)


def text(advice: MeanAdvice) -> str:
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
    return "\n".join([heading(advice), *lines, *LEGEND, "", *wrap(advice.recommendation, WIDTH)])


def _cells(row: MeanForecast, least: float) -> tuple[str, ...]:
    return (
        row.design.name,
        str(row.design.contract),
        row.design.mechanism,
        epsilon(row.alone),
        f"{100 * row.rmse:.2g} %",
        f"{row.squared_error / least:.3g}",
    )


def _called(row: MeanForecast) -> str:
    design = row.design
    doing = f"drawing {design.sample}" if design.most == 1 else f"telling {_which(design)}"
    return f"{doing} ({design.contract} contract)"


def _which(design: Design) -> str:
    return "all as one" if len(design.blocks) == 1 else f"one of {design.name}"


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
