"""What does not fit a plan in a frame of records, counted by attribute and reason.

The rule is that of a device. Examples are true values: they are for people who have the records.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from discretion.schema import Attribute
from discretion.schema.attribute import Misfit
from discretion.schema.categorical import OTHER

EXAMPLES = 3  # of each kind


@dataclass
class Group:
    """The values of an attribute that do not fit for one reason."""

    attribute: str
    misfit: Misfit
    instead: str  # what they count as, in words
    count: int = 0
    examples: list[tuple[int, object]] = field(default_factory=list)  # row, value; the first ones


@dataclass
class Misfits:
    """Values that do not fit; ``rows`` are those of earlier parts of the same file."""

    rows: int = 0
    _found: dict[tuple[str, Misfit], Group] = field(default_factory=dict)

    def add(
        self,
        attribute: Attribute,
        misfit: Misfit,
        rows: npt.NDArray[np.intp],
        value_at: Callable[[int], object],
    ) -> None:
        """Note that these rows, rising, do not fit for one reason."""
        if not len(rows):
            return
        key, instead = (attribute.name, misfit), attribute.instead(misfit)
        group = self._found.setdefault(key, Group(*key, instead))
        room = EXAMPLES - len(group.examples)
        group.examples += [(self.rows + int(row), value_at(int(row))) for row in rows[:room]]
        group.count += len(rows)

    def add_all(
        self,
        attribute: Attribute,
        indices: npt.NDArray[np.int64],
        values: Sequence[object],
        why: Sequence[Misfit | None],
    ) -> None:
        """Note which rows have values that do not fit, by the index of each row's value."""
        found: dict[Misfit, list[int]] = {}
        for place, misfit in enumerate(why):
            if misfit is not None:
                found.setdefault(misfit, []).append(place)
        for misfit, places in found.items():
            rows = np.flatnonzero(np.isin(indices, places))
            self.add(attribute, misfit, rows, lambda row: values[indices[row]])

    def __iter__(self) -> Iterator[Group]:
        return iter(self._found.values())

    @property
    def refused(self) -> int:
        """How many values a strict reader refuses: all but the labels that count as others."""
        return sum(group.count for group in self if group.instead != OTHER)

    @property
    def counts(self) -> dict[str, int]:
        """How many values do not fit, by attribute."""
        counts: dict[str, int] = {}
        for group in self:
            counts[group.attribute] = counts.get(group.attribute, 0) + group.count
        return counts
