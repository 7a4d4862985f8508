"""Heat maps: the fuller the colour of a cell, the larger its value.

Shades are opacities of the page's own soft colour, on which the ink can be read in both modes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from discretion.render.formats import shortened
from discretion.render.markup import Markup, element, text
from discretion.render.svg import LETTER, length, picture, words

LONGEST = 20  # letters of a label
GAP = 2  # between cells
PLAIN, NUMBERED, WRITTEN = (24, 24), (34, 34), (62, 44)  # cells with no line, one, two or three
LINE = 13  # from one line of text to the next
SLANT, LAST = 64, 40  # above the cells and to their right, where slanted names end


class Cell(NamedTuple):
    """A cell: where it is, how full its colour, what it says, and whether it is marked."""

    row: int
    column: int
    shade: float  # 0 to 1
    title: str
    lines: tuple[str, ...] = ()
    marked: bool = False


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Cells in rows and columns with names; a cell may be missing."""

    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Cell]
    names: tuple[str, str] = ("", "")  # of what goes down, and of what goes across
    size: tuple[int, int] = WRITTEN

    def draw(self, label: str) -> Markup:
        """Draw the map."""
        wide, high = self.size
        names = (shortened(each, LONGEST) for each in (*self.rows, self.names[0]))
        left = 12 + LETTER * max(map(len, names))
        above = self._above()
        parts = [*self._sides(left, above)]
        for cell in self.cells:
            parts += self._cell(cell, left + wide * cell.column, above + high * cell.row)
        right = 0 if self._flat else LAST
        width, height = left + wide * len(self.columns) + right, above + high * len(self.rows)
        return picture(width, height, label, parts, "heat")

    @property
    def _flat(self) -> bool:
        """Whether the names of columns stand above them, in two lines at most."""
        named = [label.split(" ") for label in self.columns]
        room = self.size[0] + GAP
        return all(len(own) <= 2 and max(map(len, own)) * LETTER <= room for own in named)

    def _above(self) -> float:
        head = 18 if self.names[1] else 4
        if not self._flat:
            return head + SLANT
        return head + LINE * max(label.count(" ") + 1 for label in self.columns) + 3

    def _sides(self, left: float, above: float) -> Iterator[Markup]:
        wide, high = self.size
        down, across = (shortened(name, LONGEST) for name in self.names)
        if down:
            yield words(down, left - 6, above - 6, "label side")
        if across:
            yield words(across, left, 12, "side")
        for row, label in enumerate(self.rows):
            y = above + high * (row + 0.5) + 3
            yield words(shortened(label, LONGEST), left - 6, y, "label")
        for column, label in enumerate(self.columns):
            yield from self._head(label, left + wide * column + (wide - GAP) / 2, above - 6)

    def _head(self, label: str, x: float, y: float) -> Iterator[Markup]:
        if not self._flat:
            turn = f"rotate(-40 {length(x)} {length(y)})"
            yield words(shortened(label, LONGEST // 2 + 2), x, y, "slanted", transform=turn)
            return
        own = label.split(" ")
        for i, word in enumerate(own):
            yield words(word, x, y - LINE * (len(own) - 1 - i), "tick")

    def _cell(self, cell: Cell, x: float, y: float) -> Iterator[Markup]:
        wide, high = (side - GAP for side in self.size)
        yield element(
            "rect",
            text("title", cell.title),
            x=length(x),
            y=length(y),
            width=wide,
            height=high,
            rx=3,
            fill_opacity=f"{min(max(cell.shade, 0.0), 1.0):.3f}",
            class_="shade marked" if cell.marked else "shade",
        )
        first = y + high / 2 + 4 - LINE / 2 * (len(cell.lines) - 1)
        for i, line in enumerate(cell.lines):
            kind = ("beside" if i else "cell") + " marked" * cell.marked
            yield words(line, x + wide / 2, first + LINE * i, kind)
