"""Prefix codes: texts as bits, the fewer the more a text looks like those the code was made from.

No codeword begins with another one, so Kraft's inequality holds: over all texts, whatever they are,
the sum of 2^-length is at most one.

``HuffmanCode``  each character, and the end, by a canonical Huffman code of its own for what went
                 before; characters outside the alphabet by an escape and 21 bits
``ByteCode``     eight bits for each byte of UTF-8, and a byte of zeros as the end

Both have a codeword that is no text's: it stands for all texts that are too long.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

START = "\n"  # what stands before the first character, in the name of a context
LONGEST = 15  # bits of a symbol: one hexadecimal digit
MOST_ALPHABET = 256
MOST_CONTEXT, MOST_CONTEXTS = 2, 1024  # characters of one, and how many there may be
POINT_BITS = 21  # of a character by its number in Unicode
NO_POINT = (1 << POINT_BITS) - 1  # no character has it
BYTES = "bits"  # what a plan calls the code of bytes
SURROGATES = range(0xD800, 0xE000)


class Bits(NamedTuple):
    """Some bits: an integer, and how many there are."""

    value: int
    length: int


class Decoded(NamedTuple):
    """A text that some bits begin with, and how many of them are its codeword."""

    text: str | None  # None: all texts that are too long
    length: int


class Code(Protocol):
    """A code of texts without a codeword that begins with another one."""

    @property
    def other(self) -> Bits:
        """The codeword of all texts that are too long."""

    @property
    def document(self) -> object:
        """The code as a plan states it."""

    def codewords(self, text: str) -> Iterator[Bits]:
        """Yield the bits of a text, piece by piece; nothing if the code has none for it."""

    def decode(self, bits: Bits) -> Decoded | bool:
        """Return the text that bits begin with; else whether they begin that of some text."""


@dataclass(frozen=True)
class HuffmanCode:
    """Symbols are the characters of the alphabet, then the end, then the escape.

    ``contexts`` has the length of each symbol's codeword as hexadecimal digits, by what went
    before: the longest context applies that the text so far ends with.
    """

    alphabet: str
    contexts: Mapping[str, str]

    def __hash__(self) -> int:
        return hash((self.alphabet, tuple(sorted(self.contexts.items()))))

    @property
    def document(self) -> dict[str, object]:
        rising = sorted(self.contexts, key=lambda context: (len(context), context))
        pairs = [[context, self.contexts[context]] for context in rising]
        return {"alphabet": self.alphabet, "contexts": pairs}

    @property
    def other(self) -> Bits:
        return _joined(self._tables[self._context("")][-1], Bits(NO_POINT, POINT_BITS))

    def codewords(self, text: str) -> Iterator[Bits]:
        for i, character in enumerate(text):
            table = self._tables[self._context(text[max(i - MOST_CONTEXT, 0) : i])]
            if character in self._symbols:
                yield table[self._symbols[character]]
            else:
                yield _joined(table[-1], Bits(ord(character), POINT_BITS))
        yield self._tables[self._context(text[-MOST_CONTEXT:])][-2]

    def decode(self, bits: Bits) -> Decoded | bool:
        text, at = "", 0
        while True:
            symbol, at = self._next(bits, self._context(text[-MOST_CONTEXT:]), at)
            if symbol < 0:
                return True
            if symbol == len(self.alphabet):
                return Decoded(text, at)
            if symbol < len(self.alphabet):
                text += self.alphabet[symbol]
                continue
            if at + POINT_BITS > bits.length:
                return True
            point, at = _slice(bits, at, POINT_BITS), at + POINT_BITS
            if point == NO_POINT:
                return False if text else Decoded(None, at)
            if point > 0x10FFFF or point in SURROGATES or chr(point) in self._symbols:
                return False
            text += chr(point)

    def _next(self, bits: Bits, context: str, at: int) -> tuple[int, int]:
        """Return the symbol that starts at a bit and where it ends; -1: there are too few bits."""
        lengths, symbols = self._inverse[context]
        for length in lengths:
            if length > bits.length - at:
                break
            symbol = symbols.get((_slice(bits, at, length), length))
            if symbol is not None:
                return symbol, at + length
        return -1, at

    def _context(self, before: str) -> str:
        """Return the longest context that a text ends with; only its last characters count."""
        seen = before if len(before) >= MOST_CONTEXT else START + before
        while seen not in self.contexts:
            seen = seen[1:]
        return seen

    @cached_property
    def _symbols(self) -> dict[str, int]:
        return {character: symbol for symbol, character in enumerate(self.alphabet)}

    @cached_property
    def _tables(self) -> dict[str, tuple[Bits, ...]]:
        return {context: canonical(lengths) for context, lengths in self.contexts.items()}

    @cached_property
    def _inverse(self) -> dict[str, tuple[list[int], dict[tuple[int, int], int]]]:
        """The lengths of codewords, and the symbol of each."""
        return {
            context: (sorted({bits.length for bits in own}), {b: i for i, b in enumerate(own)})
            for context, own in self._tables.items()
        }


@dataclass(frozen=True)
class ByteCode:
    """Eight bits a byte: for texts that look like nothing that is known beforehand."""

    @property
    def document(self) -> str:
        return BYTES

    @property
    def other(self) -> Bits:
        return Bits(0xFF, 8)  # which no UTF-8 begins with

    def codewords(self, text: str) -> Iterator[Bits]:
        for byte in text.encode() if "\0" not in text else b"":
            yield Bits(byte, 8)
        yield Bits(0, 8) if "\0" not in text else self.other

    def decode(self, bits: Bits) -> Decoded | bool:
        found = bytearray()
        for at in range(0, bits.length - 7, 8):
            byte = _slice(bits, at, 8)
            if byte == 0:
                return _read(found, at + 8)
            if byte == 0xFF and not found:
                return Decoded(None, 8)
            found.append(byte)
        return True


def canonical(lengths: str) -> tuple[Bits, ...]:
    """Return the codewords of symbols whose lengths are these hexadecimal digits.

    Shorter ones come first, and symbols of one length in their order.
    """
    each = [int(digit, 16) for digit in lengths]
    found, value, before = [Bits(0, 0)] * len(each), 0, 0
    for symbol in sorted(range(len(each)), key=each.__getitem__):
        value <<= each[symbol] - before
        before = each[symbol]
        found[symbol] = Bits(value, before)
        value += 1
    return tuple(found)


def is_whole(lengths: str) -> bool:
    """Whether codewords of these lengths are all that there can be: Kraft's sum is one."""
    return sum(1 << LONGEST - int(digit, 16) for digit in lengths) == 1 << LONGEST


def _joined(one: Bits, other: Bits) -> Bits:
    return Bits(one.value << other.length | other.value, one.length + other.length)


def _slice(bits: Bits, at: int, length: int) -> int:
    return bits.value >> bits.length - at - length & (1 << length) - 1


def _read(found: bytearray, length: int) -> Decoded | bool:
    try:
        return Decoded(found.decode(), length)
    except UnicodeDecodeError:
        return False
