"""Heat maps: the fuller the colour of a cell, the larger its value.

Shades are opacities of the page's own soft colour, on which the ink can be read in both modes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from discretion.render.labels import LINE, Label
from discretion.render.markup import Markup, element, text
from discretion.render.svg import LETTER, length, picture, words

LONGEST = 20  # letters of a label
GAP = 2  # between cells
NARROW = 420  # pixels of a map that may be drawn smaller where there is less room
PLAIN, NUMBERED, WRITTEN = (24, 24), (34, 34), (62, 44)  # cells with no line, one, two or three
STEEP = 0.64  # of a slanted name: the sine of its angle
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
        named = [*self._downwards, Label.of(self.names[0], LONGEST, 1)]
        left = 12 + max(label.width for label in named)
        above = self._above()
        parts = [*self._sides(left, above)]
        for cell in self.cells:
            parts += self._cell(cell, left + wide * cell.column, above + high * cell.row)
        right = 0 if self._flat else LAST
        width, height = left + wide * len(self.columns) + right, above + high * len(self.rows)
        kind = "heat narrow" if width <= NARROW else "heat"
        return picture(width, height, label, parts, kind)

    @property
    def _downwards(self) -> list[Label]:
        """The names of rows, in as many lines as a row has room for."""
        most = max((self.size[1] - GAP) // LINE, 1)
        return [Label.of(label, LONGEST, most) for label in self.rows]

    @property
    def _slanted(self) -> list[Label]:
        """The names of columns where they are slanted, in lines that leave the next one room."""
        most = max(int(self.size[0] * STEEP) // LINE, 1)
        return [Label.of(label, LONGEST // 2 + 2, most) for label in self.columns]

    @property
    def _flat(self) -> bool:
        """Whether the names of columns stand above them, in two lines at most."""
        named = [label.split(" ") for label in self.columns]
        room = self.size[0] + GAP
        return all(len(own) <= 2 and max(map(len, own)) * LETTER <= room for own in named)

    def _above(self) -> float:
        head = 18 if self.names[1] else 4
        if not self._flat:
            return head + SLANT + max(label.height for label in self._slanted) - LINE
        return head + LINE * max(label.count(" ") + 1 for label in self.columns) + 3

    def _sides(self, left: float, above: float) -> Iterator[Markup]:
        wide, high = self.size
        down, across = (Label.of(name, LONGEST, 1) for name in self.names)
        if self.names[0]:
            yield down.draw(left - 6, above - 6, "label side")
        if self.names[1]:
            yield across.draw(left, 12, "side")
        for row, label in enumerate(self._downwards):
            yield label.draw(left - 6, above + high * (row + 0.5) + 3, "label")
        middles = [left + wide * i + (wide - GAP) / 2 for i in range(len(self.columns))]
        draw = self._upright if self._flat else self._turned
        yield from draw(middles, above - 6)

    def _upright(self, middles: Sequence[float], y: float) -> Iterator[Markup]:
        """Write the names of columns above them."""
        for label, x in zip(self.columns, middles, strict=True):
            own = label.split(" ")
            for i, word in enumerate(own):
                yield words(word, x, y - LINE * (len(own) - 1 - i), "tick")

    def _turned(self, middles: Sequence[float], y: float) -> Iterator[Markup]:
        """Write the names of columns from their middle to the upper right."""
        for label, x in zip(self._slanted, middles, strict=True):
            turn = f"rotate(-40 {length(x)} {length(y)})"
            last = y - (label.height - LINE) / 2
            yield label.draw(x, last, "slanted", transform=turn)

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
