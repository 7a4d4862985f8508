"""How results look in a terminal: aligned words and numbers, and intervals drawn beside them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

LONG, SHOWN = 30, 20  # of more labels than LONG only the SHOWN largest are shown, unless asked for
NARROWEST, WIDEST = 12, 60  # a drawing
LEAST = 8  # a label that is cut so that there is room for the numbers
GAP = 2


def console(*, stderr: bool = False) -> Console:
    """Return a console that prints text as it is: labels are data, not markup."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def examples(*lines: str) -> str:
    """Return the end of a command's help; its first character keeps the lines apart."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


@dataclass(frozen=True, slots=True)
class Columns:
    """Rows of text under headings, one line each; columns that may be cut get what room is left."""

    heads: Sequence[str]
    body: Sequence[Sequence[str]]
    right: frozenset[int] = frozenset()  # columns of numbers
    elastic: frozenset[int] = frozenset()  # columns whose text may be cut

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        widths = self._widths(options.max_width)
        for i, row in enumerate([self.heads, *self.body]):
            line = "".join(self._cells(row, widths, ascii=options.ascii_only)).rstrip()
            yield Text(line, style="" if i else "bold", no_wrap=True, overflow="crop")

    def _widths(self, room: int) -> list[int]:
        widths = [max(map(cell_len, column)) for column in zip(self.heads, *self.body, strict=True)]
        while sum(widths) + GAP * (len(widths) - 1) > room:
            longest = max(self.elastic, key=lambda i: widths[i], default=None)
            if longest is None or widths[longest] <= LEAST:
                break
            widths[longest] -= 1
        return widths

    def _cells(self, row: Sequence[str], widths: list[int], *, ascii: bool) -> Iterator[str]:
        for i, (text, width) in enumerate(zip(row, widths, strict=True)):
            shown = cut(text, width, ascii=ascii)
            blank = " " * (width - cell_len(shown))
            yield (blank + shown if i in self.right else shown + blank) + " " * GAP


def broken(sentence: str, width: int) -> str:
    """Return a line in as many as it needs, broken after semicolons and indented."""
    first, *others = sentence.split("; ")
    lines = [first]
    for part in others:
        longer = f"{lines[-1]}; {part}"
        lines = [*lines[:-1], longer] if cell_len(longer) < width else [*lines, f"  {part}"]
    return ";\n".join(lines)


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


def scale_end(number: float) -> float:
    """Return a number from 0 to 1, rounded up to two digits: the end of a scale."""
    if number <= 0:
        return 1.0
    unit = 10.0 ** (floor(log10(number)) - 1)
    return min(ceil(number / unit) * unit, 1.0)
