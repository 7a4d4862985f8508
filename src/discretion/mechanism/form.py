"""What a law states about its outputs: which are possible, and what they say about codes."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Form:
    """Any ``n_bits`` low bits, and above them one of ``n_outputs`` numbers from ``first`` on.

    With ``ones``, exactly so many of the bits are set. With ``inner``, the low bits are of one of
    several forms: the number above them says which.
    """

    n_outputs: int = 1
    n_bits: int = 0
    ones: int | None = None
    first: int = 0
    inner: "tuple[Form, ...]" = ()

    def admits(self, y: int) -> bool:
        """Whether ``y`` is possible."""
        above, bits = y >> self.n_bits, y & (1 << self.n_bits) - 1
        if not self.first <= above < self.first + self.n_outputs:
            return False
        if self.inner:
            return self.inner[above - self.first].admits(bits)
        return self.ones is None or bits.bit_count() == self.ones

    def outputs(self) -> Iterator[int]:
        """Yield every possible ``y``; for small domains."""
        for above in range(self.first, self.first + self.n_outputs):
            for bits in self._bits(above):
                yield above << self.n_bits | bits

    def _bits(self, above: int) -> Iterator[int]:
        if self.inner:
            yield from self.inner[above - self.first].outputs()
            return
        if self.ones is None:
            yield from range(1 << self.n_bits)
            return
        for indices in combinations(range(self.n_bits), self.ones):
            yield sum(1 << index for index in indices)


@dataclass(frozen=True, slots=True)
class Inclusion:
    """How probable it is that codes are in the support of a report."""

    own: Fraction  # the true code: the p of the papers
    other: Fraction  # any other code: their q
    own_pair: Fraction  # the true code and a given other one, both
    other_pair: Fraction  # two given codes, neither of them true, both

    @property
    def noise(self) -> tuple[Fraction, Fraction]:
        """The a and b with which a code of frequency f has, but for f^2, the variance a + b f.

        Of a report's debiased score, brought to sum one: docs/proofs/frequencies.md.
        """
        gap, pairs = self.own - self.other, self.own_pair - self.other_pair
        return (self.other - self.other_pair) / gap**2, (gap - 2 * pairs) / gap**2


@dataclass(frozen=True, slots=True)
class Piece:
    """Outputs from ``start`` to ``stop - 1``, decoded to ``origin + pitch * y``."""

    start: int
    stop: int
    origin: Fraction
    pitch: Fraction
