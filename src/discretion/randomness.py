"""Exact draws from random words, in an order that every language can repeat.

Randomness is always an argument. A device passes ``system()``; a test passes recorded words; the
conformance suite passes a source that enumerates every outcome and so finds the exact
distribution of a sampler.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

ONE = 1 << 64  # the probability of a coin is an integer over ONE
COIN_BYTES = 8  # that a coin reads


class Source(Protocol):
    """Where uniform integers and coins come from."""

    def below(self, n: int) -> int:
        """Draw a uniform integer from 0 to n - 1."""

    def coin(self, heads: int) -> bool:
        """Return True with probability ``heads / ONE``."""


@dataclass(frozen=True, slots=True)
class ByteSource:
    """Uniform draws from bytes: the fewest bytes, big-endian, excess top bits masked, rejection."""

    read: Callable[[int], bytes]

    def below(self, n: int) -> int:
        bits = (n - 1).bit_length()
        mask = (1 << bits) - 1
        while True:
            value = int.from_bytes(self.read((bits + 7) // 8), "big") & mask
            if value < n:
                return value

    def coin(self, heads: int) -> bool:
        return self.below(ONE) < heads


@dataclass(frozen=True, slots=True)
class Threshold:
    """A uniform integer below ONE that was drawn once and decides every coin: rounding is kept."""

    value: int

    def below(self, n: int) -> int:
        return self.value * n // ONE

    def coin(self, heads: int) -> bool:
        return self.value < heads


def system() -> ByteSource:
    """Return draws from the operating system's cryptographic generator: what a device uses."""
    return ByteSource(os.urandom)


def bytes_below(n: int) -> Fraction:
    """Return how many bytes a number below n reads on average: most of what a device has to do.

    It reads the fewest bytes that hold n - 1 and starts again where their 2^b values are n or more,
    so on average 2^b / n times.
    """
    bits = (n - 1).bit_length()
    return Fraction((bits + 7) // 8 << bits, n)


def bytes_of_sample(n: int, count: int) -> Fraction:
    """Return how many bytes Floyd's algorithm reads on average for so many of n."""
    return sum((bytes_below(top + 1) for top in range(n - count, n)), Fraction())
