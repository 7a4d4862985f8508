"""The shapes of ``discretion.mechanism``, drawn for many owners with a law of their own each.

The coins are 64-bit integers compared with the integers of the law, so a simulated report has the
probabilities a device gives it. The generator is seedable, hence for simulation only.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from discretion.mechanism import Choice, Law, Subset, Unary
from discretion.table.columns import Bytes

Codes = npt.NDArray[np.int64]
BLOCK = 1 << 22  # cells of a block of rows: bounds the memory, whatever n and the domain


def draw(laws: Sequence[Law], which: Codes, codes: Codes, rng: np.random.Generator) -> Bytes:
    """Return a report (n, width) about each code, drawn from its own law ``laws[which[i]]``.

    All laws have one shape and one size; they differ in their parameters.
    """
    shape, size = type(laws[0]), laws[0].size
    y = np.empty((len(codes), laws[0].width), np.uint8)
    rows = max(1, BLOCK // size)
    for start in range(0, len(codes), rows):
        block = slice(start, start + rows)
        y[block] = _DRAW[shape](laws, which[block], codes[block], rng)
    return y


def _choice(laws: Sequence[Choice], which: Codes, codes: Codes, rng: np.random.Generator) -> Bytes:
    size, width = laws[0].size, laws[0].width
    keep = np.array([law.keep for law in laws], np.uint64)[which]
    other = rng.integers(0, size - 1, len(codes))
    other += other >= codes
    chosen = np.where(_words(rng, len(codes)) < keep, codes, other)
    return chosen.astype("<u8").view(np.uint8).reshape(-1, 8)[:, :width]


def _unary(laws: Sequence[Unary], which: Codes, codes: Codes, rng: np.random.Generator) -> Bytes:
    true = np.array([law.true for law in laws], np.uint64)[which]
    false = np.array([law.false for law in laws], np.uint64)[which]
    bits = _words(rng, (len(codes), laws[0].size)) < false[:, None]
    bits[np.arange(len(codes)), codes] = _words(rng, len(codes)) < true
    return np.packbits(bits, axis=1, bitorder="little")


def _subset(laws: Sequence[Subset], which: Codes, codes: Codes, rng: np.random.Generator) -> Bytes:
    """Rank random keys; the true code's key is set first or last, as its coin says."""
    keep = np.array([law.keep for law in laws], np.uint64)[which]
    counts = np.array([law.count for law in laws])[which]
    keys = _words(rng, (len(codes), laws[0].size))
    held = _words(rng, len(codes)) < keep
    keys[np.arange(len(codes)), codes] = np.where(held, np.uint64(0), np.iinfo(np.uint64).max)
    bits = np.zeros(keys.shape, np.bool_)
    for count in np.unique(counts):
        rows = np.flatnonzero(counts == count)
        chosen = np.argpartition(keys[rows], count - 1, axis=1)[:, :count]
        bits[rows[:, None], chosen] = True
    return np.packbits(bits, axis=1, bitorder="little")


def _words(rng: np.random.Generator, shape: int | tuple[int, int]) -> npt.NDArray[np.uint64]:
    return rng.integers(0, 1 << 64, shape, np.uint64)


_DRAW: dict[type, Callable[[Any, Codes, Codes, np.random.Generator], Bytes]] = {
    Choice: _choice,
    Unary: _unary,
    Subset: _subset,
}
