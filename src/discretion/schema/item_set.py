"""An attribute with any number of listed items as its value: a basket, or multiple choice.

A value is a list, a set or anything else that yields items, a mapping (its keys), or a single item.
Items that stand there twice count once. What the plan does not list counts as ``other`` if that is
an item, else it is left out: an empty set is an answer like any other. None of this, and not the
size of the set, can be seen in a report.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from discretion.errors import RecordError
from discretion.randomness import Source
from discretion.schema.attribute import Misfit, ends_of
from discretion.schema.categorical import OTHER
from discretion.schema.entries import Entries

UNLISTED = "all items that are listed"


@dataclass(frozen=True)
class ItemSet(Entries):
    """Sets of the labels; the code of one is a bit set."""

    @property
    def items(self) -> tuple[str, ...]:
        """What a value may have: as a rule what is reported."""
        return self.labels

    @property
    def size(self) -> int:
        return 1 << len(self.labels)

    @property
    def entries(self) -> str:
        return "items"

    @property
    def home(self) -> int | None:
        return self.codes.get(OTHER)

    @property
    def ends(self) -> tuple[object, object]:
        return [], list(self.labels[: self.length])

    @property
    def domain(self) -> str:
        return f"sets of {ends_of(self.labels)}"

    @property
    def otherwise(self) -> str:
        return "left out" if self.home is None else f'"{OTHER}"'

    @property
    def document(self) -> dict[str, Any]:
        return {"kind": "set", "items": list(self.labels), "length": list(self.lengths)}

    def answer(self, value: object) -> str:
        """Return the places of its items in the plan, rising, as JSON."""
        return json.dumps(sorted(self.places(value)), separators=(",", ":"))

    def encoded(self, answer: list[Any], source: Source) -> list[int]:
        return answer

    def misfit(self, value: object) -> Misfit | None:
        fits = all(self.find(item) is not None for item in items_of(value))
        return None if fits else Misfit.ENTRIES

    def instead(self, misfit: Misfit) -> str:
        return UNLISTED

    def code(self, value: object) -> int:
        for item in items_of(value):
            if self._place(item) is None:
                shown = ", ".join(self.items[:8]) + (", ..." if len(self.items) > 8 else "")
                raise RecordError(self.name, f"must be items of {shown}", item)
        return sum(1 << place for place in json.loads(self.answer(value)))

    def places(self, value: object) -> set[int]:
        """Return where the items of a value stand in the plan."""
        return {place for item in items_of(value) if (place := self._place(item)) is not None}

    def _place(self, item: object) -> int | None:
        found = self.find(item)
        return self.home if found is None else found


def items_of(value: object) -> list[object]:
    """Return the items of a value: of a list or a set, the keys of a mapping, or the value."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return [value]
    return list(value)
