"""A number on a public grid: low, low + step, ..., high, or the bins declared on that grid.

All grid numbers are integers times ten to the ``exponent``, so the plan's bytes hold no fractions
and a float is read as the decimal that prints it: 0.1 lies on a grid of tenths.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, Context, Decimal
from fractions import Fraction
from functools import cached_property
from math import inf, nan
from numbers import Integral, Real
from typing import Any, ClassVar, Self

from discretion.errors import RecordError
from discretion.randomness import Source, Threshold
from discretion.schema.attribute import NO_VALUE, Ends, Misfit, Single, ends_of

MOST_CODES = 1 << 12  # of a grid, unless its reports resolve every point
FAR = 400  # powers of ten, up and down: no float is further
FINEST, LONG = Decimal(1).scaleb(-FAR), Context(prec=2 * FAR + 2)
EXPONENT = re.compile(r"([-+]?)(\d+\.?\d*|\.\d+)[eE]\+?(-?)\d+")


def exact(value: object) -> Fraction:
    """Return a number as a fraction, a float as the shortest decimal that prints it."""
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        raise TypeError(value)
    if isinstance(value, Integral):
        return Fraction(int(value))
    if isinstance(value, Fraction | Decimal):
        return Fraction(value)
    return Fraction(str(value))


def rounded(position: Fraction, source: Source | None) -> int:
    """Return a neighbouring whole number, by the coin that keeps the mean; without it, below."""
    code, rest = divmod(position, 1)
    if rest and source and source.below(rest.denominator) < rest.numerator:
        return code + 1
    return code


@dataclass(frozen=True)
class Numeric(Single):
    """Codes are grid points, or bins ``[a, b)`` (the last one closed) where edges are given.

    A grid of more than ``most_codes`` points, 4,096 as a rule, has that many codes, from end to
    end: a number goes to one of the two beside it by a coin that keeps the mean.

    ``ranges`` are parts of the grid, from one point to another, that an owner may choose to answer
    within: her number is then moved to the nearer end if it lies outside.

    Where rounding is ``kept`` one threshold of a device decides all coins, so that a number that
    moves a little is, as a rule, rounded to the same point.
    """

    calendar: ClassVar[bool] = False  # whether people write it as a date or a time of day
    difference: ClassVar[str] = ""  # the unit of differences, if its numbers are written otherwise

    name: str
    low: int
    high: int
    step: int
    exponent: int
    edges: tuple[int, ...] | None = None
    ranges: tuple[tuple[int, int], ...] = ()
    most_codes: int = MOST_CODES
    kept: bool = False

    @property
    def size(self) -> int:
        return len(self.edges) - 1 if self.edges else min(self.n_points, self.most_codes)

    @property
    def n_points(self) -> int:
        """The number of points of the grid."""
        return (self.high - self.low) // self.step + 1

    @property
    def stride(self) -> Fraction:
        """How far the codes of a grid are apart, in its unit: a step, but of very fine grids."""
        return Fraction(self.high - self.low, min(self.n_points, self.most_codes) - 1)

    @property
    def unit(self) -> Fraction:
        return Fraction(10) ** self.exponent

    @cached_property
    def labels(self) -> tuple[str, ...]:
        if not self.edges and self.n_points > self.size:
            return tuple(self.about(point) for point in self.points())
        if not self.edges:
            return tuple(self.write(p) for p in range(self.low, self.high + 1, self.step))
        ends = [self.write(edge) for edge in self.edges]
        closed = [*[")"] * (self.size - 1), "]"]
        return tuple(f"[{a}, {b}{c}" for a, b, c in zip(ends, ends[1:], closed, strict=False))

    def points(self) -> tuple[Fraction, ...]:
        """Return the number that each code stands for: the grid point, or the middle of the bin."""
        if not self.edges:
            return tuple((self.low + i * self.stride) * self.unit for i in range(self.size))
        pairs = zip(self.edges, self.edges[1:], strict=False)
        return tuple((a + b) * self.unit / 2 for a, b in pairs)

    @cached_property
    def range_menu(self) -> tuple[Ends, ...]:
        pairs = ((self.low, self.high), *self.ranges) if self.ranges else ()
        return tuple((low * self.unit, high * self.unit) for low, high in pairs)

    def within(self, range_index: int) -> Self:
        if range_index == 0:
            return self
        low, high = self.ranges[range_index - 1]
        return replace(self, low=low, high=high, ranges=())

    @property
    def ends(self) -> tuple[object, object]:
        points = self.points()
        return points[0], points[-1]

    @property
    def number(self) -> Self:
        return self

    @property
    def listed(self) -> bool:
        return self.edges is not None

    @property
    def ordered(self) -> bool:
        return self.edges is None

    @property
    def domain(self) -> str:
        if self.edges:
            return ends_of(self.labels)
        return f"{self.n_points}: {self.write(self.low)} ... {self.write(self.high)}"

    @property
    def otherwise(self) -> str:
        return "the nearer end"

    @property
    def document(self) -> dict[str, Any]:
        grid = {"kind": "numeric", "range": [self.low, self.high], "step": self.step}
        bins = {"bins": list(self.edges)} if self.edges else {}
        ranges = {"ranges": [list(ends) for ends in self.ranges]} if self.ranges else {}
        kept = {"rounding": "kept"} if self.kept else {}
        return {**grid, "exponent": self.exponent, **bins, **ranges, **kept}

    def answer(self, value: object) -> str:
        number = self.clamped(value)
        if self.edges:  # within a bin nothing else is ever reported, so nothing else is remembered
            number = self.edges[self._place(number, None)] * self.unit
        return str(number)

    def encode(self, answer: str, source: Source) -> int:
        return self._place(Fraction(answer), source)

    def settled(self, answer: str, threshold: Threshold) -> str:
        """Return the answer that is the point to which a threshold rounds another one."""
        code = self.encode(answer, threshold)
        return str((self.low + code * self.stride) * self.unit)

    def code(self, value: object) -> int:
        number = self._number(self._strict(value) if isinstance(value, Decimal) else value)
        if not self.low <= number / self.unit <= self.high:
            low, high = self.write(self.low), self.write(self.high)
            raise RecordError(self.name, f"must lie between {low} and {high}", value)
        if not self.edges and (number / self.unit - self.low) % self.step:
            raise RecordError(self.name, "must be a point of the grid", value)
        return self._place(number, None)

    def _strict(self, value: Decimal) -> Decimal | float:
        """Return a decimal that can be counted with as it is."""
        exponent = value.as_tuple().exponent
        if value and isinstance(exponent, int) and exponent < -FAR:
            raise RecordError(self.name, f"must have at most {FAR} decimal places", value)
        return _short(value)

    def _place(self, number: Fraction, source: Source | None) -> int:
        if self.edges:
            return min(bisect_right(self.edges, number / self.unit), self.size) - 1
        return rounded((number / self.unit - self.low) / self.stride, source)

    def clamped(self, value: object) -> Fraction:
        """Return the nearest number of the range, with as many places as are counted with."""
        low, high = self.low * self.unit, self.high * self.unit
        number, places = Fraction(min(max(self._read(value), low), high)), 10**FAR
        return number if number.denominator <= places else Fraction(int(number * places), places)

    def misfit(self, value: object) -> Misfit | None:
        try:
            number = self._read(value)
        except RecordError:
            return Misfit.NO_NUMBER
        if number < self.low * self.unit:
            return Misfit.BELOW
        return Misfit.ABOVE if number > self.high * self.unit else None

    def instead(self, misfit: Misfit) -> str:
        ends = {Misfit.BELOW: self.low, Misfit.ABOVE: self.high}
        return self.write(ends[misfit]) if misfit in ends else NO_VALUE

    def _read(self, value: object) -> Fraction | float:
        """Return the number that a value is, or that a text writes; one beyond all is infinite."""
        if isinstance(value, str):
            value = self._written(value)
        if isinstance(value, Decimal):
            value = _short(value)
        if isinstance(value, Real | Decimal) and value in (inf, -inf):
            return float(value)
        return self._number(value)

    def _written(self, value: str) -> Decimal | float:
        try:
            return Decimal(value)
        except ArithmeticError:
            if far := EXPONENT.fullmatch(value.strip().replace("_", "")):
                return _beyond(*far.groups())
            raise RecordError(self.name, "must be a number", value) from None

    def _number(self, value: object) -> Fraction:
        try:
            return exact(value)
        except (TypeError, ArithmeticError, ValueError):
            raise RecordError(self.name, "must be a number", value) from None

    def point(self, value: object) -> Fraction:
        """Return a number as it is written, to compare it with those of a plan."""
        return exact(value)

    def about(self, number: Fraction) -> str:
        """Write a number that need not be a point of the grid."""
        return f"{float(number):.12g}"

    def write(self, point: float) -> str:
        """Write a point as the plan counts, in its units."""
        return f"{Decimal(point).scaleb(self.exponent):f}"


def _short(value: Decimal) -> Decimal | float:
    """Return a decimal that can be counted with: beyond all grids it is infinite, or cut."""
    exponent = value.as_tuple().exponent
    if not value.is_finite() or not isinstance(exponent, int):
        return float(value) if value.is_infinite() else nan
    if not value:
        return 0.0
    if value.adjusted() > FAR:
        return inf if value > 0 else -inf
    return value if exponent >= -FAR else value.quantize(FINEST, ROUND_DOWN, LONG)


def _beyond(sign: str, digits: str, exponent: str) -> float:
    """Return what a number is whose exponent is too large to be read as a decimal."""
    if exponent == "-" or not any(int(digit) for digit in digits if digit != "."):
        return 0.0
    return -inf if sign == "-" else inf
