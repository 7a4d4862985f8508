"""The registered mechanisms in forms so small that every output can be looked at."""

from collections.abc import Mapping

from discretion.mechanism import MECHANISMS, Hashed, Parities, Polynomials
from discretion.mechanism.hashed import best_buckets, best_rows, bits_of, hashed
from discretion.mechanism.hashing import prime_from
from discretion.mechanism.law import Mechanism

FEW = 8  # cells, where the registered ones have up to 1,024
FEW_ROWS = 2  # parities, where they have up to 4


def blh(size: int, level: int) -> Hashed:
    return hashed(size, level, Polynomials(prime_from(max(size, 3)), 2, most=2))


def olh(size: int, level: int) -> Hashed:
    prime = prime_from(max(size, 3))
    return hashed(size, level, Polynomials(prime, min(best_buckets(level), prime, FEW), FEW))


def hadamard(size: int, level: int) -> Hashed:
    return hashed(size, level, Parities(bits_of(size), best_rows(level, FEW_ROWS), FEW_ROWS))


SMALL: Mapping[str, Mechanism] = {**MECHANISMS, "blh": blh, "olh": olh, "hadamard": hadamard}

THRIFTY = {"the"}  # the threshold leaves a part of the budget unused

LISTED = tuple(name for name in MECHANISMS if SMALL[name] is MECHANISMS[name])
"""Those whose reports about a few values are few, so that all of them can be gone through."""
