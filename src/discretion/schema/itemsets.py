"""Sets of items that are reported by the itemsets they contain: "milk + rye" for both of two.

What an owner has, and is asked for, are items. Which of the listed itemsets these contain is a
public function of her answer: nobody has to be asked it, and a device that keeps her items can
answer another plan about other itemsets. An itemset of one item is that item.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from discretion.schema.attribute import ends_of
from discretion.schema.categorical import OTHER
from discretion.schema.entries import label_of
from discretion.schema.item_set import ItemSet

AND = " + "  # between the items of an itemset


def together(items: Sequence[str]) -> str:
    """Return what an itemset is called."""
    return AND.join(items)


@dataclass(frozen=True)
class Itemsets(ItemSet):
    """Sets of items; the labels are those of itemsets, and the code says which are contained."""

    listed_items: tuple[str, ...] = field(kw_only=True)
    contained: tuple[tuple[int, ...], ...] = field(kw_only=True)  # places of items, rising

    @classmethod
    def of(
        cls, name: str, items: Sequence[str], sets: Sequence[Sequence[int]], lengths: Sequence[int]
    ) -> Self:
        labels = tuple(together([items[place] for place in each]) for each in sets)
        contained = tuple(tuple(each) for each in sets)
        return cls(name, labels, tuple(lengths), listed_items=tuple(items), contained=contained)

    @property
    def items(self) -> tuple[str, ...]:
        return self.listed_items

    @property
    def members(self) -> tuple[tuple[int, ...], ...]:
        return self.contained

    @property
    def entries(self) -> str:
        return "itemsets"

    @property
    def home(self) -> int | None:
        return self._found.get(OTHER)

    @property
    def ends(self) -> tuple[object, object]:
        """Nothing, and so many items that a report cannot tell of more itemsets."""
        return [], [self.items[i] for i in sorted({*sum(self.contained[: self.length], ())})]

    @property
    def domain(self) -> str:
        return f"{len(self.labels)} itemsets of {ends_of(self.items)}"

    @property
    def document(self) -> dict[str, Any]:
        sets = [[self.items[place] for place in each] for each in self.contained]
        listed = {"kind": "set", "items": list(self.items), "sets": sets}
        return {**listed, "length": list(self.lengths)}

    def within(self, range_index: int) -> Self:
        return replace(self, lengths=(self.lengths[range_index],))

    def find(self, entry: object) -> int | None:
        return self._found.get(label_of(entry))

    def answer(self, value: object) -> str:
        """Return the places of the itemsets that it contains, rising, as JSON."""
        held = self.places(value)
        found = [place for place, own in enumerate(self.contained) if held.issuperset(own)]
        return json.dumps(found, separators=(",", ":"))

    @cached_property
    def _found(self) -> dict[str, int]:
        return {item: place for place, item in enumerate(self.items)}
