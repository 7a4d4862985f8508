"""Geometric: the code moved by a two-sided geometric number of steps, the ends carrying the tails.

Law      P(y | x) proportional to (step / ONE)^|y - x|; what would leave the grid is at its ends
Report   y is a code, for likelihoods: as it stands it is not right on average near the ends.
Source   Ghosh, Roughgarden and Sundararajan (2012), arXiv:0811.2841: the Laplace mechanism on a
         grid. It spends the level over the whole range, so near numbers are the more alike.
Proof    docs/proofs/numbers.md
"""

from dataclasses import dataclass
from fractions import Fraction

from discretion.mechanism.form import Piece
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import Numbered
from discretion.randomness import ONE, Source


@dataclass(frozen=True, slots=True)
class Geometric(Numbered):
    """Each step away is ``step / ONE`` times as likely."""

    size: int
    step: int

    @property
    def n_bytes(self) -> int:
        return ((self.size - 1).bit_length() + 7) // 8

    @property
    def n_outputs(self) -> int:
        return self.size

    @property
    def ratio(self) -> Fraction:
        return Fraction(ONE, self.step) ** (self.size - 1)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return ()

    def perturb(self, code: int, source: Source) -> int:
        """Draw a sign and a distance, again if it is minus zero; none is longer than the grid.

        There are as many coins for every distance, so the time that it takes does not reveal it.
        """
        while True:
            up = source.coin(ONE // 2)
            distance, going = 0, 1
            for _ in range(self.size):
                going &= source.coin(self.step)
                distance += going
            if up or distance:
                return min(max(code + distance if up else code - distance, 0), self.size - 1)

    def probability(self, y: int, code: int) -> Fraction:
        q = Fraction(self.step, ONE)
        end = 1 if y in (0, self.size - 1) else 1 - q
        return q ** abs(y - code) * end / (1 + q)

    def variance(self, code: int) -> Fraction:
        """Return the mean squared move of what is reported."""
        probabilities = ((y, self.probability(y, code)) for y in self.outputs())
        return sum(((y - code) ** 2 * p for y, p in probabilities), Fraction())


def laplace(size: int, level: int) -> Geometric:
    """The Laplace mechanism on the grid: a step costs e^(epsilon / (size - 1))."""
    return Geometric(size, -(-ONE * ONE // odds(level, 1000 * (size - 1))))  # up: more privacy
