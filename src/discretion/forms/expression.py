"""The expressions of constraints and conditions: ``. >= 0 and . <= 120``, ``selected(${q}, 'a')``.

A small part of XPath is read: comparisons of one answer with a constant, ``selected``, ``and``,
``or``, ``not`` and parentheses. What they mean is up to an algebra, which evaluates as it is read.
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")
F = TypeVar("F")
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
TODAY = ("today", "now")
TOKEN = re.compile(
    r"""\s*(?:
    (?P<field>\$\{\s*[^{}]+?\s*\})
    | (?P<text>'[^']*'|"[^"]*")
    | (?P<number>-?\d+(?:\.\d+)?|-?\.\d+)
    | (?P<mark><=|>=|!=|[=<>(),]|\.(?![.\w/]))
    | (?P<word>[A-Za-z][\w-]*)
    | (?P<odd>\S)
    )""",
    re.VERBOSE,
)


class Complex(Exception):
    """An expression that says more than can be read; the message says what."""


@dataclass(frozen=True)
class Operand:
    """An answer, by the name of its question ("" is this one), or else a constant as written."""

    field: str | None
    value: str = ""


class Algebra(Protocol[T]):
    """What an expression means."""

    def compare(self, field: str, sign: str, value: str) -> T:
        """Return what a comparison of an answer with a constant means."""

    def both(self, one: T, other: T) -> T:
        """Return what holds if both do."""

    def either(self, one: T, other: T) -> T:
        """Return what holds if one of them does."""

    def negate(self, one: T) -> T:
        """Return what holds where this does not."""


def evaluate(text: str, algebra: Algebra[T], today: date) -> T:
    """Return what an expression means, or raise ``Complex``."""
    reader = _Reader(text, algebra, today)
    try:
        found = reader.alternatives()
    except RecursionError:
        raise Complex("its parentheses are too deep") from None
    if reader.sort:
        raise Complex(f"what begins at {reader.word!r} is more than is read here")
    return found


class _Reader(Generic[T]):
    """Reads from left to right; ``sort`` and ``word`` are the next token, "" at the end."""

    def __init__(self, text: str, algebra: Algebra[T], today: date) -> None:
        self._tokens = [
            (str(found.lastgroup), found.group(str(found.lastgroup)))
            for found in TOKEN.finditer(text)
        ]
        self._place, self._algebra, self._today = 0, algebra, today

    @property
    def sort(self) -> str:
        return self._tokens[self._place][0] if self._place < len(self._tokens) else ""

    @property
    def word(self) -> str:
        return self._tokens[self._place][1] if self.sort else ""

    def alternatives(self) -> T:
        found = self._together()
        while self._taken("or"):
            found = self._algebra.either(found, self._together())
        return found

    def _together(self) -> T:
        found = self._one()
        while self._taken("and"):
            found = self._algebra.both(found, self._one())
        return found

    def _one(self) -> T:
        if self._taken("("):
            return self._closed(self.alternatives())
        if self.sort == "word" and self.word in ("not", "selected"):
            name = self._next()
            self._expect("(")
            return self._closed(self._negated() if name == "not" else self._selected())
        return self._comparison()

    def _negated(self) -> T:
        return self._algebra.negate(self.alternatives())

    def _selected(self) -> T:
        asked = self._operand()
        self._expect(",")
        return self._compared(asked, "=", self._operand())

    def _comparison(self) -> T:
        left, sign = self._operand(), self._next()
        if sign not in MIRRORED:
            raise Complex(f"{sign or 'its end'!r} stands where a comparison should")
        return self._compared(left, sign, self._operand())

    def _compared(self, left: Operand, sign: str, right: Operand) -> T:
        if left.field is None:
            left, sign, right = right, MIRRORED[sign], left
        if left.field is None:
            raise Complex("it compares two constants")
        if right.field is not None:
            raise Complex("it compares two answers")
        return self._algebra.compare(left.field, sign, right.value)

    def _operand(self) -> Operand:
        sort, word = self.sort, self._next()
        if word == ".":
            return Operand("")
        if sort == "field":
            return Operand(word[2:-1].strip())
        if sort in ("text", "number"):
            return Operand(None, word.strip(word[0]) if sort == "text" else word)
        if sort == "word" and self._taken("("):
            return self._closed(self._constant(word))
        raise Complex(f"{word or 'its end'!r} is more than is read here")

    def _constant(self, function: str) -> Operand:
        if function in TODAY:
            return Operand(None, self._today.isoformat())
        if function == "date":
            return self._operand()
        raise Complex(f"{function}() is not read here")

    def _closed(self, found: F) -> F:
        self._expect(")")
        return found

    def _expect(self, mark: str) -> None:
        if not self._taken(mark):
            raise Complex(f"{self.word or 'its end'!r} stands where {mark!r} should")

    def _taken(self, word: str) -> bool:
        found = self.sort in ("mark", "word") and self.word == word
        self._place += found
        return found

    def _next(self) -> str:
        word = self.word
        self._place += 1
        return word
