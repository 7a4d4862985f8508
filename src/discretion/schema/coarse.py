"""Numbers of a bundle: at a few equally spaced levels, or in parts of equal width."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from discretion.randomness import Source
from discretion.schema.attribute import Misfit, Single, ends_of
from discretion.schema.numeric import Numeric, rounded


@dataclass(frozen=True)
class Coarse(Single):
    """A number at a few levels, which are its codes.

    It goes to its grid and from there to a level, by coins that keep the mean.
    """

    grid: Numeric
    size: int

    @property
    def number(self) -> Numeric:
        return self.grid

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.number.name

    @property
    def ends(self) -> tuple[object, object]:
        return self.number.ends

    @property
    def domain(self) -> str:
        return ends_of(self.labels)

    @property
    def otherwise(self) -> str:
        return self.number.otherwise

    @property
    def document(self) -> dict[str, Any]:
        return {"levels": self.size}

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(f"{float(point):.6g}" for point in self.points())

    def points(self) -> tuple[Fraction, ...]:
        """Return the number that each code stands for."""
        low, high = self.number.points()[0], self.number.points()[-1]
        return tuple(low + (high - low) * code / (self.size - 1) for code in range(self.size))

    def answer(self, value: object) -> str:
        return self.number.answer(value)

    def encode(self, answer: str, source: Source) -> int:
        code = self.number.encode(answer, source)
        return rounded(Fraction(code * (self.size - 1), self.number.size - 1), source)

    def position(self, code: int) -> tuple[int, int]:
        """Return the level at or below a code, and how far beyond: of ``grid.size - 1``.

        The code may be an array of codes.
        """
        return divmod(code * (self.size - 1), self.grid.size - 1)

    def misfit(self, value: object) -> Misfit | None:
        return self.number.misfit(value)

    def instead(self, misfit: Misfit) -> str:
        return self.number.instead(misfit)

    def code(self, value: object) -> int:
        """Return the level at or below a value of the grid."""
        code = self.number.code(value)
        return code * (self.size - 1) // (self.number.size - 1)


@dataclass(frozen=True)
class Parted(Coarse):
    """A number in parts of equal width, as a bundle about where two numbers lie has it.

    Codes are the parts; one is the points of the grid from ``starts`` up to before the next.

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
