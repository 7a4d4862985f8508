"""Hybrid: a window or two points, as a coin decides that does not look at the number.

Law      P(y | x) = (ONE - mix) / ONE * that of the two points       for y = 0, 1
                    mix / ONE * that of the window about y - 2       for y = 2 and above
Report   y says which of the two it is, and is decoded as such
Source   Wang et al. (2019), arXiv:1907.00782: with their mix the variance is the same everywhere.
Proof    docs/proofs/numbers.md
"""

from dataclasses import dataclass
from fractions import Fraction

from discretion.mechanism.form import Piece
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import Numbered
from discretion.mechanism.twopoint import TwoPoint, duchi
from discretion.mechanism.window import Window, pm
from discretion.randomness import ONE, Source

SMALL = 610  # level up to which the two points alone are better


@dataclass(frozen=True, slots=True)
class Hybrid(Numbered):
    """The window with probability ``mix / ONE``, else the two points."""

    points: TwoPoint
    window: Window
    mix: int

    @property
    def size(self) -> int:
        return self.window.size

    @property
    def n_bytes(self) -> int:
        return ((2 * self.window.line + 1).bit_length() + 7) // 8

    @property
    def n_outputs(self) -> int:
        return 2 + self.window.n_outputs if self.mix else 2

    @property
    def ratio(self) -> Fraction:
        return max(self.points.ratio, self.window.ratio) if self.mix else self.points.ratio

    @property
    def pieces(self) -> tuple[Piece, ...]:
        if not self.mix:
            return self.points.pieces
        (piece,) = self.window.pieces
        moved = Piece(2, self.n_outputs, piece.origin - 2 * piece.pitch, piece.pitch)
        return (*self.points.pieces, moved)

    def perturb(self, code: int, source: Source) -> int:
        if source.coin(self.mix):
            return 2 + self.window.perturb(code, source)
        return self.points.perturb(code, source)

    def probability(self, y: int, code: int) -> Fraction:
        if y < 2:
            return Fraction(ONE - self.mix, ONE) * self.points.probability(y, code)
        return Fraction(self.mix, ONE) * self.window.probability(y - 2, code)

    def variance(self, code: int) -> Fraction:
        mix = Fraction(self.mix, ONE)
        return mix * self.window.variance(code) + (1 - mix) * self.points.variance(code)


def hm(size: int, level: int) -> Hybrid:
    """The hybrid mechanism: 1 - e^(-epsilon / 2) of the piecewise one, none at small levels."""
    mix = ONE - ONE * ONE // odds(level, 2000) if level > SMALL else 0
    return Hybrid(duchi(size, level), pm(size, level), mix)
