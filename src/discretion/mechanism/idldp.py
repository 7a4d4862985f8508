"""Input-discriminative privacy: each value has a share of the level, two values the smaller one's.

With epsilon_x the level of a code, at most twice that of the most sensitive one (more would not be
kept by way of that one),

Law      P(y | x) = c_y e^(-min(epsilon_x, epsilon_y)) for y other than x, P(x | x) = c_x, with the
         only c that makes the rows sum to one: where all levels are the same, generalised
         randomised response. Larger levels are cut off where the frequencies then have the
         smallest variance, summed over the codes at the uniform distribution. Mixed with a few
         uniform outputs, at levels that are less by a hair, so that rounding does no harm.
Report   y is a code, one byte
Privacy  P(y | x) / P(y | x') <= e^(min(epsilon_x, epsilon_x'))
Source   Gu, Li, Xiong and Cao (2020), ICDE: MinID-LDP. The law is the one with tight constraints
         of ElSalamouny, Chatzikokolakis and Palamidessi (2013), for that metric.
Proof    docs/proofs/variants.md
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from discretion.mechanism.matrix import FINE, WHOLE, Matrix, rounded
from discretion.mechanism.metric import HAIR
from discretion.mechanism.odds import odds
from discretion.mechanism.uldp import even
from discretion.randomness import ONE

MOST_SHARES = 16  # different ones: the law is made in well under a second
CUTS = 16  # steps from the smallest level to its double at which larger ones may be cut off
WORTH = Fraction(9_999, 10_000)  # of a variance: a smaller gain may be lost in rounding


@dataclass(frozen=True, slots=True)
class Shares:
    """What each code may have of the level, in thousandths."""

    shares: tuple[int, ...]

    @property
    def size(self) -> int:
        return len(self.shares)

    @property
    def opened(self) -> frozenset[int]:
        return frozenset()

    def allowed(self, one: int, other: int) -> int:
        return 0 if one == other else min(self.shares[one], self.shares[other])

    def farthest(self) -> tuple[int, int]:
        one, other = sorted(range(self.size), key=lambda code: -self.shares[code])[:2]
        return one, other

    def law(self, level: int) -> Matrix:
        best, smallest = None, level * min(self.shares)
        least = WORTH * Classes((odds(smallest, 10**6),), (self.size,)).variance
        for cut in range(1, CUTS + 1):
            tops = self._tops(level, cut)
            classes = Classes.of(tops)
            if min(classes.own) > 0 and classes.variance < least:
                best, least = tops, classes.variance
        return _plain(self.size, smallest) if best is None else _tight(best)

    def document(self, labels: Sequence[str]) -> dict[str, Any]:
        return {"shares": list(self.shares)}

    def promise(self, labels: Sequence[str]) -> str:
        least = min(self.shares)
        first = labels[self.shares.index(least)]
        return (
            "two values are told apart by at most the smaller of their parts of the level, of "
            f"which {first} has {least / 1000:g}"
        )

    def _tops(self, level: int, cut: int) -> list[int]:
        """Return e to the level of each code, a hair less, over ONE; larger levels are cut off."""
        levels = [level * share * (HAIR // 10**6) - 1 for share in self.shares]
        most = min(levels) * (CUTS + cut)
        return [odds(min(each * CUTS, most), CUTS * HAIR) for each in levels]


def _plain(size: int, level: int) -> Matrix:
    """Return generalised randomised response at a level in millionths."""
    other = even(size, level, 10**6)
    own, codes = WHOLE - (size - 1) * other, range(size)
    return Matrix(tuple(tuple(own if y == x else other for y in codes) for x in codes))


def _tight(tops: Sequence[int]) -> Matrix:
    """Return the law with tight constraints for these levels of the codes."""
    classes = Classes.of(tops)
    owns = zip(classes.tops, classes.own, strict=True)
    probabilities = {top: FINE * own.numerator // own.denominator for top, own in owns}
    return rounded([[probabilities[y] * ONE // min(x, y) for y in tops] for x in tops])


@dataclass(frozen=True)
class Classes:
    """Codes with the same level each, from the smallest up: e to the level, and how many."""

    tops: tuple[int, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, tops: Sequence[int]) -> "Classes":
        found = sorted(Counter(tops).items())
        return cls(tuple(top for top, _ in found), tuple(count for _, count in found))

    @cached_property
    def own(self) -> tuple[Fraction, ...]:
        """The c of each class: the probability of sending the true code; may come out negative."""
        return tuple(self._solved([Fraction(1)] * len(self.tops)))

    @cached_property
    def variance(self) -> Fraction:
        """Of unbiased frequencies from one report, summed, at uniform ones; but for a constant.

        With F the matrix of e^(-min), f = F^-1 (probabilities of outputs / c). A code is a contrast
        within its class, which F multiplies by 1 - g, and a part of the class.
        """
        total, size = Fraction(), sum(self.counts)
        for index, (n, g, own) in enumerate(zip(self.counts, self._falls, self.own, strict=True)):
            unit = [Fraction(i == index, n) for i in range(len(self.counts))]
            between = sum(m * u * u for m, u in zip(self.counts, self._solved(unit), strict=True))
            within = Fraction(n - 1, n) / (1 - g) ** 2
            total += n * self._row(index) / own * (within + between) / size
        return total

    @cached_property
    def _falls(self) -> list[Fraction]:
        """For each class e^(-level): the g of the formulas."""
        return [Fraction(ONE, top) for top in self.tops]

    def _row(self, index: int) -> Fraction:
        """Return the sum of a row of F."""
        under = zip(self.counts[:index], self._falls[:index], strict=True)
        falls, rest = self._falls[index], sum(self.counts[index:])
        return sum((n * g for n, g in under), 1 + (rest - 1) * falls)

    def _solved(self, right: Sequence[Fraction]) -> list[Fraction]:
        """Return u with F u = right, all being constant within classes.

        The difference of two rows that follow each other gives u from its successors, so u is
        known but for the last one, and linear in that; the first row gives it.
        """
        some, more = (
            self._back(right, Fraction(0)),
            self._back([Fraction(0)] * len(right), Fraction(1)),
        )
        last = (right[0] - self._first(some)) / self._first(more)
        return [a + last * b for a, b in zip(some, more, strict=True)]

    def _back(self, right: Sequence[Fraction], last: Fraction) -> list[Fraction]:
        found, g = [last], self._falls
        beyond = Fraction(0)
        for i in reversed(range(len(right) - 1)):
            beyond += self.counts[i + 1] * found[0]
            value = right[i] - right[i + 1] + (1 - g[i + 1]) * found[0] - (g[i] - g[i + 1]) * beyond
            found.insert(0, value / (1 - g[i]))
        return found

    def _first(self, u: Sequence[Fraction]) -> Fraction:
        g, whole = self._falls[0], sum(n * each for n, each in zip(self.counts, u, strict=True))
        return (1 - g) * u[0] + g * whole
