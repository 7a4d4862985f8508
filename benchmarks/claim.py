"""A claim: what ours takes, what a rival or a physical limit takes at the same, and the bar.

Everything is told as one ratio, theirs over ours: how many times as fast, or as small, ours is. A
rival has one above 1 where ours is better; a limit, such as a bare memory copy, has one below 1. An
allowance, such as so many megabytes, is a rival that ours must not be worse than.
Standard library only, since the runner reads this.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
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

    def to_json(self) -> Mapping[str, Any]:
        return {name: value for name, value in asdict(self).items() if value not in ("", None)}
