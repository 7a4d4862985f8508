"""Tables in a terminal: aligned words and numbers, and intervals drawn beside them."""

from collections.abc import Iterator, Sequence
from itertools import chain

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions
from rich.text import Text

from discretion.render.tables import GAP, Scale, Table

NARROWEST, WIDEST = 12, 60  # a drawing
SHORTEST = 16  # a name that is cut so that there is room for a drawing
LEAST = 8  # a name that is cut so that there is room for the numbers


def console(*, stderr: bool = False) -> Console:
    """Return a console that prints text as it is: labels are data, not markup."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def lines(table: Table, options: ConsoleOptions) -> Iterator[Text]:
    """Yield a table line by line; elastic columns get what room is left."""
    heads = _heads(table)
    rows = [*heads, *map(list, table.rows)]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    left = table.left
    if table.scale is not None and (width := _room(table, widths, options.max_width)):
        drawn = [""] * (len(heads) - 1), _drawn(table.scale, width, options)
        for row, drawing in zip(rows, chain(*drawn), strict=True):
            row.append(drawing)
        left, widths = left | {len(widths)}, [*widths, width]
    _shrink(widths, table.elastic, options.max_width)
    for i, row in enumerate(rows):
        cells = []
        for index, (cell, width) in enumerate(zip(row, widths, strict=True)):
            shown = cut(cell, width, ascii=options.ascii_only)
            blank = " " * (width - cell_len(shown))
            cells.append(shown + blank if index in left else blank + shown)
        style = "bold" if i < len(heads) else ""
        yield Text(GAP.join(cells).rstrip(), style=style, no_wrap=True, overflow="crop")
    if table.note:
        yield Text(table.note)


def _heads(table: Table) -> list[list[str]]:
    """Return the heads, which may have several lines, the last line of each at the bottom."""
    own = [head.split("\n") for head in table.heads]
    depth = max(map(len, own))
    padded = [[""] * (depth - len(each)) + each for each in own]
    return [list(row) for row in zip(*padded, strict=True)]


def broken(sentence: str, width: int) -> str:
    """Return a line in as many as it needs, broken after semicolons and indented."""
    first, *others = sentence.split("; ")
    whole = [first]
    for part in others:
        longer = f"{whole[-1]}; {part}"
        whole = [*whole[:-1], longer] if cell_len(longer) < width else [*whole, f"  {part}"]
    return ";\n".join(whole)


def cut(text: str, width: int, *, ascii: bool = False) -> str:
    """Return text that fits into so many cells of the terminal."""
    if cell_len(text) <= width:
        return text
    dots = "..." if ascii else "…"
    return set_cell_size(text, width - len(dots)).rstrip() + dots


def whisker(low: float, value: float, high: float, width: int, *, ascii: bool = False) -> str:
    """Draw an interval and the value in it on a line of so many cells, from 0 to 1.

    An interval that is shorter than a cell is a point; one that is not has its arms equally long,
    unless it was clipped.
    """
    left, line, right, point = "|-|o" if ascii else "├─┤●"
    value = min(max(value, low), high)
    middle = round(value * (width - 1))
    before = min(round((value - low) * (width - 1)), middle)
    after = min(round((high - value) * (width - 1)), width - 1 - middle)
    arms = (left + line * (before - 1)) * (before > 0), (line * (after - 1) + right) * (after > 0)
    return " " * (middle - before) + point.join(arms)


def _room(table: Table, widths: Sequence[int], whole: int) -> int:
    """Return how wide a drawing may be; 0 where it would leave too little of the names."""
    names = [widths[i] for i in table.elastic]
    rest = whole - (sum(widths) - sum(names)) - len(GAP) * len(widths)
    width = min(max(rest - sum(names), NARROWEST), WIDEST)
    return width if rest - width >= sum(min(SHORTEST, name) for name in names) else 0


def _drawn(scale: Scale, width: int, options: ConsoleOptions) -> Iterator[str]:
    """Yield the ends of the scale, and a line for each row."""
    first, last = scale.ends
    span = scale.high - scale.low
    yield f"{first}{last:>{max(width - len(first), len(last) + 1)}}"
    for own in scale.intervals:
        inside = (min(max(end, scale.low), scale.high) for end in own)
        value, low, high = ((end - scale.low) / span for end in inside)
        yield whisker(low, value, high, width, ascii=options.ascii_only)


def _shrink(widths: list[int], elastic: frozenset[int], room: int) -> None:
    while sum(widths) + len(GAP) * (len(widths) - 1) > room:
        longest = max(elastic, key=lambda i: widths[i], default=None)
        if longest is None or widths[longest] <= LEAST:
            break
        widths[longest] -= 1
