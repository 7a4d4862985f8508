"""How forecasts and comparisons are shown: a table, what its columns mean, and words."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Protocol

import pyarrow as pa

from discretion.render.markup import element, text
from discretion.render.tables import Table
from discretion.table.frame import Frame, from_arrow

WIDTH = 80


@dataclass(frozen=True)
class Sheet:
    """A table with words around it; the first ``words`` columns are words, the others numbers."""

    heading: str
    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]
    words: int
    legend: tuple[str, ...]
    recommendation: str = ""
    notes: tuple[str, ...] = ()

    @property
    def table(self) -> Table:
        """The table under its heading; a terminal may cut the names of its rows."""
        left, elastic = frozenset(range(self.words)), frozenset({0})
        return Table(self.heads, self.rows, self.heading, left=left, elastic=elastic)

    def remarks(self, width: int = WIDTH) -> list[str]:
        """Return the lines below the table: the legend, the recommendation and the notes."""
        lines = list(self.legend)
        if self.recommendation:
            lines += ["", *wrap(self.recommendation, width, break_long_words=False)]
        if self.notes:
            broken = (wrap(note, width, subsequent_indent="  ") for note in self.notes)
            lines += ["", *(line for note in broken for line in note)]
        return lines

    def text(self) -> str:
        """Write it for a terminal."""
        return "\n".join([str(self.table), *self.remarks()])

    def html(self) -> str:
        """Write it for a notebook."""
        legend = text("p", "; ".join(self.legend))
        advice = text("p", self.recommendation) if self.recommendation else ""
        notes = element("ul", *(text("li", note) for note in self.notes)) if self.notes else ""
        return f"{self.table.html()}{legend}{advice}{notes}"


class Row(Protocol):
    """One of the things that are compared."""

    def record(self) -> dict[str, object]:
        """Return it as plain values, with epsilons instead of levels."""


class OnSheet(ABC):
    """What is shown as a sheet; its frame has a row for each of the things that are compared."""

    rows: Sequence[Row]

    @property
    @abstractmethod
    def sheet(self) -> Sheet:
        """The table, with words around it."""

    def to_frame(self, backend: str = "pyarrow") -> Frame:
        """Return a row for each: ``pyarrow``, ``pandas`` or ``polars``."""
        return from_arrow(pa.Table.from_pylist([row.record() for row in self.rows]), backend)

    def __str__(self) -> str:
        return self.sheet.text()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.sheet.html()
