"""Metric privacy: values have places, and near ones are told apart less than far ones.

Distances d are Euclidean, in thousandths of the plan's scale and rounded up; b = epsilon d / 1000.

Law      P(y | x) = c_y e^(-b(x, y)), with the only c that makes the rows sum to one: on a line
         always. In a plane where that c has an entry not above zero, as at small levels, or where
         there are many places, P(y | x) proportional to e^(-b(x, y) / 2). Mixed with a few uniform
         outputs, at a level that is less by a hair, so that rounding to weights does no harm.
Report   y is a code, one byte
Privacy  P(y | x) / P(y | x') <= e^(b(x, x')): two values at the scale's distance by the level
Source   Alvim et al. (2018), arXiv:1805.01456: local d-privacy; Gursoy et al. (2019), IEEE TDSC:
         condensed LDP. The law with tight constraints is that of ElSalamouny, Chatzikokolakis and
         Palamidessi (2013), on a line the geometric one; the other, of McSherry and Talwar (2007).
Proof    docs/proofs/variants.md
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from math import isqrt
from typing import Any

from discretion.mechanism.matrix import FINE, Matrix, rounded
from discretion.mechanism.odds import odds
from discretion.randomness import ONE

HAIR = 10**8  # bounds are in units of one over this, and each is less by one
MOST_TIGHT = 64  # places whose c is worked out, in well under a second
FAR = 20  # epsilons beyond which codes need not be further apart: that is lost in the mixture


@dataclass(frozen=True, slots=True)
class Places:
    """The place of each code: its coordinates, in thousandths of the scale."""

    places: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        return len(self.places)

    @property
    def opened(self) -> frozenset[int]:
        return frozenset()

    def allowed(self, one: int, other: int) -> int:
        return _distance(self.places[one], self.places[other])

    def farthest(self) -> tuple[int, int]:
        pairs = combinations(range(self.size), 2)
        return max(pairs, key=lambda pair: self.allowed(*pair))

    def law(self, level: int) -> Matrix:
        return _line(self, level) if len(self.places[0]) == 1 else _plane(self, level)

    def document(self, labels: Sequence[str]) -> dict[str, Any]:
        return {"places": [list(place) for place in self.places]}

    def promise(self, labels: Sequence[str]) -> str:
        one, other = self.farthest()
        most = f"{self.allowed(one, other) / 1000:g}"
        return (
            "two values are told apart by at most the level times their distance, which is "
            f"{most} from {labels[one]} to {labels[other]}"
        )


@cache
def _distance(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """Return the distance, rounded up: still a metric."""
    square = sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
    return isqrt(square - 1) + 1 if square else 0


def _line(variant: Places, level: int) -> Matrix:
    """Return the geometric law from place to place, whatever the gaps."""
    order = sorted(range(variant.size), key=lambda code: variant.places[code])
    gaps = [
        _less(level, variant.allowed(one, other), variant.allowed(one, other))
        for one, other in pairwise(order)
    ]
    tops = [odds(*gap) for gap in gaps]
    probabilities = [[0] * variant.size for _ in order]
    for index, y in enumerate(order):
        sides = [tops[side] for side in (index - 1, index) if 0 <= side < len(tops)]
        own = FINE * sides[0] // (sides[0] + ONE)
        if len(sides) == 2:
            own = FINE * (sides[0] * sides[1] - ONE * ONE)
            own //= (sides[0] + ONE) * (sides[1] + ONE)
        probabilities[y][y] = above = under = own
        for x, top in zip(order[index + 1 :], tops[index:], strict=True):
            probabilities[x][y] = above = above * ONE // top
        for x, top in zip(reversed(order[:index]), reversed(tops[:index]), strict=True):
            probabilities[x][y] = under = under * ONE // top
    return rounded(probabilities)


def _plane(variant: Places, level: int) -> Matrix:
    """Return the law with tight constraints, or else the exponential one.

    There half of the bound is for the sums of the rows.
    """
    codes = range(variant.size)
    nearest = min(variant.allowed(one, other) for one, other in combinations(codes, 2))
    bounds = [[_less(level, variant.allowed(x, y), nearest) for y in codes] for x in codes]
    falls = [[FINE * ONE // odds(bound, per) for bound, per in row] for row in bounds]
    own = _solved(falls) if variant.size <= MOST_TIGHT else [0]
    if min(own) > 0:
        return rounded([[own[y] * row[y] // FINE for y in codes] for row in falls])
    halves = [[FINE * ONE // odds(bound, 2 * per) for bound, per in row] for row in bounds]
    return rounded([[FINE * weight // sum(row) for weight in row] for row in halves])


def _solved(falls: Sequence[Sequence[int]]) -> list[int]:
    """Return c with falls c = 1, all over FINE, by elimination; zero where there is not one."""
    size, rows = len(falls), [[*row, FINE] for row in falls]
    for i, above in enumerate(rows):
        if above[i] == 0:
            return [0]
        for row in rows[i + 1 :]:
            factor = FINE * row[i] // above[i]
            for j in range(i, size + 1):
                row[j] -= factor * above[j] // FINE
    found = [0] * size
    for i in reversed(range(size)):
        rest = sum(rows[i][j] * found[j] for j in range(i + 1, size)) // FINE
        found[i] = FINE * (rows[i][size] - rest) // rows[i][i]
    return found


def _less(level: int, distance: int, nearest: int) -> tuple[int, int]:
    """Return a level times a distance as a fraction, so much less that the nearest are by one."""
    bound, per = (level * nearest * (HAIR // 10**6) - 1) * distance, nearest * HAIR
    return (bound, per) if bound <= FAR * per else (FAR, 1)
