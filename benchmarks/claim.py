"""A claim: what ours takes, what a rival or a physical limit takes at the same, and the bar.

Everything is told as one ratio, theirs over ours: how many times as fast, or as small, ours is. A
rival has one above 1 where ours is better; a limit, such as a bare memory copy, has one below 1. An
allowance, such as so many megabytes, is a rival that ours must not be worse than.
Standard library only, since the runner reads this.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log
from statistics import linear_regression
from typing import Any, Self

ALLOWED = "allowed"


@dataclass(frozen=True, slots=True)
class Claim:
    """One line of the report. Without ``theirs`` there is nothing to compare with."""

    what: str
    ours: float
    beside: str = ""
    theirs: float | None = None
    bar: float | None = None  # the least ratio
    unit: str = "s"

    @classmethod
    def up_to(cls, most: float, what: str, ours: float, unit: str = "s") -> Self:
        """Claim that ours takes no more than it may."""
        return cls(what, ours, ALLOWED, most, 1.0, unit)

    @property
    def ratio(self) -> float | None:
        return None if self.theirs is None else self.theirs / self.ours

    @property
    def met(self) -> bool | None:
        """Whether the bar is met; None where there is none."""
        if self.bar is None:
            return None
        return self.ratio is not None and self.ratio >= self.bar


@dataclass(frozen=True, slots=True)
class Curve:
    """How the seconds of something grow, and between what their slope should lie."""

    what: str
    along: str
    points: Sequence[tuple[float, float]]  # x, seconds
    bar: tuple[float, float] | None = None

    @property
    def slope(self) -> float:
        """The slope of the straight line through the points on logarithmic axes."""
        x, y = ([log(value) for value in axis] for axis in zip(*self.points, strict=True))
        return linear_regression(x, y).slope

    @property
    def met(self) -> bool | None:
        """Whether the bar is met; None where there is none."""
        return None if self.bar is None else self.bar[0] <= self.slope <= self.bar[1]


@dataclass(frozen=True, slots=True)
class Section:
    """What one benchmark found."""

    title: str
    about: str
    claims: Sequence[Claim]
    curves: Sequence[Curve] = ()

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Self:
        """Read what ``tell`` wrote."""
        claims = [Claim(**claim) for claim in document["claims"]]
        curves = [Curve(**curve) for curve in document["curves"]]
        return cls(document["title"], document["about"], claims, curves)


def tell(section: Section) -> None:
    """Write a section to standard output, as the last line of a benchmark's process."""
    print(json.dumps(asdict(section)))
