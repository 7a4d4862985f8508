"""The exact distribution of whatever draws from a ``Source``, by walking through every outcome."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import TypeVar

from discretion.randomness import ONE, Source

T = TypeVar("T", bound=Hashable)


class Walk:
    """A source that repeats a path of choices and, past its end, takes the first branch."""

    def __init__(self, path: list[int]) -> None:
        self.path = path
        self.branches: list[int] = []
        self.chance = Fraction(1)

    def below(self, n: int) -> int:
        return self._choose([Fraction(1, n)] * n)

    def coin(self, heads: int) -> bool:
        return self._choose([Fraction(ONE - heads, ONE), Fraction(heads, ONE)]) == 1

    def advance(self) -> bool:
        """Turn the path to the next leaf of the tree; False when all have been seen."""
        while self.path and self.path[-1] + 1 == self.branches[len(self.path) - 1]:
            self.path.pop()
        if self.path:
            self.path[-1] += 1
        return bool(self.path)

    def _choose(self, chances: Sequence[Fraction]) -> int:
        if len(self.branches) == len(self.path):
            self.path.append(0)
        taken = self.path[len(self.branches)]
        self.branches.append(len(chances))
        self.chance *= chances[taken]
        return taken


def distribution(
    draw: Callable[[Source], T], walk_on: Callable[[list[int]], Walk] = Walk
) -> dict[T, Fraction]:
    """Return the exact probability of everything that ``draw`` can return."""
    found: dict[T, Fraction] = defaultdict(Fraction)
    path: list[int] = []
    more = True
    while more:
        walk = walk_on(path)
        found[draw(walk)] += walk.chance
        more = walk.advance()
    return {outcome: chance for outcome, chance in found.items() if chance}
