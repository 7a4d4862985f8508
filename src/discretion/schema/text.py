"""An attribute with any text as its value: there is no list of what people may say.

A text is known by its fingerprint: two integers below a prime, from its SHA-256.
"""

import hashlib
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from discretion.randomness import Source
from discretion.schema.attribute import Single
from discretion.schema.categorical import text

PRIME = (1 << 31) - 1
FINGERPRINTS = PRIME**2  # codes of texts; hardly two of a million texts have the same
PART_BYTES = 8


def fingerprint(text: str) -> int:
    """Return the code of a text."""
    high, low = hashed_integers(text, 2)
    return high * PRIME + low


def hashed_integers(text: str, count: int) -> tuple[int, ...]:
    """Return a few integers below the prime: eight bytes each, big-endian, of the SHA-256."""
    digest = hashlib.sha256(text.encode()).digest()
    parts = (digest[PART_BYTES * i : PART_BYTES * (i + 1)] for i in range(count))
    return tuple(int.from_bytes(part, "big") % PRIME for part in parts)


@dataclass(frozen=True)
class Text(Single):
    """The code of a text is its fingerprint; analysts bring the candidates when they ask."""

    name: str

    @property
    def size(self) -> int:
        return FINGERPRINTS

    @property
    def labels(self) -> tuple[str, ...]:
        return ()

    @property
    def ends(self) -> tuple[object, object]:
        return "one", "another"

    @property
    def domain(self) -> str:
        return "any text"

    @property
    def otherwise(self) -> str:
        return "(everything fits)"

    @property
    def document(self) -> dict[str, Any]:
        return {"kind": "text"}

    def answer(self, value: object) -> str:
        """Return the text in its composed form (NFC), so that equal ones have equal bytes."""
        if isinstance(value, str) and value.isascii():
            return value
        try:
            said = text(value)
        except (OverflowError, ValueError):  # a number too long to be written
            said = ""
        whole = said.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return normalize("NFC", whole)

    def encode(self, answer: str, source: Source) -> int:
        return fingerprint(answer)

    def code(self, value: object) -> int:
        return fingerprint(self.answer(value))
