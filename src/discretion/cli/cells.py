"""What the cells of a text file mean: numbers in one of two notations, dates, or text.

A column has one notation, and only one that all its cells allow. Where both do, as for 1,234, the
column stays text, and its note says so. Notes are kept with the column, for people to read.
"""

from dataclasses import dataclass, replace
from datetime import date
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc

from discretion.design.proposal import NOTE

WORDS = "unknown|missing|not stated|not available|no answer|refused|don't know|none|null"
MARKS = pa.array(["", *f"?|.|-|--|na|n/a|#n/a|nan|{WORDS}".split("|")])
PLAIN = r"^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$"
WHOLE = r"^-?\d+$"
SPACES = " '\u2019\u00a0\u202f"  # between thousands, whatever the decimal mark is
CODE = r"^-?0\d"  # a leading zero: the text of a code, not a number
DAY, POINTS, MOMENT = (
    r"^\d{4}-\d\d-\d\d$",
    r"^\d?\d\.\d?\d\.\d{4}$",
    r"^\d{4}-\d\d-\d\d[T ]\d\d:\d\d",
)


@dataclass(frozen=True)
class Notation:
    """How numbers are written: the decimal mark, and what may stand between thousands."""

    name: str
    decimal: str
    thousands: str

    @property
    def pattern(self) -> str:
        mark = rf"(\{self.decimal}\d+)?"
        grouped = "|".join(rf"[1-9]\d{{0,2}}({_escaped(c)}\d{{3}})+" for c in self.thousands)
        return rf"^-?(\d+|{grouped}){mark}$|{PLAIN if self.decimal == '.' else r'^$'}"

    def plain(self, cells: pa.ChunkedArray) -> pa.ChunkedArray:
        """Return numbers as a computer writes them."""
        inside = "".join(map(_escaped, self.thousands))
        cells = pc.replace_substring_regex(cells, f"[{inside}]", "")
        return pc.replace_substring(cells, self.decimal, ".")


POINT = Notation("decimal points", ".", "," + SPACES)
COMMA = Notation("decimal commas", ",", "." + SPACES)


@dataclass(frozen=True)
class Cells:
    """The cells of a column without the spaces around them, and their distinct values."""

    cells: pa.ChunkedArray
    distinct: pa.Array  # without marks for a missing value
    marks: pa.Array

    @classmethod
    def of(cls, column: pa.ChunkedArray) -> Self:
        cells = pc.utf8_trim_whitespace(column)
        distinct = cells.unique().drop_null()
        marked = is_mark(distinct)
        return cls(cells, distinct.filter(pc.invert(marked)), distinct.filter(marked))

    @property
    def known(self) -> pa.ChunkedArray:
        """The cells, with nothing where a mark says that the value is missing."""
        return pc.if_else(is_mark(self.cells), None, self.cells)

    def all(self, pattern: str) -> bool:
        """Whether every value looks like this."""
        return len(self.distinct) > 0 and bool(
            pc.all(pc.match_substring_regex(self.distinct, pattern)).as_py()
        )

    @property
    def notations(self) -> list[Notation]:
        """The notations in which all values are numbers; one, where it makes no difference."""
        if self.all(PLAIN):
            return [POINT]
        found = [notation for notation in (POINT, COMMA) if self.all(notation.pattern)]
        same = len(found) > 1 and POINT.plain(self.distinct) == COMMA.plain(self.distinct)
        return found[:1] if same else found

    @property
    def like_numbers(self) -> Self:
        """The same with those values alone that are numbers in some notation."""
        patterns = "|".join([PLAIN, POINT.pattern, COMMA.pattern])
        found = pc.match_substring_regex(self.distinct, patterns)
        return replace(self, distinct=self.distinct.filter(found))

    @property
    def missing(self) -> str:
        """How many cells say in words that the value is missing, and in which."""
        count = pc.sum(is_mark(self.cells)).as_py() or 0
        empty = pc.sum(pc.equal(self.cells, "")).as_py() or 0
        words = ", ".join(repr(word) for word in self.marks.to_pylist() if word)
        return f"{count - empty:,} cells mean that there is no value ({words})" if words else ""

    def numbers(self, notation: Notation) -> pa.ChunkedArray | None:
        """Return the cells as numbers; None: one of them is none."""
        cells = notation.plain(self.known)
        for kind in (pa.int64(), pa.float64()):
            try:
                return cells.cast(kind)
            except pa.ArrowInvalid:
                continue
        return None

    def days(self) -> tuple[pa.ChunkedArray, str] | None:
        """Return the cells as dates, with a note on how they were read; None: they are none."""
        for pattern, read, note in (
            (DAY, _iso, ""),
            (POINTS, _points, "read as day.month.year"),
            (MOMENT, _iso, "the time of day is left out"),
        ):
            if not self.all(pattern):
                continue
            try:
                known = {cell: read(cell) for cell in self.distinct.to_pylist()}
            except ValueError:
                return None
            days = [known.get(cell) for cell in self.cells.to_pylist()]
            return pa.chunked_array([pa.array(days, pa.date32())]), note
        return None


def is_mark(cells: pa.Array) -> pa.Array:
    """Return which cells say that a value is missing."""
    return pc.is_in(pc.utf8_lower(cells), MARKS)


def guessed(column: pa.ChunkedArray, few: int) -> tuple[pa.ChunkedArray, str]:
    """Return a column of text as what it is, with a note: numbers, dates, or the text as it stands.

    Among at most ``few`` numbers, which may be codes, a mark such as NA is one more label.
    """
    cells = Cells.of(column)
    if dates := cells.days():
        days, note = dates
        return days, _joined(f"dates{', ' * bool(note)}{note}", cells.missing)
    notations = cells.notations
    if len(notations) > 1:
        odd = pc.match_substring_regex(cells.distinct, PLAIN)
        example = cells.distinct.filter(pc.invert(odd))[0].as_py()
        plain = [notation.plain(pa.array([example]))[0].as_py() for notation in notations]
        return column, f"left as text, since {example} may be {' or '.join(plain)}"
    coded = pc.any(pc.match_substring_regex(cells.distinct, CODE)).as_py()
    if not notations or coded or (len(cells.marks) and len(cells.distinct) <= few):
        return column, ""
    numbers = cells.numbers(notations[0])
    if numbers is None:
        return column, ""
    written = "" if cells.all(PLAIN) else f"numbers with {notations[0].name}"
    if not cells.all(PLAIN) and notations[0] is POINT:
        written = "numbers with marks between thousands"
    return numbers, _joined(written, cells.missing)


def numbers_of(
    column: pa.ChunkedArray, known: Notation | None = None
) -> tuple[pa.ChunkedArray, Notation | None]:
    """Return a column that should be numbers, and its notation, if it shows one.

    Cells that are no numbers, whatever the notation, make it a column of text; the others are then
    written plainly. ``known`` is the notation of earlier parts of the file.
    """
    cells = Cells.of(column)
    like = cells.like_numbers
    notations = [POINT] if like.all(WHOLE) else like.notations
    if known is not None and like.all(known.pattern):
        notations = [known]
    if len(notations) != 1:
        return cells.known, known
    own = known if like.all(WHOLE) else notations[0]
    found = cells.numbers(notations[0]) if len(like.distinct) == len(cells.distinct) else None
    if found is not None:
        return found, own
    plain = notations[0].plain(cells.known)
    return pc.if_else(pc.is_in(cells.cells, like.distinct), plain, cells.known), own


def moments_of(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column that should be dates or times of day: as dates, or as text without marks."""
    cells = Cells.of(column)
    found = cells.days()
    return found[0] if found else cells.known


def noted(name: str, column: pa.ChunkedArray, note: str) -> pa.Field:
    """Return the field of a column, with its note."""
    return pa.field(name, column.type, metadata={NOTE: note} if note else None)


def _iso(cell: str) -> date:
    return date.fromisoformat(cell[:10])


def _points(cell: str) -> date:
    day, month, year = map(int, cell.split("."))
    return date(year, month, day)


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))


def _escaped(character: str) -> str:
    return rf"\{character}" if character in ".'" else character
