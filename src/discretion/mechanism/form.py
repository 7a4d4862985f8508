"""The form of a report: which integers ``y`` a law can send at all, whatever the value."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Form:
    """Any ``n_bits`` low bits, and above them one of ``n_outputs`` numbers from ``first`` on.

    With ``ones``, exactly so many of the bits are set.
    """

    n_outputs: int = 1
    n_bits: int = 0
    ones: int | None = None
    first: int = 0

    def admits(self, y: int) -> bool:
        """Whether ``y`` is possible."""
        if not self.first <= y >> self.n_bits < self.first + self.n_outputs:
            return False
        return self.ones is None or (y & (1 << self.n_bits) - 1).bit_count() == self.ones

    def outputs(self) -> Iterator[int]:
        """Yield every possible ``y``; for small domains."""
        for above in range(self.first, self.first + self.n_outputs):
            for bits in self._bits():
                yield above << self.n_bits | bits

    def _bits(self) -> Iterator[int]:
        if self.ones is None:
            yield from range(1 << self.n_bits)
            return
        for indices in combinations(range(self.n_bits), self.ones):
            yield sum(1 << index for index in indices)
