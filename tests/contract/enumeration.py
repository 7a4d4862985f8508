"""The exact distribution of whatever draws from a ``Source``, by walking through every outcome.

Probabilities are integers over a common total until the end: sums of fractions take most of the
time otherwise.
"""

import itertools
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from typing import TypeVar

from discretion.randomness import ONE, Source

T = TypeVar("T", bound=Hashable)


class Walk:
    """A source that repeats a path of choices and, past its end, takes the first branch.

    The path taken has the probability ``weight / total``.
    """

    def __init__(self, path: list[int]) -> None:
        self.path = path
        self.branches: list[int] = []
        self.weight = self.total = 1

    def below(self, n: int) -> int:
        self.total *= n
        return self._choose(n)

    def coin(self, heads: int) -> bool:
        self.total *= ONE
        lands = self._choose(2) == 1
        self.weight *= heads if lands else ONE - heads
        return lands

    def advance(self) -> bool:
        """Turn the path to the next leaf of the tree; False when all have been seen."""
        while self.path and self.path[-1] + 1 == self.branches[len(self.path) - 1]:
            self.path.pop()
        if self.path:
            self.path[-1] += 1
        return bool(self.path)

    def _choose(self, count: int) -> int:
        depth = len(self.branches)
        if depth == len(self.path):
            self.path.append(0)
        self.branches.append(count)
        return self.path[depth]


class Parted(Walk):
    """A walk on which numbers below ``whole`` go from cut to cut.

    The first and the last number of a part stand for half of it each.
    """

    def __init__(self, whole: int, parts: Sequence[tuple[int, int]], path: list[int]) -> None:
        super().__init__(path)
        self.whole, self.parts = whole, parts

    def below(self, n: int) -> int:
        if n != self.whole:
            return super().below(n)
        part, last = divmod(self._choose(2 * len(self.parts)), 2)
        start, stop = self.parts[part]
        self.weight *= stop - start
        self.total *= 2 * n
        return stop - 1 if last else start


def between_cuts(rows: Sequence[Sequence[int]], whole: int) -> Callable[[list[int]], Walk]:
    """Return the walk for draws below ``whole`` that are compared with the sums of these rows."""
    cuts = sorted({cut for row in rows for cut in itertools.accumulate(row, initial=0)})
    return partial(Parted, whole, list(itertools.pairwise(cuts)))


def distribution(
    draw: Callable[[Source], T], walk_on: Callable[[list[int]], Walk] = Walk
) -> dict[T, Fraction]:
    """Return the exact probability of everything that ``draw`` can return."""
    weights: dict[tuple[T, int], int] = defaultdict(int)  # of each outcome, by total
    path: list[int] = []
    more = True
    while more:
        walk = walk_on(path)
        weights[draw(walk), walk.total] += walk.weight
        more = walk.advance()
    one = lcm(*{total for _, total in weights})
    found: dict[T, int] = defaultdict(int)
    for (outcome, total), weight in weights.items():
        found[outcome] += weight * (one // total)
    return {outcome: Fraction(weight, one) for outcome, weight in found.items() if weight}
