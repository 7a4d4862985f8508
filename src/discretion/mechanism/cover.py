"""Cover: a set of ``count`` codes that meets the owner's own set if a coin says so, or misses it.

Codes are the items, then ``length`` blanks. A set S of items is first brought to ``length`` codes:
a smaller one gets blank i for each i above its size (i = 1, ..., length), of a larger one a uniform
part is drawn. With D = items + length codes in all,

    miss = C(D - length, count),   hit = C(D, count) - miss,

Law      P(y | S) = keep / ONE / hit            if y meets the prepared set,
                    (ONE - keep) / ONE / miss   if it does not
Privacy  any two sets are told apart by at most epsilon: keep miss <= e^epsilon (ONE - keep) hit
Report   y is the bit set, blanks above the items. P(code in y | S) depends on S only through
         "code in S", so each item is a yes or no with an exact channel of two numbers; blank i is
         held by those whose set has fewer than i items.
Source   Wang et al. (2018), PrivSet, INFOCOM; the ordered blanks and the exact integers are ours.
         With count = 1 it is SVIM's padding and sampling with direct answers and its amplification
         (Wang, Li and Jha 2018).
Proof    docs/proofs/sets.md
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

from discretion.mechanism.form import Form
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import OneStage
from discretion.mechanism.subset import sample
from discretion.randomness import ONE, Source


@dataclass(frozen=True, slots=True)
class Cover(OneStage):
    """Sets of ``count`` codes; a code of the law is a set of items, as a bit set."""

    items: int
    length: int
    count: int
    keep: int

    @property
    def size(self) -> int:
        """The number of sets of items."""
        return 1 << self.items

    @property
    def n_codes(self) -> int:
        """The number of items and blanks."""
        return self.items + self.length

    @property
    def n_bytes(self) -> int:
        return (self.n_codes + 7) // 8

    @property
    def form(self) -> Form:
        return Form(n_bits=self.n_codes, ones=self.count)

    @property
    def misses(self) -> int:
        """How many outputs miss a prepared set."""
        return comb(self.items, self.count)

    @property
    def hits(self) -> int:
        """How many outputs meet it."""
        return comb(self.n_codes, self.count) - self.misses

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.keep * self.misses, (ONE - self.keep) * self.hits)

    @property
    def own(self) -> Fraction:
        """How often a code of the prepared set is in the report."""
        return self.pattern((True,), (True,))

    @property
    def other(self) -> Fraction:
        """How often any other code is."""
        return self.pattern((False,), (True,))

    def pattern(self, held: Sequence[bool], reported: Sequence[bool]) -> Fraction:
        """Return how probable it is that of a few codes just some are reported.

        ``held`` says which of them the prepared set has. One code gives the channel of an item, two
        that of a pair: both come from one report, so it is no product of two channels.
        """
        return _pattern(self, sum(held), sum(reported), any(map(min, held, reported)), len(held))

    def prepare(self, code: int, source: Source) -> list[int]:
        """Return the codes of a prepared set, in rising order: exactly ``length`` of them."""
        held = members(code)
        if len(held) > self.length:
            chosen = sample(len(held), self.length, source)
            return [item for place, item in enumerate(held) if place in chosen]
        return [*held, *(self.items + i for i in range(len(held), self.length))]

    def perturb(self, code: int, source: Source) -> int:
        held = self.prepare(code, source)
        overlap = self._overlap(source) if source.coin(self.keep) else 0
        inside = sample(self.length, overlap, source)
        outside = sample(self.items, self.count - overlap, source)
        chosen = {held[place] for place in inside} | among_others(held, outside)
        return sum(1 << each for each in chosen)

    def _overlap(self, source: Source) -> int:
        """Draw how many codes of the prepared set a report has that meets it."""
        left, overlap = source.below(self.hits), 0
        while left >= 0:
            overlap += 1
            left -= comb(self.length, overlap) * comb(self.items, self.count - overlap)
        return overlap

    def probability(self, y: int, code: int) -> Fraction:
        """Return P(y | set): a set above the length is a mixture of all its parts."""
        if not self.form.admits(y):
            return Fraction(0)
        met = Fraction(self.keep, ONE * self.hits)
        missed = Fraction(ONE - self.keep, ONE * self.misses)
        held, common = code.bit_count(), (code & y).bit_count()
        if held > self.length:
            miss = Fraction(comb(held - common, self.length), comb(held, self.length))
            return miss * missed + (1 - miss) * met
        blanks = (1 << self.length - held) - 1 << held  # blank i for each i above the size
        return met if common or y >> self.items & blanks else missed


def cover(items: int, length: int, level: int) -> Cover:
    """The law with the best number of codes for sets of so many items, up to a length."""
    top = odds(level)
    count = _best_count(items, length, top)
    miss = comb(items, count)
    hit = comb(items + length, count) - miss
    return Cover(items, length, count, ONE * top * hit // (top * hit + ONE * miss))


def members(code: int) -> list[int]:
    """Return the bits that are set, in rising order."""
    found = []
    while code:
        lowest = code & -code
        found.append(lowest.bit_length() - 1)
        code ^= lowest
    return found


def among_others(held: Sequence[int], places: set[int]) -> set[int]:
    """Return the codes at these places of all but the held ones; both lists rise."""
    found, passed = set(), 0
    for place in sorted(places):
        while passed < len(held) and held[passed] <= place + passed:
            passed += 1
        found.add(place + passed)
    return found


@cache
def _pattern(law: Cover, held: int, reported: int, meets: bool, codes: int) -> Fraction:
    """Return the probability of a pattern of a few codes, by how many there are of each sort.

    The rest of the report are count - reported of the D - codes others; of these, D - codes -
    (length - held) are outside of the prepared set.
    """
    others, more = law.n_codes - codes, law.count - reported
    if more < 0 or held > law.length:
        return Fraction(0)
    ways = comb(others, more)
    missing = 0 if meets else comb(others - (law.length - held), more)
    met = Fraction(law.keep * (ways - missing), ONE * law.hits)
    return met + Fraction((ONE - law.keep) * missing, ONE * law.misses)


def _best_count(items: int, length: int, top: int) -> int:
    """Minimise q (1 - q) / (p - q)^2 by integers, from near its place in large domains.

    With weights e and 1, p = e A / Z, q = (e (A - C) + C) / Z and p - q = (e - 1) C / Z, where A
    outputs have a given code, C of them miss a set without it, and Z = e hit + miss. So it is
    proportional to Q (Z - Q) / C^2, with Q = q Z. It falls, then rises.
    """

    def cost(count: int) -> tuple[int, int]:
        codes = items + length
        miss, lacking = comb(items, count), comb(items - 1, count - 1)
        every, hit = comb(codes - 1, count - 1), comb(codes, count) - miss
        q = top * (every - lacking) + ONE * lacking
        return q * (top * hit + ONE * miss - q), lacking * lacking

    def better(one: int, other: int) -> bool:
        (cost_one, square_one), (cost_other, square_other) = cost(one), cost(other)
        return cost_one * square_other < cost_other * square_one

    count = max(1, min(items, (items + length) * ONE // (length * (top + ONE))))
    while count > 1 and not better(count, count - 1):
        count -= 1
    while count < items and better(count + 1, count):
        count += 1
    return count
