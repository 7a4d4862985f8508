"""Matrix: a row of weights for each code, and an output drawn by them; what a variant states.

A variant of local privacy bounds not every two values alike. It is what a plan states about an
attribute, the same for everybody; an owner's level scales it.

Law      P(y | x) = weights[x][y] / WHOLE
Report   y is the column, as many as there are codes. An output that some code never gives has
         weight zero there: only variants of local privacy that say so have one.
Privacy  what the variant allows of each pair of codes (``Variant``)
Proof    docs/proofs/variants.md
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any, Protocol

from discretion.mechanism.shape import Numbered
from discretion.randomness import Source

WHOLE = 1 << 62  # the sum of a row: cumulated weights fit 64-bit kernels
LEAST = 1 << 36  # a weight that every output of every code has beside its own: rounding is small
MOST = 256  # codes: a report is one byte, and a matrix is made in a moment
FINE = 1 << 192  # what fixed-point numbers are over, until they become weights

Weights = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Matrix(Numbered):
    """Output y of a code with probability ``weights[code][y] / WHOLE``."""

    weights: Weights

    @property
    def size(self) -> int:
        return len(self.weights)

    @property
    def n_outputs(self) -> int:
        return len(self.weights[0])

    @cached_property
    def ratio(self) -> Fraction:
        """Of outputs that all codes give; what only some give reveals without a bound."""
        columns = [column for column in zip(*self.weights, strict=True) if min(column) > 0]
        return max(Fraction(max(column), min(column)) for column in columns)

    def perturb(self, code: int, source: Source) -> int:
        return bisect_right(tuple(accumulate(self.weights[code])), source.below(WHOLE))

    def probability(self, y: int, code: int) -> Fraction:
        return Fraction(self.weights[code][y], WHOLE)


def rounded(probabilities: Sequence[Sequence[int]]) -> Matrix:
    """Return the law with these probabilities over FINE, mixed with a few uniform outputs.

    What a row has left goes to its own code, so the entries of own codes are ignored.
    """
    size = len(probabilities)
    room = WHOLE - size * LEAST
    rows = []
    for code, row in enumerate(probabilities):
        weights = [LEAST + room * each // FINE for each in row]
        weights[code] += WHOLE - sum(weights)
        rows.append(tuple(weights))
    return Matrix(tuple(rows))


class Variant(Protocol):
    """How much of a level may distinguish any two codes, and the law that respects it.

    Frozen and hashable: the parameters of an attribute's law, but for the level.
    """

    def __hash__(self) -> int: ...

    @property
    def size(self) -> int:
        """The number of codes."""

    @property
    def opened(self) -> frozenset[int]:
        """The outputs that reveal a code: no other gives them, and they have no bound."""

    def allowed(self, one: int, other: int) -> int:
        """Return by how many thousandths of the level two codes may be distinguished."""

    def farthest(self) -> tuple[int, int]:
        """Return the two codes that may be distinguished most, of those never sent openly.

        The same code twice where there is no such pair.
        """

    def law(self, level: int) -> Matrix:
        """Return the law of a level."""

    def document(self, labels: Sequence[str]) -> dict[str, Any]:
        """Return what a plan states about the values."""

    def promise(self, labels: Sequence[str]) -> str:
        """Say what is promised about values, in a few words."""
