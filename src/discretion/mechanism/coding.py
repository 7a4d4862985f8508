"""Words: a few bits among many for each code, public and the same in every language.

With one hash and a bit for every code, code v has bit v alone. Otherwise its bits are hashed: the
first six bytes, big-endian, of the SHA-256 of the text ``size cohort code counter`` (in decimal,
with single spaces), modulo the number of bits, for the counters 0, 1, 2, ... until there are enough
different ones. A word that an earlier code of the cohort has is thrown away, and the counter goes
on; where there are fewer words than codes, words may repeat, and cohorts tell the codes apart.

The codes of texts are fingerprints, and not listed. The bits of their words are the cells into
which one function of the cohort after the other puts the text.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

from discretion.mechanism.sketch import bucket
from discretion.schema.text import FINGERPRINTS

DIGEST_BYTES = 6  # an integer that JavaScript's numbers hold

Instant = tuple[int, int]  # how often a kept one, and a kept zero, is sent as a one: thousandths


@dataclass(frozen=True, slots=True)
class Coding:
    """What a plan states about the bits of an attribute: the same at every level."""

    size: int
    hashes: int  # bits of a word
    bits: int  # of which they are
    cohorts: int = 1  # each with words of its own
    instant: Instant | None = None  # of what is drawn anew in each round; None: nothing is
    depth: int = 1  # of what is told in each place: a bit, or a digit of several

    @property
    def open(self) -> bool:
        """Whether codes are fingerprints of texts, of which there is no list."""
        return self.size == FINGERPRINTS

    @property
    def top(self) -> int:
        """The largest digit."""
        return (1 << self.depth) - 1

    @property
    def plain(self) -> bool:
        """Whether each code has a place of its own, and no others are there."""
        return self.hashes == 1 and self.bits == self.size

    @property
    def crowded(self) -> bool:
        """Whether there are fewer words than codes."""
        return comb(self.bits, self.hashes) < self.size

    @property
    def ambiguous(self) -> bool:
        """Whether two codes have the same word in every cohort."""
        return self.crowded and len(set(zip(*words(self), strict=True))) < self.size


def word(coding: Coding, cohort: int, code: int) -> int:
    """Return the word of a code, as a bit set."""
    if not coding.open:
        return words(coding)[cohort][code]
    found, place = 0, 0
    while found.bit_count() < coding.hashes:
        found |= 1 << bucket(cohort, code, coding.bits, place)
        place += 1
    return found


@cache
def words(coding: Coding) -> tuple[tuple[int, ...], ...]:
    """Return the word of each code in each cohort, as a bit set."""
    return tuple(_words(coding, cohort) for cohort in range(coding.cohorts))


@cache
def farthest(coding: Coding) -> int:
    """Return how many bits of a word another one of its cohort lacks, at most."""
    most = min(coding.hashes, coding.bits - coding.hashes)
    if coding.open:
        return most
    found = 0
    for own in words(coding):
        for one, other in combinations(own, 2):
            found = max(found, (one & ~other).bit_count())
            if found == most:
                return most
    return found


def _words(coding: Coding, cohort: int) -> tuple[int, ...]:
    if coding.hashes == 1 and coding.bits >= coding.size:
        return tuple(1 << code for code in range(coding.size))
    found: list[int] = []
    taken: set[int] = set()
    for code in range(coding.size):
        counter, word = 0, 0
        while word.bit_count() < coding.hashes:
            word |= 1 << _hashed(f"{coding.size} {cohort} {code} {counter}", coding.bits)
            counter += 1
            if word in taken and not coding.crowded:
                word = 0
        found.append(word)
        taken.add(word)
    return tuple(found)


def _hashed(text: str, bits: int) -> int:
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:DIGEST_BYTES], "big") % bits
