"""Positional population counts, beside bits that are unpacked and added up."""

import numpy as np

from discretion.kernel.count import CHUNK, FULL, count_bits, level_index
from tests.cases import for_each

SIZES = [1, 7, 8, 9, 63, 64, 65, 100, 127, 128, 129, 200, 256, 300]
COUNTS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * FULL]


@for_each("n", COUNTS)
@for_each("size", SIZES)
def test_bits_are_counted_by_level_and_position(size: int, n: int) -> None:
    rng = np.random.default_rng(size)
    bits = rng.random((n, size)) < rng.random(size)
    levels = rng.choice(np.array([0, 250, 4000], np.int32), n, p=[0.05, 0.15, 0.8])
    used, index = level_index(levels)
    y = np.packbits(bits, axis=1, bitorder="little")
    counts, sizes = count_bits(y, levels, index, len(used), size)
    of_level = [bits[levels == level] for level in used]
    assert counts.tolist() == [own.sum(axis=0).tolist() for own in of_level]
    ones = [np.bincount(own.sum(axis=1), minlength=size + 1) for own in of_level]
    assert sizes.tolist() == [row.tolist() for row in ones]


def test_a_level_may_fill_its_bytes_again_and_again() -> None:
    n = 2 * FULL + 1
    y, levels = np.full((n, 3), 255, np.uint8), np.zeros(n, np.int32)
    counts, sizes = count_bits(y, levels, level_index(levels)[1], 1, 24)
    assert counts.tolist() == [[n] * 24]
    assert sizes[0, 24] == n
