"""A value in an author's plan that knows where it stands, so that every error can say so."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from discretion.budget import thousandths
from discretion.errors import BudgetError, PlanError
from discretion.schema.numeric import exact

LONGEST_TEXT = 200
ID = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Field:
    """One value: ``path`` is its place, such as ``attributes[1].step``."""

    source: str
    path: str
    value: object

    def fail(self, rule: str) -> NoReturn:
        raise PlanError(self.source, self.path or "plan", rule, self.value)

    def mapping(self, required: Iterable[str], optional: Iterable[str] = ()) -> dict[str, "Field"]:
        """Return the named fields of a mapping; a missing or unknown one is refused."""
        if not isinstance(self.value, Mapping):
            self.fail("must be a mapping")
        known = {*required, *optional}
        for key in self.value:
            if key not in known:
                where = self._inner(f".{key}", self.value[key])
                where.fail(f"must be one of the fields {', '.join(sorted(known))}")
        for key in required:
            if key not in self.value:
                raise PlanError(
                    self.source, self._inner(f".{key}", None).path, "must be there", None
                )
        return {key: self._inner(f".{key}", value) for key, value in self.value.items()}

    def named(self, key: str) -> "Field":
        """Return one field of a mapping, whatever others it has."""
        if not isinstance(self.value, Mapping):
            self.fail("must be a mapping")
        return self.mapping((key,), self.value)[key]

    def each(self) -> dict[str, "Field"]:
        """Return all fields of a mapping, whatever their names."""
        return self.mapping((), self.value if isinstance(self.value, Mapping) else ())

    def items(self) -> list["Field"]:
        if not isinstance(self.value, list | tuple) or not self.value:
            self.fail("must be a list with at least one item")
        return [self._inner(f"[{i}]", value) for i, value in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.fail("must be text (put it in quotes)")
        if not self.value.strip() or len(self.value) > LONGEST_TEXT or not self.value.isprintable():
            self.fail(f"must be 1 to {LONGEST_TEXT} printable characters")
        return self.value

    def label(self) -> str:
        """Return text, or a whole number as text; a bare yes or no in YAML is neither."""
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return str(self.value)
        return self.text()

    def identity(self) -> str:
        """Return the id of a plan."""
        if not isinstance(self.value, str) or not ID.fullmatch(self.value):
            self.fail("must be the id of a plan (64 digits from 0 to f)")
        return self.value

    def one_of(self, choices: Iterable[str]) -> str:
        choices = list(choices)
        if self.value not in choices:
            self.fail(f"must be one of {', '.join(choices)}")
        return str(self.value)

    def label_of(self, labels: Iterable[str]) -> str:
        """Return one of these labels."""
        labels = list(labels)
        if self.label() not in labels:
            self.fail(f"must be one of {', '.join(labels)}")
        return self.label()

    def number(self) -> Fraction:
        try:
            return exact(self.value)
        except (TypeError, ValueError, OverflowError):
            self.fail("must be a number")

    def whole(self, least: int, most: int) -> int:
        number = self.number()
        if number.denominator != 1 or not least <= number <= most:
            self.fail(f"must be a whole number from {least} to {most}")
        return int(number)

    def level(self) -> int:
        """Return an epsilon in thousandths."""
        try:
            return thousandths(self.value)
        except BudgetError as error:
            self.fail(error.rule)

    def _inner(self, step: str, value: object) -> "Field":
        return Field(self.source, f"{self.path}{step}".removeprefix("."), value)
