"""What every attribute can do, whatever its kind.

``answer`` maps what a device is given into the domain, as the plan says: an unknown label to the
fallback, every real number to the nearest one in the range. For a numeric attribute it refuses what
is no number at all: text that writes none, ``True``, a list. So whether a report leaves depends on
whether the value is a number, and a missing report can reveal that. It does not depend on which
number it is. Strict reading, for people who check data before a simulation, is ``code``.
"""

from typing import Protocol

from discretion.randomness import Source


class Attribute(Protocol):
    """A question of the plan with a finite, public domain of ``size`` codes."""

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def labels(self) -> tuple[str, ...]:
        """What people call each code, in code order."""
        ...

    def answer(self, value: object) -> str:
        """Return the exact identity of a value in the domain; what a device remembers by."""
        ...

    def encode(self, answer: str, source: Source) -> int:
        """Return the code of an answer; between two grid points an exact coin decides."""
        ...

    def code(self, value: object) -> int:
        """Return the code of a value that lies in the domain; anything else is refused."""
        ...


def is_missing(value: object) -> bool:
    """Whether a value says that the owner lacks the attribute: None, NaN, or a frame's null."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ArithmeticError):  # pandas.NA and signalling NaN compare with nothing
        return True
    except ValueError:  # an array, which is no value but is there
        return False
