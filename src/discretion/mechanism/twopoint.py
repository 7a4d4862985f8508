"""Two points: one bit, heads the more often the larger the number.

Law      P(y = 1 | x) = (base + slope x) / ONE, for the code x on a grid of ``size`` points
Report   y is the bit; decoded to (ONE y - base) / slope
Source   Duchi, Jordan and Wainwright (2018), arXiv:1302.3203. It is also 1BitMean of Ding, Kulkarni
         and Yekhanin (2017), arXiv:1712.01524, and, in a personal range with a personal budget, the
         LRR of Akter and Hashem (2017).
Proof    docs/proofs/numbers.md
"""

from dataclasses import dataclass
from fractions import Fraction

from discretion.mechanism.form import Piece
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import Numbered
from discretion.randomness import ONE, Source


@dataclass(frozen=True, slots=True)
class TwoPoint(Numbered):
    """A coin with ``base + slope * code`` heads of ONE; at both ends of the grid equally sure."""

    size: int
    base: int
    slope: int

    @property
    def n_outputs(self) -> int:
        return 2

    @property
    def ratio(self) -> Fraction:
        return Fraction(ONE - self.base, self.base)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return (Piece(0, 2, Fraction(-self.base, self.slope), Fraction(ONE, self.slope)),)

    def perturb(self, code: int, source: Source) -> int:
        return int(source.coin(self.base + self.slope * code))

    def probability(self, y: int, code: int) -> Fraction:
        heads = Fraction(self.base + self.slope * code, ONE)
        return heads if y else 1 - heads

    def variance(self, code: int) -> Fraction:
        heads = self.base + self.slope * code
        return Fraction(heads * (ONE - heads), self.slope**2)


def duchi(size: int, level: int) -> TwoPoint:
    """Duchi's mechanism: the best bit about a mean, and the best report for two-point data."""
    top = odds(level)
    slope = ONE * (top - ONE) // ((top + ONE) * (size - 1))  # down: towards more privacy
    slope -= slope % 2  # so that the two ends are alike
    return TwoPoint(size, (ONE - slope * (size - 1)) // 2, slope)
