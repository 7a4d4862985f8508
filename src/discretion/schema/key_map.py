"""An attribute with a number for each of some listed keys: ratings, or amounts by product.

A value is a mapping, or pairs of a key and a number. Of a key that stands there twice the last
number counts. Keys that the plan does not list, and what is no number, are left out; numbers
outside the range count as the nearer end. A number is reported as one end of the range or the
other, by an exact coin that keeps its mean: a map is the set of symbols ``2 key + side``.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from discretion.errors import RecordError
from discretion.randomness import Source
from discretion.schema.attribute import Misfit, ends_of
from discretion.schema.entries import Entries, label_of
from discretion.schema.numeric import Numeric, rounded

SIDES = 2  # of a range: its ends
FITTING = "its numbers for listed keys, those outside the range as the nearer end"


@dataclass(frozen=True)
class KeyMap(Entries):
    """Numbers on one grid for some of the labels; the code of a map is a bit set of symbols."""

    grid: Numeric

    @property
    def size(self) -> int:
        return 1 << SIDES * len(self.labels)

    @property
    def values(self) -> Numeric:
        return self.grid

    @property
    def entries(self) -> str:
        return "keys"

    @property
    def sides(self) -> int:
        return SIDES

    @property
    def symbols(self) -> tuple[str, ...]:
        low, high = (self.grid.write(end) for end in (self.grid.low, self.grid.high))
        return tuple(f"{key}, {side}" for key in self.labels for side in (low, high))

    @property
    def ends(self) -> tuple[object, object]:
        _, high = self.grid.ends
        return {}, dict.fromkeys(self.labels[: self.length], high)

    @property
    def domain(self) -> str:
        return f"{self.grid.domain} for keys of {ends_of(self.labels)}"

    @property
    def otherwise(self) -> str:
        return "left out, or the nearer end"

    @property
    def document(self) -> dict[str, Any]:
        own = {"kind": "map", "keys": list(self.labels), "length": list(self.lengths)}
        return {**self.grid.document, **own}

    def answer(self, value: object) -> str:
        """Return the place of each key, rising, with its number as a fraction, as JSON."""
        found = {
            self.codes[key]: self.grid.answer(number)
            for key, number in entries_of(value)
            if self._fits(key, number)
        }
        return json.dumps(sorted(found.items()), separators=(",", ":"))

    def encoded(self, answer: list[Any], source: Source) -> list[int]:
        low, high = self.grid.low * self.grid.unit, self.grid.high * self.grid.unit
        return [
            SIDES * place + rounded((Fraction(number) - low) / (high - low), source)
            for place, number in answer
        ]

    def misfit(self, value: object) -> Misfit | None:
        fits = all(
            key in self.codes and self.grid.misfit(number) is None
            for key, number in entries_of(value)
        )
        return None if fits else Misfit.ENTRIES

    def instead(self, misfit: Misfit) -> str:
        return FITTING

    def code(self, value: object) -> int:
        """Return the symbols of a map whose numbers are ends of the range; others need a coin."""
        if self.misfit(value):
            rule = "must be numbers in the range, for keys that are listed"
            raise RecordError(self.name, rule, value)
        return self.encode(self.answer(value), _NoCoin(self.name))

    def _fits(self, key: str, number: object) -> bool:
        return key in self.codes and self.grid.misfit(number) is not Misfit.NO_NUMBER


@dataclass(frozen=True)
class _NoCoin:
    """A source of nothing, for what must not depend on a draw."""

    name: str

    def below(self, n: int) -> int:
        raise RecordError(self.name, "must be ends of the range (others are drawn)", n)

    def coin(self, heads: int) -> bool:
        return bool(self.below(heads))


def entries_of(value: object) -> Iterator[tuple[str, object]]:
    """Yield the keys of a value with what stands there; what is no pair is the key of nothing."""
    if isinstance(value, Mapping):
        pairs: Iterable[object] = value.items()
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
        pairs = value
    else:
        pairs = [value]
    for pair in pairs:
        match pair:
            case (key, number):
                yield label_of(key), number
            case _:
                yield label_of(pair), None
