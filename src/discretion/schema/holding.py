"""Whether a set has an item, or a map a key: a yes or no that the report about the set implies.

An analyst names it ``basket:milk``. Nobody is asked it, and it costs nothing: it is read off the
reports about the basket. Several of one set are one answer, as their report is one. Of a set of
texts, any text may be named: its cell in each cohort stands for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Self

from discretion.errors import EstimateError, meant
from discretion.schema.attribute import Option
from discretion.schema.bundle import Bundle
from discretion.schema.categorical import Categorical
from discretion.schema.entries import Entries

OF = ":"  # between the name of a set and its item
NO, YES = "no", "yes"
MOST_ITEMS = 6  # of one set in a table


@dataclass(frozen=True)
class Holding(Categorical):
    """Whether one of the entries is there, which has this place in the list."""

    entries: Entries = field(kw_only=True)
    item: str = field(kw_only=True)
    place: int = field(kw_only=True)

    @classmethod
    def of(cls, entries: Entries, item: str) -> Self:
        place = cls.place_of(entries, item)
        if place is None:
            rule = f"{entries.name!r} has no {item!r} among its {entries.entries}"
            raise EstimateError(f"{rule}{meant(item, entries.labels)}")
        name = f"{entries.name}{OF}{item}"
        return cls(name, (NO, YES), NO, entries=entries, item=item, place=place)

    @staticmethod
    def place_of(entries: Entries, item: str) -> int | None:
        """Return where an item stands among the entries; None if it cannot be one."""
        return entries.codes.get(item)

    @property
    def source(self) -> str:
        return self.entries.name

    @property
    def range_menu(self) -> tuple[Option, ...]:
        return self.entries.range_menu

    def within(self, range_index: int) -> Self:
        return replace(self, entries=self.entries.within(range_index))

    @property
    def document(self) -> dict[str, Any]:
        return {"kind": "holding", "of": self.source, "item": self.item}


@dataclass(frozen=True)
class Mention(Holding):
    """Whether a text is among those of a set; its place is its fingerprint.

    ``occupied`` is how often the cell of a text is that of other texts of an owner, by the place of
    a length on the menu.
    """

    occupied: tuple[Fraction, ...] = field(default=(), kw_only=True)

    def within(self, range_index: int) -> Self:
        return replace(super().within(range_index), occupied=self.occupied[range_index:][:1])

    @staticmethod
    def place_of(entries: Entries, item: str) -> int | None:
        return entries.find(item)


@dataclass(frozen=True)
class Holdings(Bundle):
    """Several items of one set, as one answer."""

    @classmethod
    def of(cls, parts: Sequence[Holding]) -> Self:
        if len(parts) > MOST_ITEMS:
            rule = f"at most {MOST_ITEMS} items of one set can stand in a table"
            raise EstimateError(f"{rule}, got {len(parts)} of {parts[0].source!r}")
        return cls(tuple(parts))

    @property
    def source(self) -> str:
        return self.parts[0].source

    @property
    def range_menu(self) -> tuple[Option, ...]:  # type: ignore[override]
        return self.parts[0].range_menu

    def within(self, range_index: int) -> Self:
        return replace(self, parts=tuple(p.within(range_index) for p in self.parts))
