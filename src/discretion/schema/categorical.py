"""An attribute with named values, in an order or in none."""

from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar

from discretion.errors import RecordError
from discretion.randomness import Source
from discretion.schema.attribute import Misfit, Single, ends_of

OTHER = "other"  # a plan with this label has a home for unknown ones


def text(value: object) -> str:
    """Return the label a value stands for: text as it is, whole numbers without a fraction."""
    if isinstance(value, Real) and not isinstance(value, Integral) and float(value).is_integer():
        return str(int(float(value)))
    return str(value)


@dataclass(frozen=True)
class Categorical(Single):
    """Labels in code order; a label the plan does not know becomes ``fallback``."""

    kind: ClassVar[str] = "categorical"

    name: str
    labels: tuple[str, ...]
    fallback: str
    assumed: bool = field(default=False, compare=False)  # the author stated no fallback

    @property
    def size(self) -> int:
        return len(self.labels)

    @property
    def ends(self) -> tuple[object, object]:
        return self.labels[0], self.labels[-1]

    @property
    def listed(self) -> bool:
        return True

    @property
    def domain(self) -> str:
        return ends_of(self.labels)

    @property
    def otherwise(self) -> str:
        return f'"{self.fallback}"'

    @property
    def document(self) -> dict[str, Any]:
        return {"kind": self.kind, "values": list(self.labels), "fallback": self.fallback}

    @cached_property
    def codes(self) -> dict[str, int]:
        return {label: code for code, label in enumerate(self.labels)}

    def answer(self, value: object) -> str:
        try:
            return self.labels[self.codes[text(value)]]
        except (KeyError, OverflowError, ValueError):  # also numbers too long to be written
            return self.fallback

    def encode(self, answer: str, source: Source) -> int:
        return self.codes[answer]

    def misfit(self, value: object) -> Misfit | None:
        try:
            return None if text(value) in self.codes else Misfit.UNLISTED
        except (OverflowError, ValueError):
            return Misfit.UNLISTED

    def instead(self, misfit: Misfit) -> str:
        return self.fallback

    def code(self, value: object) -> int:
        label = text(value)
        if label in self.codes:
            return self.codes[label]
        if OTHER in self.codes:
            return self.codes[OTHER]
        shown = ", ".join(self.labels[:8]) + (", ..." if self.size > 8 else "")
        raise RecordError(self.name, f"must be one of {shown}", value)


class Ordinal(Categorical):
    """Labels whose order means something: the codes rise from the lowest to the highest."""

    kind = "ordinal"

    @property
    def ordered(self) -> bool:
        return True
