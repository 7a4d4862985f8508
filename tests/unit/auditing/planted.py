"""Mechanisms with a bug in them, beside their sound twins: an audit must tell which is which."""

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discretion.mechanism import Law, Unary
from discretion.mechanism.subset import subset
from discretion.mechanism.unary import oue, sue
from discretion.randomness import ONE, ByteSource, Source

SEED = 20261116
SIZE = 4


@dataclass(frozen=True, slots=True)
class OneWord(Unary):
    """All coins of a report look at the same random word."""

    def perturb(self, code: int, source: Source) -> int:
        word, y = source.below(ONE), 0
        for i in range(self.size):
            y |= (word < (self.true if i == code else self.false)) << i
        return y


@dataclass(frozen=True, slots=True)
class CoarseCoin(Unary):
    """A coin has eight bits, so what is rarer than 1/256 never happens."""

    def perturb(self, code: int, source: Source) -> int:
        y = 0
        for i in range(self.size):
            heads = self.true if i == code else self.false
            y |= (source.below(256) < heads >> 56) << i
        return y


def unary(kind: type[Unary], level: int, size: int = SIZE) -> Unary:
    sound = oue(size, level)
    return kind(size, sound.true, sound.false)


def averaged(own: int, average: int) -> Unary:
    """Return the law of an owner whose q was computed for the average budget."""
    return Unary(SIZE, oue(SIZE, own).true, oue(SIZE, average).false)


def device(law: Law) -> Callable[[int], bytes]:
    """Return a running device, with repeatable words."""
    source = ByteSource(random.Random(SEED).randbytes)
    return lambda code: law.perturb(code, source).to_bytes(law.n_bytes, "little")


def permanent_bits(level: int, *, clears: bool) -> Callable[[int], npt.NDArray[np.uint8]]:
    """Return a RAPPOR client, as an array of bits; one that never clears a set bit has no bound."""
    rng, keep = np.random.default_rng(SEED), float(sue(8, level).inclusion.own)

    def perturb(code: int) -> npt.NDArray[np.uint8]:
        word = np.arange(8) == code
        probabilities = np.where(word, keep if clears else 1.0, 1 - keep)
        return (rng.random(8) < probabilities).astype(np.uint8)

    return perturb


def listed_subset(level: int, *, shuffled: bool) -> Callable[[int], list[int]]:
    """Return a subset client that lists codes; without shuffling, the true one comes first."""
    rng, law = random.Random(SEED), subset(8, level)
    source = ByteSource(rng.randbytes)

    def perturb(code: int) -> list[int]:
        y = law.perturb(code, source)
        others = [i for i in range(8) if y >> i & 1 and i != code]
        codes = [code, *others] if y >> code & 1 else others
        if shuffled:
            rng.shuffle(codes)
        return codes

    return perturb
