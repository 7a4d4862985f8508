"""Where the words of a vector come from, so that it can be made again."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import cycle

from discretion.randomness import ByteSource

WORDS = 1 << 14  # bytes in stock for one draw; only those read are written down


def stock(*seed: object) -> BytesIO:
    return BytesIO(random.Random(repr(seed)).randbytes(WORDS))


def read_from(stream: BytesIO) -> str:
    """Return the words that were read so far."""
    return stream.getvalue()[: stream.tell()].hex()


@dataclass
class Edge:
    """A source that writes down words on which every coin just lands, or just fails to.

    ``turns`` says which, coin by coin and from the start again; one that cannot land fails.
    """

    turns: tuple[bool, ...]
    words: BytesIO
    written: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self._next: Iterator[bool] = cycle(self.turns)

    def coin(self, heads: int) -> bool:
        lands = next(self._next) and heads > 0
        self.written += (heads - lands).to_bytes(8, "big")
        return lands

    def below(self, n: int) -> int:
        start = self.words.tell()
        value = ByteSource(self.words.read).below(n)
        self.written += self.words.getvalue()[start : self.words.tell()]
        return value
