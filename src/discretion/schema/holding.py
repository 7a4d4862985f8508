"""Whether a set has an item, or a map a key: a yes or no that the report about the set implies.

An analyst names it ``basket:milk``. Nobody is asked it, and it costs nothing: it is read off the
reports about the basket. Several of one set are one answer, as their report is one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from discretion.errors import EstimateError
from discretion.schema.attribute import Option
from discretion.schema.bundle import Bundle
from discretion.schema.categorical import Categorical
from discretion.schema.entries import Entries

OF = ":"  # between the name of a set and its item
NO, YES = "no", "yes"
MOST_ITEMS = 6  # of one set in a table


@dataclass(frozen=True)
class Holding(Categorical):
    """Whether the entries at one place of the list are there."""

    entries: Entries = field(kw_only=True)
    place: int = field(kw_only=True)

    @classmethod
    def of(cls, entries: Entries, label: str) -> Self:
        name = f"{entries.name}{OF}{label}"
        return cls(name, (NO, YES), NO, entries=entries, place=entries.codes[label])

    @property
    def source(self) -> str:
        return self.entries.name

    @property
    def item(self) -> str:
        return self.entries.labels[self.place]

    @property
    def range_menu(self) -> tuple[Option, ...]:
        return self.entries.range_menu

    def within(self, range_index: int) -> Self:
        return replace(self, entries=self.entries.within(range_index))

    @property
    def bits(self) -> range:
        """Where a report has its codes."""
        first = self.entries.sides * self.place
        return range(first, first + self.entries.sides)

    @property
    def document(self) -> dict[str, Any]:
        return {"kind": "holding", "of": self.source, "item": self.item}


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
