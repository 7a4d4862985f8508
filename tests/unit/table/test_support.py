"""Supports of many reports at once, against the law's own word for each of them."""

import numpy as np
import numpy.typing as npt
import pytest

from discretion.mechanism import MECHANISMS, Law, law
from discretion.table.support import (
    codes,
    packed_supports,
    possible,
    support_counts,
    support_sizes,
)
from tests.builders import tally_of

SIZES = (2, 3, 5, 8, 9)
LEVELS = (250, 3500)
CASES = [(m, size, level) for m in MECHANISMS for size in SIZES for level in LEVELS]
CASES += [("grr", size, 3500) for size in (255, 256, 257, 300)]  # where a second byte begins


def rows_of(law: Law, ys: list[int]) -> npt.NDArray[np.uint8]:
    data = b"".join(y.to_bytes(law.width, "little") for y in ys)
    return np.frombuffer(data, np.uint8).reshape(len(ys), law.width)


@pytest.mark.parametrize("mechanism, size, level", CASES)
def test_supports_are_those_of_the_law(mechanism: str, size: int, level: int) -> None:
    one = law(mechanism, size, level)
    ys = list(one.outputs())
    packed = packed_supports(one, rows_of(one, ys))
    assert packed.shape == (len(ys), (size + 7) // 8)
    assert [int.from_bytes(row.tobytes(), "little") for row in packed] == [
        one.support(y) for y in ys
    ]


@pytest.mark.parametrize("mechanism, size, level", CASES)
def test_counts_and_sizes_are_those_of_the_law(mechanism: str, size: int, level: int) -> None:
    one = law(mechanism, size, level)
    ys = [y for y in one.outputs() for _ in range(y % 3)]  # some often, some never
    tally = tally_of(one, ys)
    assert support_counts(one, rows_of(one, ys)).tolist() == tally.supports.tolist()
    sizes = support_sizes(one, rows_of(one, ys))
    assert np.bincount(sizes, minlength=size + 1).tolist() == tally.sizes.tolist()


@pytest.mark.parametrize("mechanism, size, level", CASES)
def test_possible_is_what_the_law_calls_possible(mechanism: str, size: int, level: int) -> None:
    one = law(mechanism, size, level)
    ys = list(range(256**one.width))
    found = possible(one, rows_of(one, ys))
    assert found.tolist() == [one.possible(y) for y in ys]


def test_counts_of_more_rows_than_one_block_are_whole() -> None:
    one, times = law("oue", 9, 1000), 4_000
    ys = list(one.outputs())
    rows = np.repeat(rows_of(one, ys), times, axis=0)
    assert len(rows) * one.size > 1 << 24  # the block
    assert support_counts(one, rows).tolist() == [times * len(ys) // 2] * one.size


def test_codes_are_little_endian() -> None:
    rows = np.array([[1, 2], [255, 255]], np.uint8)
    assert codes(rows).tolist() == [513, 65535]


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_no_reports_count_nothing(mechanism: str) -> None:
    one = law(mechanism, 5, 1000)
    none = rows_of(one, [])
    assert support_counts(one, none).tolist() == [0] * 5
    assert len(support_sizes(one, none)) == len(possible(one, none)) == 0
