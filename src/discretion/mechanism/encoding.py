"""Codewords: a few bits among many for each code, public and the same in every language.

With one hash and a bit for every code, code v has bit v alone. Otherwise its bits are hashed: the
first six bytes, big-endian, of the SHA-256 of the text ``size cohort code counter`` (in decimal,
with single spaces), modulo the number of bits, for the counters 0, 1, 2, ... until there are enough
different ones. A codeword that an earlier code of the cohort has is discarded, and the counter goes
on. Where there are fewer codewords than codes, codewords may repeat; codes that share one in a
cohort then differ in another cohort.

The codes of texts are fingerprints, and not listed. Each bit of a text's codeword is the bucket to
which one of the cohort's hash functions maps the text.
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
class Encoding:
    """What a plan states about the bits of an attribute: the same at every level."""

    size: int
    hashes: int  # bits of a codeword
    bits: int  # of which they are
    cohorts: int = 1  # each with codewords of its own
    instant: Instant | None = None  # of what is drawn anew in each round; None: nothing is
    depth: int = 1  # bits per position: 1, or several for a quantised bit

    @property
    def open(self) -> bool:
        """Whether codes are fingerprints of texts, of which there is no list."""
        return self.size == FINGERPRINTS

    @property
    def top(self) -> int:
        """The largest quantised bit."""
        return (1 << self.depth) - 1

    @property
    def sampled(self) -> int:
        """Of how many codes a device reports the bits, which it draws once; 0: of all."""
        return 0

    @property
    def draws(self) -> int:
        """Of how many public things a device draws one, and keeps it: of the cohorts."""
        return self.cohorts

    @property
    def plain(self) -> bool:
        """Whether each code has one position of its own, and there are no others."""
        return self.hashes == 1 and self.bits == self.size

    @property
    def crowded(self) -> bool:
        """Whether there are fewer codewords than codes."""
        return comb(self.bits, self.hashes) < self.size

    @property
    def ambiguous(self) -> bool:
        """Whether two codes have the same codeword in every cohort.

        Each cohort is checked only for the codes that no cohort before it distinguishes.
        """
        groups = [list(range(self.size))] if self.crowded else []
        for cohort in range(self.cohorts):
            groups = [same for group in groups for same in _confused(self, cohort, group)]
        return bool(groups)


@dataclass(frozen=True, slots=True)
class SampledBits(Encoding):
    """A bit for each code, of which a device reports a few; one that is not has half of the top."""

    reported: int = 1

    @property
    def top(self) -> int:
        return 2

    @property
    def sampled(self) -> int:
        return self.reported

    @property
    def draws(self) -> int:
        return comb(self.size, self.reported)


def codeword(encoding: Encoding, cohort: int, code: int) -> int:
    """Return the codeword of a code, as a bit set."""
    if not encoding.open:
        own = encoding.crowded  # which codewords other codes have does not matter
        return (
            _codeword(encoding, cohort, code) if own else cohort_codewords(encoding, cohort)[code]
        )
    found, index = 0, 0
    while found.bit_count() < encoding.hashes:
        found |= 1 << bucket(cohort, code, encoding.bits, index)
        index += 1
    return found


@cache
def codewords(encoding: Encoding) -> tuple[tuple[int, ...], ...]:
    """Return the codeword of each code in each cohort, as a bit set."""
    return tuple(cohort_codewords(encoding, cohort) for cohort in range(encoding.cohorts))


@cache
def farthest(encoding: Encoding) -> int:
    """Return how many bits of a codeword another one of its cohort lacks, at most."""
    most = min(encoding.hashes, encoding.bits - encoding.hashes)
    if encoding.open:
        return most
    shared = encoding.hashes
    for cohort in range(encoding.cohorts):
        shared = _least_shared(cohort_codewords(encoding, cohort), encoding.bits, shared)
        if encoding.hashes - shared == most:
            break
    return encoding.hashes - shared


@cache
def cohort_codewords(encoding: Encoding, cohort: int) -> tuple[int, ...]:
    """Return the codeword of each code in a cohort, as a bit set."""
    if encoding.hashes == 1 and encoding.bits >= encoding.size:
        return tuple(1 << code for code in range(encoding.size))
    if encoding.crowded:
        return tuple(_codeword(encoding, cohort, code) for code in range(encoding.size))
    found: list[int] = []
    taken: set[int] = set()
    for code in range(encoding.size):
        found.append(_codeword(encoding, cohort, code, taken))
        taken.add(found[-1])
    return tuple(found)


def _codeword(encoding: Encoding, cohort: int, code: int, taken: Collection[int] = ()) -> int:
    counter, codeword = 0, 0
    while codeword.bit_count() < encoding.hashes:
        codeword |= 1 << _hashed(f"{encoding.size} {cohort} {code} {counter}", encoding.bits)
        counter += 1
        if codeword in taken:
            codeword = 0
    return codeword


def _confused(encoding: Encoding, cohort: int, codes: Sequence[int]) -> list[list[int]]:
    """Return those of the codes that have their codeword in a cohort in common with another."""
    by_codeword: dict[int, list[int]] = {}
    for code in codes:
        by_codeword.setdefault(_codeword(encoding, cohort, code), []).append(code)
    return [same for same in by_codeword.values() if len(same) > 1]


def _least_shared(codewords: Sequence[int], bits: int, shared: int) -> int:
    """Return the fewest bits that two of the codewords have in common, if fewer than ``shared``.

    Sets of codes are integers, so that a codeword is compared with all others at once.
    """
    holders = [0] * bits  # of each bit, the codes whose codeword has it
    for code, codeword in enumerate(codewords):
        for bit in _bits(codeword):
            holders[bit] |= 1 << code
    everyone = (1 << len(codewords)) - 1
    for codeword in codewords:
        sharing = [everyone, *[0] * shared]  # by k, the codes that share at least k bits with it
        for bit in _bits(codeword):
            for k in range(shared, 0, -1):
                sharing[k] |= sharing[k - 1] & holders[bit]
        while shared and sharing[shared] != everyone:
            shared -= 1
        if not shared:
            break
    return shared


def _bits(codeword: int) -> Iterator[int]:
    """Yield the indices of the bits that are set."""
    while codeword:
        yield (codeword & -codeword).bit_length() - 1
        codeword &= codeword - 1


def _hashed(text: str, bits: int) -> int:
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:DIGEST_BYTES], "big") % bits
