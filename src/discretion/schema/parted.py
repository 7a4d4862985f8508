"""A number in so many parts of equal width, as a bundle about where two numbers lie has it."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from discretion.randomness import Source
from discretion.schema.coarse import Coarse


@dataclass(frozen=True)
class Parted(Coarse):
    """Codes are the parts; one is the points of the grid from ``starts`` up to before the next.

    There are at most as many parts as points, so none is empty.
    """

    @property
    def listed(self) -> bool:
        return True

    @property
    def document(self) -> dict[str, Any]:
        return {"bins": self.size}

    @property
    def starts(self) -> tuple[int, ...]:
        """The first code of the grid in each part, and how many codes there are."""
        return tuple(-(-self.grid.size * part // self.size) for part in range(self.size + 1))

    @property
    def labels(self) -> tuple[str, ...]:
        points = [self.grid.about(point) for point in self.grid.points()]
        return tuple(f"{points[a]}..{points[b - 1]}" for a, b in pairwise(self.starts))

    def encode(self, answer: str, source: Source) -> int:
        return self.grid.encode(answer, source) * self.size // self.grid.size

    def position(self, code: int) -> tuple[int, int]:
        return code * self.size // self.grid.size, 0 * code

    def code(self, value: object) -> int:
        return self.grid.code(value) * self.size // self.grid.size
