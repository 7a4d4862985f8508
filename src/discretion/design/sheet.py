"""How forecasts and comparisons are shown: a table, what its columns mean, and words."""

from dataclasses import dataclass
from html import escape
from textwrap import wrap

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
    def right(self) -> frozenset[int]:
        """The columns of numbers."""
        return frozenset(range(self.words, len(self.heads)))

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
        table = [self.heads, *self.rows]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(width) if i in self.right else cell.ljust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in table
        ]
        return "\n".join([self.heading, *lines, *self.remarks()])

    def html(self) -> str:
        """Write it for a notebook."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.heads)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self.rows
        )
        advice = f"<p>{escape(self.recommendation)}</p>" if self.recommendation else ""
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.notes)
        return (
            f"<table><caption>{escape(self.heading)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table><p>{escape('; '.join(self.legend))}</p>"
            f"{advice}{f'<ul>{notes}</ul>' if notes else ''}"
        )
