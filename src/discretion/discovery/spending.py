"""How the error is spent on the texts that a search tries.

The first step tries all texts of few bits, each later one all extensions of some prefixes. Earlier
groups choose these prefixes, and other owners' reports test the extensions, so for the tests the
prefixes are fixed. The levels of a step's texts add up to its part of the error by Kraft's
inequality: among the extensions of a prefix a text with L further bits has the part 2^-L, and among
the prefixes the best supported ones have the largest parts: docs/proofs/prefixes.md.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

Parts = npt.NDArray[np.float64]


class Step(NamedTuple):
    """The bits of one step, and its error: the probability that it leads to a false discovery."""

    before: int  # bits of the prefixes that are extended
    bits: int  # of their extensions
    error: float

    @classmethod
    def all(cls, groups: Sequence[int], error: float) -> list[Self]:
        """Return a step for each number of bits that groups report, with equal errors."""
        sizes = sorted(set(groups))
        return [cls(before, bits, error / len(sizes)) for before, bits in pairwise([0, *sizes])]

    @property
    def added(self) -> int:
        return self.bits - self.before

    def level(self, length: int, part: float) -> float:
        """Return the level of a text with so many bits, after a prefix with a part of the error."""
        return self.error * part * 2.0 ** (self.before - length)


def parts_by_rank(many: int) -> Parts:
    """Return the parts (many,) of prefixes in their order: the same for 1, 2, 4, ... of them.

    Each of these classes has as much in all.
    """
    classes = [rank.bit_length() for rank in range(1, many + 1)]
    return 2.0 ** (1 - np.array(classes, np.float64)) / max(classes, default=1)
