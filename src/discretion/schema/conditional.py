"""An attribute that applies to some people only, and the conditions that say to whom.

Conditions are about other attributes of the same record, which stand above it in the plan, so none
depends on itself. A device evaluates them and reports one more value, ``not applicable``, under the
same law. So neither the length nor the level of a report depends on whether a question applies.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from discretion.randomness import Source
from discretion.schema.attribute import Attribute, Misfit, Single
from discretion.schema.numeric import Numeric

NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True)
class Condition:
    """What another attribute must be: one of some labels, or a number from one end to the other.

    The number itself counts, clamped to its range: neither its bin nor its nearest grid point.
    """

    attribute: Attribute
    labels: tuple[str, ...] = ()  # "not applicable" may be one
    ends: tuple[int, int] | None = None  # two points of its grid, which belong to what is allowed

    def holds(self, record: Mapping[str, object]) -> bool:
        """Whether a record meets it."""
        value, grid = self.attribute.value(record), self.attribute.quantity
        if self.ends is None:
            return self.attribute.answer(value) in self.labels
        if grid is None or is_inapplicable(value):
            return False
        low, high = self.ends
        return low <= grid.clamped(value) / grid.unit <= high

    def __str__(self) -> str:
        grid = self.attribute.quantity
        if grid is None or self.ends is None:
            return f"{self.attribute.name} is {' or '.join(self.labels)}"
        return f"{self.attribute.name} is {grid.write(self.ends[0])} to {grid.write(self.ends[1])}"

    @property
    def document(self) -> dict[str, Any]:
        """The condition as it stands in the document of a plan."""
        allowed = {"range": list(self.ends)} if self.ends else {"values": list(self.labels)}
        return {"attribute": self.attribute.name, **allowed}


@dataclass(frozen=True)
class Conditional(Single):
    """Labels or bins, and one more code, the last one: the question does not apply."""

    inner: Attribute
    conditions: tuple[Condition, ...]  # all of them must hold

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.inner.name

    @property
    def size(self) -> int:
        return self.inner.size + 1

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return (*self.inner.labels, NOT_APPLICABLE)

    @property
    def ends(self) -> tuple[object, object]:
        return self.inner.ends[0], NOT_APPLICABLE

    @property
    def listed(self) -> bool:
        return True

    @property
    def quantity(self) -> Numeric | None:
        return self.inner.number

    @property
    def domain(self) -> str:
        return f"{self.inner.domain}; or {NOT_APPLICABLE}"

    @property
    def otherwise(self) -> str:
        return self.inner.otherwise

    @property
    def document(self) -> dict[str, Any]:
        return {**self.inner.document, "applies": [each.document for each in self.conditions]}

    @cached_property
    def depends_on(self) -> frozenset[str]:
        """The attributes that decide whether it applies, directly or through others."""
        asked = [each.attribute for each in self.conditions]
        return frozenset().union(*({each.name, *each.depends_on} for each in asked))

    def needs(self, record: Mapping[str, object]) -> Iterator[str]:
        for condition in self.conditions:
            yield from condition.attribute.needs(record)
            if not condition.holds(record):
                return
        yield self.name

    def value(self, record: Mapping[str, object]) -> object:
        applies = all(condition.holds(record) for condition in self.conditions)
        return record[self.name] if applies else NOT_APPLICABLE

    def answer(self, value: object) -> str:
        return NOT_APPLICABLE if is_inapplicable(value) else self.inner.answer(value)

    def encode(self, answer: str, source: Source) -> int:
        return self.inner.size if answer == NOT_APPLICABLE else self.inner.encode(answer, source)

    def misfit(self, value: object) -> Misfit | None:
        return None if is_inapplicable(value) else self.inner.misfit(value)

    def instead(self, misfit: Misfit) -> str:
        return self.inner.instead(misfit)

    @property
    def assumed(self) -> bool:
        return self.inner.assumed

    def code(self, value: object) -> int:
        return self.inner.size if is_inapplicable(value) else self.inner.code(value)


def is_inapplicable(value: object) -> bool:
    """Whether a value says that the question does not apply."""
    return isinstance(value, str) and value == NOT_APPLICABLE
