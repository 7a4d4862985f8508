"""A joint table as a heat map: the more frequent a pair of values, the fuller its cell's colour.

Shades are opacities of the page's own colour, so both modes follow, and are held back so far that
the ink on them can be read.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discretion.estimate.look import MOST_BARS, shortened
from discretion.synthesis.markup import element, text
from discretion.synthesis.words import percent
from discretion.web.dashboard.picture import length, picture

LETTER, LONGEST = 7.2, 20
WIDE, HIGH, GAP = 62, 40, 2  # a cell with its numbers
SMALL = 24  # a cell without
WRITTEN = 10  # columns up to which cells have their numbers
TOP, SLANT = 34, 64  # above the cells: names of columns, or slanted ones
LAST = 40  # to the right, where slanted names end


@dataclass(frozen=True, slots=True)
class Cell:
    """A pair of values, and how frequent it is."""

    down: str
    across: str
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        ends = f"{percent(self.low)} to {percent(self.high)}"
        return f"{self.down}, {self.across}: {percent(self.value)} ({ends})"


@dataclass(frozen=True, slots=True)
class Heat:
    """The cells of two attributes; long lists of values have only the most frequent ones."""

    names: tuple[str, str]
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Cell]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Heat":
        """Read a joint table of two attributes."""
        one, other = document["attributes"]
        cells = [_cell(row) for row in document["cells"]]
        rows = _most({cell.down: 0.0 for cell in cells}, [(c.down, c.value) for c in cells])
        columns = _most({c.across: 0.0 for c in cells}, [(c.across, c.value) for c in cells])
        kept = [cell for cell in cells if cell.down in rows and cell.across in columns]
        return cls((one, other), rows, columns, kept)

    def draw(self) -> str:
        """Draw the map; where there is room, with half the width of each interval."""
        wide, high = (WIDE, HIGH) if self.written else (SMALL, SMALL)
        labels = [shortened(label, LONGEST) for label in self.rows]
        left = 12 + LETTER * max(map(len, (*labels, shortened(self.names[0], LONGEST))))
        above = TOP if self._flat else SLANT + 16
        top = max([0.0, *(cell.value for cell in self.cells)]) or 1.0
        parts = [*self._sides(labels, left, above, wide, high)]
        places = {label: i for i, label in enumerate(self.rows)}
        across = {label: i for i, label in enumerate(self.columns)}
        for cell in self.cells:
            x, y = left + wide * across[cell.across], above + high * places[cell.down]
            parts += _drawn(cell, x, y, wide, high, top, written=self.written)
        right = 0 if self._flat else LAST
        width, height = left + wide * len(self.columns) + right, above + high * len(self.rows)
        return picture(width, height, self._said(), parts, "heat")

    @property
    def written(self) -> bool:
        """Whether there is room for numbers in the cells."""
        return len(self.columns) <= WRITTEN

    @property
    def _flat(self) -> bool:
        """Whether the names of columns are short enough to stand above them."""
        room = WIDE if self.written else SMALL
        return max(len(label) for label in self.columns) * LETTER <= room

    def _sides(
        self, labels: Sequence[str], left: float, above: float, wide: int, high: int
    ) -> Iterator[str]:
        down, across = (shortened(name, LONGEST) for name in self.names)
        yield text("text", down, x=length(left - 6), y=length(above - 6), class_="label side")
        yield text("text", across, x=length(left), y=12, class_="side")
        for row, label in enumerate(labels):
            at = {"x": length(left - 6), "y": length(above + high * row + high / 2 + 4)}
            yield text("text", label, **at, class_="label")
        for column, name in enumerate(self.columns):
            x, y = left + wide * column + (wide - GAP) / 2, above - 6
            if self._flat:
                yield text("text", name, x=length(x), y=length(y), class_="tick")
            else:
                turn = f"rotate(-40 {length(x)} {length(y)})"
                short = shortened(name, LONGEST // 2 + 2)
                yield text("text", short, x=length(x), y=length(y), transform=turn)

    def _said(self) -> str:
        most = max(self.cells, key=lambda cell: cell.value, default=None)
        told = "" if most is None else f" Most frequent: {most}."
        return f"How frequent pairs of {' and '.join(self.names)} are.{told} Numbers: table below."


def _cell(row: Mapping[str, Any]) -> Cell:
    """Read a row: two labels, then value, standard error, low and high."""
    down, across, value, _, low, high = row.values()
    return Cell(
        str(down), str(across), value, 0.0 if low is None else low, 1.0 if high is None else high
    )


def _most(totals: dict[str, float], values: Sequence[tuple[str, float]]) -> list[str]:
    """Return the values with most people, as many as a map has room for, in their order."""
    for label, value in values:
        totals[label] += value
    kept = set(sorted(totals, key=lambda label: -totals[label])[:MOST_BARS])
    return [label for label in totals if label in kept]


def _drawn(
    cell: Cell, x: float, y: float, wide: int, high: int, top: float, *, written: bool
) -> Iterator[str]:
    size = {"width": wide - GAP, "height": high - GAP, "rx": 3}
    shade = f"{max(cell.value, 0.0) / top:.3f}"
    place = {"x": length(x), "y": length(y)}
    yield element("rect", text("title", str(cell)), **place, **size, fill_opacity=shade)
    if written:
        middle = length(x + (wide - GAP) / 2)
        half = f"±{50 * (cell.high - cell.low):.1f}"
        yield text("text", f"{100 * cell.value:.1f}", x=middle, y=length(y + 17), class_="cell")
        yield text("text", half, x=middle, y=length(y + 31), class_="reach")
