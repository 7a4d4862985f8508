"""An attribute with any text as its value, which is reported by the bits of a public prefix code.

Its code is the codeword, padded with zeros to a fixed number of bits. Texts whose codeword is
longer all have the codeword that is no text's.
"""

from dataclasses import dataclass
from typing import Any

from discretion.randomness import Source
from discretion.schema.prefix_code import Bits, Code, Decoded
from discretion.schema.text import Text


@dataclass(frozen=True)
class CodedText(Text):
    """Texts that reports are to discover, and the code that makes bits of them."""

    prefix_code: Code
    bits: int

    @property
    def size(self) -> int:
        return 1 << self.bits

    @property
    def document(self) -> dict[str, Any]:
        return {"kind": "text", "discover": {"code": self.prefix_code.document, "bits": self.bits}}

    @property
    def otherwise(self) -> str:
        return "(longer texts)"

    def encode(self, answer: str, source: Source) -> int:
        return self.padded(self.codeword(answer))

    def code(self, value: object) -> int:
        return self.padded(self.codeword(self.answer(value)))

    def codeword(self, text: str) -> Bits:
        """Return the codeword of a text; of one that is too long, that of all such."""
        value = length = 0
        for bits in self.prefix_code.codewords(text):
            value, length = value << bits.length | bits.value, length + bits.length
            if length > self.bits:
                return self.prefix_code.other
        return Bits(value, length)

    def padded(self, bits: Bits) -> int:
        """Return bits with zeros behind them."""
        return bits.value << self.bits - bits.length

    def decode(self, prefix: int, length: int) -> Decoded | bool:
        """Return the text of a codeword behind which all bits of a prefix are zeros.

        Else whether more bits could make a text of the prefix.
        """
        found = self.prefix_code.decode(Bits(prefix, length))
        if not isinstance(found, tuple):
            return found and length < self.bits
        zeros = prefix & (1 << length - found.length) - 1 == 0
        said = found.text is None or self.answer(found.text) == found.text  # in its composed form
        return found if zeros and said else False
