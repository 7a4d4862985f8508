"""Tables: a row of weights for each of a few knots; the number is first rounded to a knot.

The grid's ends are the first and the last knot, and the knots between are equally far apart. Code
x lies ``rest / (size - 1)`` of the way from a knot to the next, with
``knot, rest = divmod(x * (knots - 1), size - 1)``.

Law      P(y | x) = ((size - 1 - rest) * weights[knot][y] + rest * weights[knot + 1][y])
                    / ((size - 1) * TOTAL)
Report   y is the column. The mean of y is affine in the knot, so it is decoded exactly.
Source   Kairouz, Oh and Viswanath (2016), arXiv:1407.1338, find the best private law by a linear
         programme; ``discretion.plan.optimal`` adds that the mean is to be right.
Proof    docs/proofs/numbers.md
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise

from discretion.mechanism.form import Piece
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import Numbered
from discretion.randomness import ONE, Source

TOTAL = 1 << 48  # the sum of a row: exact in JSON and in 64-bit kernels
MOST = 256  # knots and outputs: a report is one byte, and a table from a stranger stays small

Weights = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Table(Numbered):
    """Output y of a knot with probability ``weights[knot][y] / TOTAL``."""

    size: int
    weights: Weights

    @property
    def n_outputs(self) -> int:
        return len(self.weights[0])

    @property
    def ratio(self) -> Fraction:
        """A likelihood is straight between knots: largest, and least, at a code next to one."""
        last = len(self.weights) - 1
        steps = (divmod(knot * (self.size - 1), last) for knot in range(last + 1))
        near = {code for step, rest in steps for code in (step, step + (rest > 0))}
        columns = zip(*(self._row(code) for code in sorted(near)), strict=True)
        return max(Fraction(max(column), min(column)) for column in columns)

    @property
    def rounds(self) -> bool:
        return True

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The mean of y moves from that of the first row to that of the last, evenly."""
        first, last = _moment(self.weights[0], 1), _moment(self.weights[-1], 1)
        pitch = Fraction((self.size - 1) * TOTAL, last - first)
        return (Piece(0, self.n_outputs, -pitch * first / TOTAL, pitch),)

    def perturb(self, code: int, source: Source) -> int:
        knot, rest = self._place(code)
        if rest and source.below(self.size - 1) < rest:
            knot += 1
        return bisect_right(tuple(accumulate(self.weights[knot])), source.below(TOTAL))

    def probability(self, y: int, code: int) -> Fraction:
        return Fraction(self._row(code)[y], (self.size - 1) * TOTAL)

    def variance(self, code: int) -> Fraction:
        row, whole = self._row(code), (self.size - 1) * TOTAL
        spread = Fraction(_moment(row, 2), whole) - Fraction(_moment(row, 1), whole) ** 2
        (piece,) = self.pieces
        return piece.pitch**2 * spread

    def _place(self, code: int) -> tuple[int, int]:
        """Return the knot at or below a code, and how far beyond it lies, of size - 1."""
        return divmod(code * (len(self.weights) - 1), self.size - 1)

    def _row(self, code: int) -> tuple[int, ...]:
        """Return the weights of the outputs for a code, of (size - 1) TOTAL in all."""
        knot, rest = self._place(code)
        here, beyond = self.weights[knot], self.weights[knot + (rest > 0)]
        both = zip(here, beyond, strict=True)
        return tuple((self.size - 1 - rest) * a + rest * b for a, b in both)


@dataclass(frozen=True, slots=True)
class Marginal:
    """What a bundle's report says about one of its numbers, which is rounded to one of ``levels``.

    It is never drawn by itself: it is a marginal of the bundle's law. P(y | x) = own if y is the
    level that x is rounded to, else (1 - own) / (levels - 1); y is decoded exactly.
    """

    size: int
    levels: int
    own: Fraction

    @property
    def n_outputs(self) -> int:
        return self.levels

    @property
    def gap(self) -> Fraction:
        """How much more probable the true level is than a given other one."""
        return self.own - (1 - self.own) / (self.levels - 1)

    @property
    def rounds(self) -> bool:
        return True

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Invert the mean of y, which is gap * level + (1 - gap) * middle."""
        pitch = Fraction(self.size - 1, self.levels - 1) / self.gap
        middle = Fraction(self.levels - 1, 2)
        return (Piece(0, self.levels, -(1 - self.gap) * middle * pitch, pitch),)

    def probability(self, y: int, code: int) -> Fraction:
        below, rest = divmod(code * (self.levels - 1), self.size - 1)
        share = Fraction(rest, self.size - 1)
        near = (1 - share if y == below else Fraction(0)) + (share if y == below + 1 else 0)
        return (1 - self.own) / (self.levels - 1) + self.gap * near

    def variance(self, code: int) -> Fraction:
        (piece,) = self.pieces
        outcomes = (
            (piece.origin + piece.pitch * y, self.probability(y, code)) for y in self.outputs()
        )
        return sum((p * (decoded - code) ** 2 for decoded, p in outcomes), Fraction())

    def outputs(self) -> Iterator[int]:
        yield from range(self.levels)


def check_weights(level: int, weights: Sequence[Sequence[int]]) -> str | None:
    """Return the rule that a table breaks as the law of a level, or None where it keeps all."""
    shape = {len(row) for row in weights}
    if not 2 <= len(weights) <= MOST or len(shape) != 1 or not 2 <= min(shape) <= MOST:
        return f"a table must have 2 to {MOST} rows of the same 2 to {MOST} columns"
    if any(type(weight) is not int or weight <= 0 for row in weights for weight in row):
        return "weights must be whole numbers above zero"
    if any(sum(row) != TOTAL for row in weights):
        return f"every row of weights must sum to {TOTAL}"
    if any(tuple(a) != tuple(b)[::-1] for a, b in zip(weights, reversed(weights), strict=True)):
        return "weights must be the same read from either end"
    slopes = {_moment(above, 1) - _moment(row, 1) for row, above in pairwise(weights)}
    if len(slopes) != 1 or min(slopes) <= 0:
        return "the mean output must rise by the same amount from row to row"
    if any(max(column) * ONE > min(column) * odds(level) for column in zip(*weights, strict=True)):
        return "no two weights of a column may be further apart than e to the epsilon"
    return None


def _moment(row: Sequence[int], power: int) -> int:
    return sum(weight * y**power for y, weight in enumerate(row))
