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
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
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
        """Whether two codes have the same word in every cohort.

        A cohort is looked at only for codes that all cohorts before it confuse.
        """
        groups = [list(range(self.size))] if self.crowded else []
        for cohort in range(self.cohorts):
            groups = [same for group in groups for same in _confused(self, cohort, group)]
        return bool(groups)


def word(coding: Coding, cohort: int, code: int) -> int:
    """Return the word of a code, as a bit set."""
    if not coding.open:
        own = coding.crowded  # which words other codes have does not matter
        return _word(coding, cohort, code) if own else cohort_words(coding, cohort)[code]
    found, place = 0, 0
    while found.bit_count() < coding.hashes:
        found |= 1 << bucket(cohort, code, coding.bits, place)
        place += 1
    return found


@cache
def words(coding: Coding) -> tuple[tuple[int, ...], ...]:
    """Return the word of each code in each cohort, as a bit set."""
    return tuple(cohort_words(coding, cohort) for cohort in range(coding.cohorts))


@cache
def farthest(coding: Coding) -> int:
    """Return how many bits of a word another one of its cohort lacks, at most."""
    most = min(coding.hashes, coding.bits - coding.hashes)
    if coding.open:
        return most
    shared = coding.hashes
    for cohort in range(coding.cohorts):
        shared = _least_shared(cohort_words(coding, cohort), coding.bits, shared)
        if coding.hashes - shared == most:
            break
    return coding.hashes - shared


@cache
def cohort_words(coding: Coding, cohort: int) -> tuple[int, ...]:
    """Return the word of each code in a cohort, as a bit set."""
    if coding.hashes == 1 and coding.bits >= coding.size:
        return tuple(1 << code for code in range(coding.size))
    if coding.crowded:
        return tuple(_word(coding, cohort, code) for code in range(coding.size))
    found: list[int] = []
    taken: set[int] = set()
    for code in range(coding.size):
        found.append(_word(coding, cohort, code, taken))
        taken.add(found[-1])
    return tuple(found)


def _word(coding: Coding, cohort: int, code: int, taken: Collection[int] = ()) -> int:
    counter, word = 0, 0
    while word.bit_count() < coding.hashes:
        word |= 1 << _hashed(f"{coding.size} {cohort} {code} {counter}", coding.bits)
        counter += 1
        if word in taken:
            word = 0
    return word


def _confused(coding: Coding, cohort: int, codes: Sequence[int]) -> list[list[int]]:
    """Return those of the codes that have their word in a cohort in common with another."""
    by_word: dict[int, list[int]] = {}
    for code in codes:
        by_word.setdefault(_word(coding, cohort, code), []).append(code)
    return [same for same in by_word.values() if len(same) > 1]


def _least_shared(words: Sequence[int], bits: int, shared: int) -> int:
    """Return the fewest bits that two of the words have in common, if fewer than ``shared``.

    Sets of codes are integers, so that a word is compared with all others at once.
    """
    holders = [0] * bits  # of each bit, the codes whose word has it
    for code, word in enumerate(words):
        for bit in _bits(word):
            holders[bit] |= 1 << code
    everyone = (1 << len(words)) - 1
    for word in words:
        sharing = [everyone, *[0] * shared]  # by k, the codes that share at least k bits with it
        for bit in _bits(word):
            for k in range(shared, 0, -1):
                sharing[k] |= sharing[k - 1] & holders[bit]
        while shared and sharing[shared] != everyone:
            shared -= 1
        if not shared:
            break
    return shared


def _bits(word: int) -> Iterator[int]:
    """Yield the places of the bits that are set."""
    while word:
        yield (word & -word).bit_length() - 1
        word &= word - 1


def _hashed(text: str, bits: int) -> int:
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:DIGEST_BYTES], "big") % bits
