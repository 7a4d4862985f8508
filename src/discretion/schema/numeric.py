"""A number on a public grid: low, low + step, ..., high, or the bins declared on that grid.

All grid numbers are integers times ten to the ``exponent``, so the plan's bytes hold no fractions
and a float is read as the decimal that prints it: 0.1 lies on a grid of tenths.
"""

from bisect import bisect_right
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import inf
from numbers import Integral, Real

from discretion.errors import RecordError
from discretion.randomness import Source


def exact(value: object) -> Fraction:
    """Return a number as a fraction, a float as the shortest decimal that prints it."""
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        raise TypeError(value)
    if isinstance(value, Integral):
        return Fraction(int(value))
    if isinstance(value, Fraction | Decimal):
        return Fraction(value)
    return Fraction(str(value))


@dataclass(frozen=True)
class Numeric:
    """Codes are grid points, or bins ``[a, b)`` (the last one closed) where edges are given."""

    name: str
    low: int
    high: int
    step: int
    exponent: int
    edges: tuple[int, ...] | None = None

    @property
    def size(self) -> int:
        return len(self.edges) - 1 if self.edges else (self.high - self.low) // self.step + 1

    @property
    def unit(self) -> Fraction:
        return Fraction(10) ** self.exponent

    @cached_property
    def labels(self) -> tuple[str, ...]:
        if not self.edges:
            return tuple(self._write(p) for p in range(self.low, self.high + 1, self.step))
        ends = [self._write(edge) for edge in self.edges]
        closed = [*[")"] * (self.size - 1), "]"]
        return tuple(f"[{a}, {b}{c}" for a, b, c in zip(ends, ends[1:], closed, strict=False))

    def points(self) -> tuple[Fraction, ...]:
        """Return the number that each code stands for: the grid point, or the middle of the bin."""
        if not self.edges:
            return tuple(p * self.unit for p in range(self.low, self.high + 1, self.step))
        pairs = zip(self.edges, self.edges[1:], strict=False)
        return tuple((a + b) * self.unit / 2 for a, b in pairs)

    def answer(self, value: object) -> str:
        number = self._clamped(value)
        if self.edges:  # within a bin nothing else is ever told, so nothing else is remembered
            number = self.edges[self._place(number, None)] * self.unit
        return str(number)

    def encode(self, answer: str, source: Source) -> int:
        return self._place(Fraction(answer), source)

    def code(self, value: object) -> int:
        number = self._number(value)
        if not self.low <= number / self.unit <= self.high:
            low, high = self._write(self.low), self._write(self.high)
            raise RecordError(self.name, f"must lie between {low} and {high}", value)
        if not self.edges and (number / self.unit - self.low) % self.step:
            raise RecordError(self.name, "must be a point of the grid", value)
        return self._place(number, None)

    def _place(self, number: Fraction, source: Source | None) -> int:
        if self.edges:
            return min(bisect_right(self.edges, number / self.unit), self.size) - 1
        position = (number / self.unit - self.low) / self.step
        code, rest = divmod(position, 1)
        if rest and source and source.below(rest.denominator) < rest.numerator:
            return code + 1  # the coin that keeps the mean
        return code

    def _clamped(self, value: object) -> Fraction:
        low, high = self.low * self.unit, self.high * self.unit
        if isinstance(value, str):
            value = self._written(value)
        if isinstance(value, Real | Decimal) and value in (inf, -inf):
            return high if value == inf else low
        return min(max(self._number(value), low), high)

    def _written(self, value: str) -> Decimal:
        try:
            return Decimal(value)
        except ArithmeticError:
            raise RecordError(self.name, "must be a number", value) from None

    def _number(self, value: object) -> Fraction:
        try:
            return exact(value)
        except (TypeError, ArithmeticError, ValueError):
            raise RecordError(self.name, "must be a number", value) from None

    def _write(self, point: int) -> str:
        return f"{Decimal(point).scaleb(self.exponent):f}"
