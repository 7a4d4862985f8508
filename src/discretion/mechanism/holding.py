"""What a report about a set says about one of its items, or a few: yes or no to each.

Law      the rows are the items that a set has, the columns the items that its report has
Source   ``Cover.pattern``: a few codes of one report are exactly known, but are no product of laws
Proof    docs/proofs/sets.md, sections 2 and 4

An item has one code, or several of which a set has one at most: the ends of a map's range, say. Of
these the column counts how many are reported, so that it does not matter which one it was.

The code of a text is a cell, which an owner without the text may hold by another one of hers. With
the probability ``occupied`` of that, the rows are mixtures.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

from discretion.mechanism.cover import Cover
from discretion.mechanism.matrix import WHOLE, Matrix

Flags = tuple[bool, ...]


@cache
def holding_law(law: Cover, items: int, sides: int = 1, occupied: Fraction = Fraction(0)) -> Matrix:
    """Return the law of so many items with ``sides`` codes each, the last item fastest.

    Probabilities are rounded to 2^-62, and an entry takes what is left: they are read, not sampled.
    """
    rows = product((False, True), repeat=items)
    return Matrix(tuple(_weights(law, held, sides, occupied) for held in rows))


def reported(counts: Sequence[int], sides: int) -> Iterator[Flags]:
    """Yield the codes of which each item has so many reported."""
    each = [[own for own in product((False, True), repeat=sides) if sum(own) == c] for c in counts]
    for codes in product(*each):
        yield tuple(code for own in codes for code in own)


def _weights(law: Cover, held: Flags, sides: int, occupied: Fraction) -> tuple[int, ...]:
    mixed = list(_occupied(held, occupied))
    row = []
    for counts in product(range(sides + 1), repeat=len(held)):
        each = (part * _probability(law, own, counts, sides) for part, own in mixed)
        row.append(int(WHOLE * sum(each, Fraction())))
    row[row.index(max(row))] += WHOLE - sum(row)
    return tuple(row)


def _occupied(held: Flags, occupied: Fraction) -> Iterator[tuple[Fraction, Flags]]:
    """Yield which items have their code held, by the item or by others, and how often."""
    for own in product((False, True), repeat=len(held)):
        parts = [
            Fraction(own_one) if has else (occupied if own_one else 1 - occupied)
            for has, own_one in zip(held, own, strict=True)
        ]
        if part := prod(parts, start=Fraction(1)):
            yield part, own


def _probability(law: Cover, held: Flags, counts: Sequence[int], sides: int) -> Fraction:
    """Return how often these counts are reported; of more items than the length some are drawn."""
    if sum(held) > law.length:
        less = [(*held[:item], False, *held[item + 1 :]) for item, own in enumerate(held) if own]
        parts = (_probability(law, each, counts, sides) for each in less)
        return sum(parts, Fraction()) / len(less)
    codes = [own and side == 0 for own in held for side in range(sides)]  # which one, is all alike
    return sum((law.pattern(codes, each) for each in reported(counts, sides)), Fraction())


@cache
def given_law(law: Cover) -> Matrix:
    """Return the law of two keys of a map: whether the first is there, and the side of the second.

    Rows: the first is not there or is, each with nothing, the lower and the upper end of the
    second. Columns: how many codes of the first are reported, each with the four patterns of those
    of the second. The law must be of two entries at least.
    """
    return Matrix(tuple(_given(law, first, second) for first in (0, 1) for second in range(3)))


def _given(law: Cover, first: int, second: int) -> tuple[int, ...]:
    held = (first == 1, False, second == 1, second == 2)
    row = []
    for count, high, low in product(range(3), (False, True), (False, True)):
        own = reported((count,), 2)
        patterns = (law.pattern(held, (*codes, low, high)) for codes in own)
        row.append(int(WHOLE * sum(patterns, Fraction())))
    row[row.index(max(row))] += WHOLE - sum(row)
    return tuple(row)
