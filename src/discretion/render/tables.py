"""One table, written for a notebook or a page, a terminal, a text or a document in Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Self

from discretion.render.markup import Markup, element, escaped, text

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from discretion.render.bars import Interval

GAP = "  "
MOST_ROWS = 30  # that fit a screen
WIDEST, LARGEST = 500, 3000  # letters of a row, and of all, that fit one
SHORT = 16  # letters of a name that is not broken where there is little room


@dataclass(frozen=True, slots=True)
class Scale:
    """Intervals on a common scale, one for each row: a terminal draws them beside the numbers."""

    intervals: "Sequence[Interval]"
    low: float
    high: float
    ends: tuple[str, str]  # as they are written

    @classmethod
    def of_shares(cls, intervals: "Sequence[Interval]") -> Self:
        """Return a scale from 0 to the largest end, rounded up to two digits."""
        most, end = max(each.high for each in intervals), 1.0
        if most > 0:
            unit = 10.0 ** (floor(log10(most)) - 1)
            end = min(ceil(most / unit) * unit, 1.0)
        return cls(intervals, 0.0, end, ("0", f"{end:.4g}"))


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under heads; the first column names the rows.

    Columns of numbers are set to the right: all but the first, unless ``left`` says otherwise. A
    terminal cuts the text of ``elastic`` columns where there is no room; a page breaks it.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]  # cells of markup are for pages only
    caption: str = ""
    note: str = ""  # what is not in the table
    left: frozenset[int] = frozenset({0})
    elastic: frozenset[int] = frozenset()
    scale: Scale | None = field(default=None, kw_only=True)

    def __str__(self) -> str:
        whole = [self.heads, *self.rows]
        widths = [max(map(len, column)) for column in zip(*whole, strict=True)]
        lines = [
            GAP.join(
                cell.ljust(width) if i in self.left else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in whole
        ]
        return "\n".join(filter(None, [self.caption, *lines, self.note]))

    def fitted(self) -> Self:
        """Return the rows and columns that fit a screen, with a note of how many more there are."""
        widths = [max(map(len, each)) for each in zip(self.heads, *self.rows, strict=True)]
        across = [width for width in accumulate(w + len(GAP) for w in widths) if width <= WIDEST]
        columns, wide = max(len(across), 1), across[-1] if across else WIDEST
        most = max(min(MOST_ROWS, LARGEST // wide), 1)
        hidden = (len(self.rows) - most, "more"), (len(self.heads) - columns, "more columns")
        more = [f"and {count:,} {what}" for count, what in hidden if count > 0]
        if not more:
            return self
        scale = self.scale and replace(self.scale, intervals=self.scale.intervals[:most])
        note = "; ".join(filter(None, [*more, self.note]))
        rows = [row[:columns] for row in self.rows[:most]]
        return replace(self, heads=self.heads[:columns], rows=rows, note=note, scale=scale)

    def html(self) -> Markup:
        """Return it as an element of a page or for a notebook."""
        names = enumerate(self.heads)
        head = [
            element("th", _markup(n), scope="col", **self._kind(i, _words(n))) for i, n in names
        ]
        body = [element("tr", *map(self._cell, range(len(row)), row)) for row in self.rows]
        said = "; ".join(filter(None, [self.caption, self.note]))
        caption = [text("caption", said)] if said else []
        rows = element("thead", element("tr", *head)), element("tbody", *body)
        return element("table", *caption, *rows)

    def markdown(self) -> str:
        """Return it as Markdown."""
        rule = ["---" if i in self.left else "---:" for i in range(len(self.heads))]
        cells = [[cell.replace("|", "\\|") for cell in row] for row in [self.heads, *self.rows]]
        return "\n".join(f"| {' | '.join(row)} |" for row in [cells[0], rule, *cells[1:]])

    def __rich_console__(self, _: "Console", options: "ConsoleOptions") -> "RenderResult":
        from discretion.render.terminal import lines

        return lines(self, options)

    def _kind(self, column: int, cell: str) -> dict[str, str]:
        """Return the class by which the style sheet sets a cell."""
        if not column:
            return {"class_": "name"} if len(cell) > SHORT else {}
        if column in self.elastic:
            return {"class_": "long"}
        return {"class_": "left"} if column in self.left else {}

    def _cell(self, column: int, cell: str) -> Markup:
        name = {} if column else {"scope": "row"}
        return element("td" if column else "th", _markup(cell), **name, **self._kind(column, cell))


def _markup(cell: str) -> Markup:
    return cell if isinstance(cell, Markup) else escaped(cell)


def _words(head: str) -> str:
    """Return what counts as the words of a head: a link is as wide as it likes."""
    return "" if isinstance(head, Markup) else head
