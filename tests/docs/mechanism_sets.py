"""What the pages about mechanisms say of those for sets: variance, length and bytes."""

from collections.abc import Iterator
from math import exp

import numpy as np

from discretion.family.covers.linear import channel
from discretion.mechanism import Cover, set_law
from tests.docs.mechanism_text import epsilon, markdown, paragraph, short

LENGTH = 8  # where a page names none
SIZES = ((16, 1), (16, 4), (256, 4), (256, 16), (1024, 8), (4096, 32))
ABOUT = """
Bytes of a report of up to eight of 1,024 items, and the variance of the share of an item that
hardly anybody has, times the number of reports."""
ABOUT_SHARES = """
Of the share of owners with an item that hardly anybody has, times the number of reports. It does
not depend on how many items a set has, but on the length of the report; where sets are small, a
shorter one is more precise."""
ABOUT_SINGLE = """
Over the variance of one report about each item, each at a part of epsilon for the length: what
would be left without a law for sets."""


def law_for(name: str, items: int, level: int, length: int = LENGTH) -> Cover:
    """Return the law of sets of so many items."""
    return set_law(name, items, min(length, items), level)


def rare(law: Cover) -> float:
    """Return the variance of a rare item's share, times the number of reports."""
    return float(channel(law).variance(np.zeros(1))[0])


def sets(name: str, levels: tuple[int, ...]) -> Iterator[str]:
    """Yield the sections about variance and bytes."""
    heads = ["epsilon", *(f"{items:,} items, length {length}" for items, length in SIZES)]
    laws = {(v, *s): law_for(name, s[0], v, s[1]) for v in levels for s in SIZES}
    yield "## Variance"
    yield paragraph(ABOUT_SHARES)
    rows = ([epsilon(v), *(short(rare(laws[v, *s])) for s in SIZES)] for v in levels)
    yield markdown(heads, rows)
    yield paragraph(ABOUT_SINGLE)
    over = ([epsilon(v), *(short(_over(laws[v, *s], s[1], v)) for s in SIZES)] for v in levels)
    yield markdown(heads, over)
    yield "Codes in a report:"
    yield markdown(heads, ([epsilon(v), *(laws[v, *s].count for s in SIZES)] for v in levels))
    yield "## Bytes"
    yield markdown(heads[1:], [[laws[levels[0], *s].n_bytes for s in SIZES]])


def _over(law: Cover, length: int, level: int) -> float:
    e = exp(level / 1000 / length)
    return rare(law) * (e - 1) ** 2 / (4 * e)
