"""Hashed reports, many at once: the codes in the cell that each of them tells."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from discretion.kernel.hash import expand_parities, expand_polynomials, walsh_words
from discretion.kernel.words import Words
from discretion.mechanism import Hashing, Parities, Polynomials
from discretion.table.columns import Bytes, Codes, codes


def expanded(hashings: Sequence[Hashing], which: Codes, y: Bytes, size: int) -> Bytes:
    """Return the supports as bit sets (n, ceil(size / 8)); report i is of ``hashings[which[i]]``.

    All are of one family, with cells of their own each.
    """
    supports = np.zeros((len(y), (size + 7) // 8), np.uint8)
    told, which = codes(y), np.ascontiguousarray(which)
    match hashings[0]:
        case Polynomials(prime=prime):
            cells = np.array([hashing.cells for hashing in hashings])
            expand_polynomials(told, which, cells, prime, size, supports)
        case Parities(bits=bits):
            rows = rows_of(hashings)
            expand_parities(told, which, rows, bits, _walsh_words(), size, supports)
        case other:
            raise TypeError(f"no family to expand {other!r}")
    return supports


def rows_of(hashings: Sequence[Hashing]) -> Codes:
    """Return how many parities each of the families takes."""
    return np.array([hashing.rows for hashing in hashings if isinstance(hashing, Parities)])


@cache
def _walsh_words() -> Words:
    return walsh_words()
