"""What every attribute can do, whatever its kind.

``answer`` maps what a device is given into the domain, as the plan says: an unknown label to the
fallback, every real number to the nearest one in the range. For a numeric attribute it refuses what
is no number at all: text that writes none, ``True``, a list. Such a value is none, like a missing
one, and whether an owner has a value is public. ``misfit`` says which of these happens. Strict
reading, for people who check data before a simulation, is ``code``.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, Self

from discretion.randomness import Source

if TYPE_CHECKING:
    from discretion.schema.conditional import Condition
    from discretion.schema.numeric import Numeric

Ends = tuple[Fraction, Fraction]  # of a range
Option = Ends | int  # a range of a number, or the most items of a set


NO_VALUE = "no value"  # what a misfit counts as that has no place


class Misfit(StrEnum):
    """Why a value does not fit: one rule for devices and for simulations, and the words of both.

    A label that is not listed counts as the fallback, a number outside the range as the nearer end.
    What writes no number, where one is asked for, is no value: the owner lacks it, as if it were
    missing. Of a set or a map the entries that do not fit are left out, or count likewise. So every
    label and every number has a place, and no report is refused because of one.
    """

    UNLISTED = "unlisted"
    BELOW = "below"
    ABOVE = "above"
    NO_NUMBER = "no_number"
    ENTRIES = "entries"

    @property
    def meaning(self) -> str:
        """What is the matter, after the value."""
        return MEANINGS[self]

    def shown(self, instead: str) -> str:
        """Return what a value counts as, with labels in quotes: one may be "none"."""
        return f'"{instead}"' if self is Misfit.UNLISTED else instead


MEANINGS = {
    Misfit.UNLISTED: "is not listed",
    Misfit.BELOW: "is below the range",
    Misfit.ABOVE: "is above the range",
    Misfit.NO_NUMBER: "is not a number",
    Misfit.ENTRIES: "has entries that do not fit",
}


class Attribute(Protocol):
    """Something to be asked, with a finite, public domain of ``size`` codes."""

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def labels(self) -> tuple[str, ...]:
        """What people call each code, in code order."""

    def answer(self, value: object) -> str:
        """Return the exact identity of a value in the domain; what a device remembers by."""

    def encode(self, answer: str, source: Source) -> int:
        """Return the code of an answer; between two grid points an exact coin decides."""

    def code(self, value: object) -> int:
        """Return the code of a value that lies in the domain; anything else is refused."""

    def misfit(self, value: object) -> Misfit | None:
        """Say why a value is not in the domain; None: it is."""

    def instead(self, misfit: Misfit) -> str:
        """Return what such a value counts as, in words."""

    @property
    def edged(self) -> bool:
        """Whether it is a number in bins, be it for some people only."""

    @property
    def assumed(self) -> bool:
        """Whether unknown labels count as the last one only because the author stated no other."""

    @property
    def number(self) -> "Numeric | None":
        """The number on whose grid its values lie, binned or not; None: they are no numbers."""

    @property
    def quantity(self) -> "Numeric | None":
        """The number that a record holds about it, whatever its codes are; None: it holds none."""

    @property
    def conditions(self) -> "Sequence[Condition]":
        """What a record must meet for the attribute to apply; nothing where it always does."""

    @property
    def depends_on(self) -> frozenset[str]:
        """The other attributes that decide whether it applies, directly or through others."""

    @property
    def listed(self) -> bool:
        """Whether its codes are a list of values for tables and bundles: labels, bins or cells."""

    @property
    def several(self) -> bool:
        """Whether a value has any number of entries: a set or a map."""

    @property
    def ordered(self) -> bool:
        """Whether intervals of its codes mean something: points of a grid, or labels in order."""

    @property
    def domain(self) -> str:
        """What its values may be, in a few words."""

    @property
    def otherwise(self) -> str:
        """What becomes of a value outside the domain, in a word."""

    @property
    def source(self) -> str:
        """The name of the attribute whose reports are read for it: as a rule its own."""

    @property
    def parts(self) -> "Sequence[Attribute]":
        """The attributes that one answer is about: this one, or those of a bundle."""

    @property
    def range_menu(self) -> tuple[Option, ...]:
        """The ranges or lengths that an owner may choose from; () for no choice.

        The first is hers who chooses none: of ranges the whole one.
        """

    def within(self, range_index: int) -> "Attribute":
        """Return the attribute as it is answered in a range of the menu, or up to a length."""

    @property
    def cut(self) -> str:
        """What becomes of a part of a value, in a sentence; "" where nothing does."""

    def needs(self, record: Mapping[str, object]) -> Iterator[str]:
        """Yield the names whose values an answer needs, one after the other.

        Whether a name is needed may depend on values before it, so ask on only if those are there.
        """

    def value(self, record: Mapping[str, object]) -> object:
        """Return what a record says about it."""

    @property
    def ends(self) -> tuple[object, object]:
        """Two values of the domain, as far apart as it has any."""

    @property
    def document(self) -> dict[str, Any]:
        """Its domain as it stands in the document of a plan."""


class Single:
    """An attribute by itself, answered in the whole of its domain."""

    name: str
    conditions: "tuple[Condition, ...]" = ()

    def misfit(self, value: object) -> Misfit | None:
        return None

    def instead(self, misfit: Misfit) -> str:
        return NO_VALUE

    @property
    def edged(self) -> bool:
        return self.quantity is not None and self.quantity.edges is not None

    @property
    def assumed(self) -> bool:
        return False

    @property
    def number(self) -> "Numeric | None":
        return None

    @property
    def quantity(self) -> "Numeric | None":
        return self.number

    @property
    def depends_on(self) -> frozenset[str]:
        return frozenset()

    @property
    def listed(self) -> bool:
        return False

    @property
    def several(self) -> bool:
        return False

    @property
    def ordered(self) -> bool:
        return False

    @property
    def source(self) -> str:
        return self.name

    @property
    def parts(self) -> tuple[Self, ...]:
        return (self,)

    @property
    def range_menu(self) -> tuple[Option, ...]:
        return ()

    def within(self, range_index: int) -> Self:
        return self

    @property
    def cut(self) -> str:
        return ""

    def needs(self, record: Mapping[str, object]) -> Iterator[str]:
        yield self.name

    def value(self, record: Mapping[str, object]) -> object:
        return record[self.name]


def ends_of(labels: Sequence[str]) -> str:
    """Return how many labels there are, the first and the last."""
    return f"{len(labels)}: {labels[0]} ... {labels[-1]}"


def is_missing(value: object) -> bool:
    """Whether a value says that the owner lacks the attribute: None, NaN, or a frame's null."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ArithmeticError):  # pandas.NA and signalling NaN compare with nothing
        return True
    except ValueError:  # an array, which is no value but is there
        return False
