"""The exact distribution of whatever draws from a ``Source``, by enumerating every choice.

A draw from few numbers is enumerated number by number. One from very many, such as the word of a
coin, is an interval that every comparison cuts in two: so a word that is compared twice is one
word, and a coin of too few bits has the probabilities that it has. The probability of a path is
kept as an integer over another, and made a fraction at the end: fractions take most of the time
otherwise.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import TypeVar, cast

from discretion.randomness import ONE, Source

FEW = 1 << 12  # numbers up to which a draw is enumerated one by one
MOST_PATHS = 1 << 13

T = TypeVar("T", bound=Hashable)


class TooManyPaths(Exception):
    """The enumeration would take too long, or a draw from very many is used as a number."""


@cache
def _even(n: int) -> tuple[int, ...]:
    return (1,) * n


class Enumerator:
    """A source that repeats a path of choices and, past its end, takes the first branch."""

    def __init__(self, path: list[int]) -> None:
        self.path = path
        self.branches: list[int] = []
        self.weight = self.total = 1  # of the path: its probability is the one over the other
        self.leaves = 1  # of a tree that branches everywhere as on this path

    def below(self, n: int) -> int:
        if n <= FEW:
            return self.choose(_even(n), n)
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

    def choose(self, weights: Sequence[int], total: int) -> int:
        """Take the branch of the path, and note its probability: its weight in the total."""
        if len(self.branches) == len(self.path):
            self.path.append(0)
        taken = self.path[len(self.branches)]
        self.branches.append(len(weights))
        self.leaves *= len(weights)
        if self.leaves > MOST_PATHS:
            raise TooManyPaths
        self.weight *= weights[taken]
        self.total *= total
        return taken


class Interval:
    """A uniform number of which is known only what comparisons have shown."""

    def __init__(self, enumerator: Enumerator, n: int) -> None:
        self._enumerator, self._low, self._high = enumerator, 0, n

    def __lt__(self, bound: int) -> bool:
        if not self._low < bound < self._high:
            return bound >= self._high
        if self._enumerator.choose((self._high - bound, bound - self._low), self._high - self._low):
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
    found: dict[T, Counter[int]] = defaultdict(Counter)  # weights of each outcome, by total
    path: list[int] = []
    for _ in range(MOST_PATHS):
        enumerator = Enumerator(path)
        found[draw(enumerator)][enumerator.total] += enumerator.weight
        if not enumerator.advance():
            return {
                outcome: _probability(parts)
                for outcome, parts in found.items()
                if any(parts.values())
            }
    raise TooManyPaths


def _probability(parts: Mapping[int, int]) -> Fraction:
    return sum((Fraction(weight, total) for total, weight in parts.items()), Fraction())
