"""An attribute with any number of items as its value: a basket, or multiple choice.

A value is a list, a set or anything else that yields items, a mapping (its keys), or a single item.
Items that stand there twice count once. What the plan does not list counts as ``other`` if that is
an item, else it is left out: an empty set is an answer like any other. Where nothing is listed, any
text is an item, and so are numbers, as they are written; what is neither, and the empty text, is
left out. None of this, and not the size of the set, can be seen in a report.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any

from discretion.errors import RecordError
from discretion.randomness import Source
from discretion.schema.attribute import Misfit, ends_of, is_missing
from discretion.schema.categorical import OTHER
from discretion.schema.entries import Entries
from discretion.schema.text import FINGERPRINTS, Text, fingerprint

UNLISTED = "all items that are listed"
TEXTS = "its texts and numbers"
CODE_BYTES = 8  # of each item in the code of a set of texts


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


@dataclass(frozen=True)
class TextSet(Entries):
    """Sets of texts that nobody lists; analysts bring the candidates when they ask.

    The code of a set are the fingerprints of its items (``packed``).
    """

    @property
    def size(self) -> int:
        return FINGERPRINTS  # of single items; of sets there is no number that anybody needs

    @property
    def entries(self) -> str:
        return "items"

    @property
    def ends(self) -> tuple[object, object]:
        return [], [str(item) for item in range(self.length)]

    @property
    def domain(self) -> str:
        return "sets of any texts"

    @property
    def otherwise(self) -> str:
        return "left out"

    @property
    def document(self) -> dict[str, Any]:
        return {"kind": "set", "items": "text", "length": list(self.lengths)}

    def find(self, entry: object) -> int | None:
        said = self._said(entry)
        return fingerprint(said) if said else None

    def answer(self, value: object) -> str:
        """Return its items in their composed form, each once, in the order of UTF-16, as JSON."""
        found = {said for item in items_of(value) if (said := self._said(item))}
        rising = sorted(found, key=lambda said: said.encode("utf-16-be"))
        return json.dumps(rising, ensure_ascii=False, separators=(",", ":"))

    def encoded(self, answer: list[Any], source: Source) -> list[int]:
        return sorted(map(fingerprint, answer))

    def encode(self, answer: str, source: Source) -> int:
        return packed(self.encoded(json.loads(answer), source))

    def misfit(self, value: object) -> Misfit | None:
        return None if all(map(self._said, items_of(value))) else Misfit.ENTRIES

    def instead(self, misfit: Misfit) -> str:
        return TEXTS

    def code(self, value: object) -> int:
        if self.misfit(value):
            raise RecordError(self.name, "must be texts or numbers", value)
        return packed(sorted(map(fingerprint, json.loads(self.answer(value)))))

    def _said(self, item: object) -> str:
        """Return the text of an item as it is compared; nothing for what is none."""
        if not isinstance(item, str | Number) or is_missing(item):
            return ""
        return Text(self.name).answer(item)


def packed(codes: Sequence[int]) -> int:
    """Return a few integers as one: eight bytes for each, and one more than it has."""
    each = b"".join((code + 1).to_bytes(CODE_BYTES, "little") for code in codes)
    return int.from_bytes(each, "little")


def unpacked(code: int) -> Iterator[int]:
    """Yield the integers of ``packed``."""
    each = code.to_bytes((code.bit_length() + 7) // 8, "little")
    for start in range(0, len(each), CODE_BYTES):
        yield int.from_bytes(each[start : start + CODE_BYTES], "little") - 1


def items_of(value: object) -> list[object]:
    """Return the items of a value: of a list or a set, the keys of a mapping, or the value."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return [value]
    return list(value)
