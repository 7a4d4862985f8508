"""Marginal: the law of what a bundle's report says about one of its numbers.

Law      P(y | x) = own if y is the level that a coin rounds x to, else (1 - own) / (levels - 1)
Report   y is a level, decoded exactly. It is never drawn by itself: it is a marginal of the
         bundle's law.
Proof    docs/proofs/numbers.md
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from discretion.mechanism.form import Piece


@dataclass(frozen=True, slots=True)
class Marginal:
    """Numbers on a grid of ``size`` points, reported at ``levels`` of them."""

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
