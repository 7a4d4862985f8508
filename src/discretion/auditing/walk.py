"""The exact distribution of whatever draws from a ``Source``, by walking through every choice.

A draw from few numbers is walked through number by number. One from very many, such as the word of
a coin, is an interval that every comparison cuts in two: so a word that is compared twice is one
word, and a coin of too few bits has the chances that it has.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cache
from typing import TypeVar, cast

from discretion.randomness import ONE, Source

FEW = 1 << 12  # numbers up to which a draw is walked through one by one
MOST_PATHS = 1 << 13

T = TypeVar("T", bound=Hashable)


class TooManyPaths(Exception):
    """The walk would take too long, or a draw from very many is used as a number."""


@cache
def _even(n: int) -> tuple[Fraction, ...]:
    return (Fraction(1, n),) * n


class Walk:
    """A source that repeats a path of choices and, past its end, takes the first branch."""

    def __init__(self, path: list[int]) -> None:
        self.path = path
        self.branches: list[int] = []
        self.chance = Fraction(1)
        self.leaves = 1  # of a tree that branches everywhere as on this path

    def below(self, n: int) -> int:
        if n <= FEW:
            return self.choose(_even(n))
        return cast("int", Interval(self, n))

    def coin(self, heads: int) -> bool:
        return self.below(ONE) < heads

    def advance(self) -> bool:
        """Turn the path to the next leaf of the tree; False when all have been seen."""
        while self.path and self.path[-1] + 1 == self.branches[len(self.path) - 1]:
            self.path.pop()
        if self.path:
            self.path[-1] += 1
        return bool(self.path)

    def choose(self, chances: Sequence[Fraction]) -> int:
        """Take the branch of the path, and note its chance."""
        if len(self.branches) == len(self.path):
            self.path.append(0)
        taken = self.path[len(self.branches)]
        self.branches.append(len(chances))
        self.leaves *= len(chances)
        if self.leaves > MOST_PATHS:
            raise TooManyPaths
        self.chance *= chances[taken]
        return taken


class Interval:
    """A uniform number of which is known only what comparisons have told."""

    def __init__(self, walk: Walk, n: int) -> None:
        self._walk, self._low, self._high = walk, 0, n

    def __lt__(self, bound: int) -> bool:
        if not self._low < bound < self._high:
            return bound >= self._high
        below = Fraction(bound - self._low, self._high - self._low)
        if self._walk.choose([1 - below, below]):
            self._high = bound
            return True
        self._low = bound
        return False

    def __le__(self, bound: int) -> bool:
        return self < bound + 1

    def __gt__(self, bound: int) -> bool:
        return not self < bound + 1

    def __ge__(self, bound: int) -> bool:
        return not self < bound

    def __index__(self) -> int:
        raise TooManyPaths

    def __add__(self, other: object) -> int:
        raise TooManyPaths

    __radd__ = __sub__ = __mul__ = __floordiv__ = __mod__ = __divmod__ = __add__
    __and__ = __rshift__ = __add__


def distribution(draw: Callable[[Source], T]) -> dict[T, Fraction]:
    """Return the exact probability of everything that ``draw`` can return."""
    found: dict[T, Fraction] = defaultdict(Fraction)
    path: list[int] = []
    for _ in range(MOST_PATHS):
        walk = Walk(path)
        found[draw(walk)] += walk.chance
        if not walk.advance():
            return {outcome: chance for outcome, chance in found.items() if chance}
    raise TooManyPaths
