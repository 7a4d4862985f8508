"""Attributes whose value has any number of entries, of which a few are reported at most."""

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from discretion.randomness import Source
from discretion.schema.attribute import Single
from discretion.schema.categorical import text
from discretion.schema.numeric import Numeric

CUT = "Of more than {0} {1}, {0} are drawn at random and reported."


@dataclass(frozen=True)
class Entries(Single, ABC):
    """Entries for some of the labels.

    ``lengths`` is the menu from which an owner chooses how many entries are reported at most: the
    first unless she says otherwise, and always without regard to what she has.
    """

    name: str
    labels: tuple[str, ...]
    lengths: tuple[int, ...]

    @property
    def length(self) -> int:
        """How many entries are reported at most."""
        return self.lengths[0]

    @property
    def several(self) -> bool:
        return True

    @property
    def range_menu(self) -> tuple[int, ...]:
        return self.lengths if len(self.lengths) > 1 else ()

    def within(self, range_index: int) -> Self:
        return replace(self, lengths=(self.lengths[range_index],))

    @property
    def cut(self) -> str:
        return CUT.format(self.length, self.entries)

    @property
    @abstractmethod
    def entries(self) -> str:
        """What its entries are called."""

    @property
    @abstractmethod
    def size(self) -> int: ...

    @property
    @abstractmethod
    def ends(self) -> tuple[object, object]: ...

    @property
    @abstractmethod
    def domain(self) -> str: ...

    @property
    @abstractmethod
    def otherwise(self) -> str: ...

    @property
    @abstractmethod
    def document(self) -> dict[str, Any]: ...

    @abstractmethod
    def answer(self, value: object) -> str: ...

    @abstractmethod
    def code(self, value: object) -> int: ...

    @property
    def values(self) -> Numeric | None:
        """The grid of the number that each entry has; None: entries have none."""
        return None

    @property
    def home(self) -> int | None:
        """Where entries count that are not listed; None: they are left out."""
        return None

    @abstractmethod
    def encoded(self, answer: list[Any], source: Source) -> list[int]:
        """Return the symbols of an answer, rising, by a coin where a number lies between two."""

    def encode(self, answer: str, source: Source) -> int:
        return sum(1 << symbol for symbol in self.encoded(json.loads(answer), source))

    @property
    def symbols(self) -> tuple[str, ...]:
        """What each code of a report is called, but for the blanks."""
        return self.labels

    @property
    def sides(self) -> int:
        """How many codes stand for an entry, of which a value has one at most."""
        return 1

    def find(self, entry: object) -> int | None:
        """Return what stands for an entry in the code of a value; None where it is not listed."""
        return self.codes.get(label_of(entry))

    @property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The places of what a value must have for each label; () where labels are what it has."""
        return ()

    @cached_property
    def codes(self) -> dict[str, int]:
        return {label: code for code, label in enumerate(self.labels)}


def label_of(entry: object) -> str:
    """Return the label that an entry stands for; nothing where it cannot be written."""
    try:
        return text(entry)
    except (OverflowError, ValueError):  # a number too long to be written
        return ""
