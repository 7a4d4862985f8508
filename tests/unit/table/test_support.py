"""Supports of many reports at once, against the law's own word for each of them."""

import itertools
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

from discretion.mechanism import MECHANISMS, Hashed, Law, SupportLaw, law
from discretion.table.columns import codes
from discretion.table.hashed import transformed
from discretion.table.support import count_supports, packed_supports, support_sizes
from discretion.table.validation import admitted
from tests.builders import tally_of
from tests.cases import for_each
from tests.mechanisms import SMALL

SIZES = (2, 3, 5, 8, 9)
LEVELS = (250, 3500)
LONG = (255, 256, 257, 300)  # where a second byte begins


def laws_of(mechanism: str) -> Iterator[SupportLaw]:
    for size, level in itertools.product(SIZES, LEVELS):
        yield SMALL[mechanism](size, level)
    if mechanism == "grr":
        yield from (SMALL[mechanism](size, 3500) for size in LONG)


def rows_of(law: Law, ys: list[int]) -> npt.NDArray[np.uint8]:
    data = b"".join(y.to_bytes(law.n_bytes, "little") for y in ys)
    return np.frombuffer(data, np.uint8).reshape(len(ys), law.n_bytes)


def admits(law: Law, y: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    return admitted([law.form], np.zeros(len(y), np.int64), y)


@for_each("mechanism", MECHANISMS)
def test_supports_are_those_of_the_law(mechanism: str) -> None:
    for one in laws_of(mechanism):
        ys = list(one.outputs())
        packed = packed_supports([one], np.zeros(len(ys), np.int64), rows_of(one, ys))
        assert packed.shape == (len(ys), (one.size + 7) // 8), one
        found = [int.from_bytes(row.tobytes(), "little") for row in packed]
        assert found == [one.support(y) for y in ys], one


@for_each("mechanism", MECHANISMS)
def test_counts_and_sizes_are_those_of_the_law(mechanism: str) -> None:
    for one in laws_of(mechanism):
        ys = [y for y in one.outputs() for _ in range(y % 3)]  # some often, some never
        levels = (np.arange(len(ys), dtype=np.int32) % 3) * 250  # 0, 250 and 500
        law_at = dict.fromkeys((0, 250, 500), one).__getitem__
        used, supports, sizes = count_supports(law_at, rows_of(one, ys), levels)
        assert used.tolist() == [0, 250, 500][: len(ys)], one
        for own in range(len(used)):
            tally = tally_of(one, ys[own::3])
            assert supports[own].tolist() == tally.supports.tolist(), one
            assert sizes[own].tolist() == tally.sizes.tolist(), one
        if not isinstance(one, Hashed):
            ones = np.bincount(support_sizes(one, rows_of(one, ys)), minlength=one.size + 1)
            assert ones.tolist() == sizes.sum(axis=0).tolist(), one


@for_each("mechanism", MECHANISMS)
def test_possible_is_what_the_law_calls_possible(mechanism: str) -> None:
    for one in laws_of(mechanism):
        ys = list(range(256**one.n_bytes))
        found = admits(one, rows_of(one, ys))
        assert found.tolist() == list(map(one.form.admits, ys)), one


@pytest.mark.parametrize("size", [9, 64, 65, 130])
def test_counts_of_many_rows_and_words_are_whole(size: int) -> None:
    """More rows of a class than the counters' planes hold, more bits than a word has."""
    one, rng = law("oue", size, 1000), np.random.default_rng(size)
    bits = rng.random((3_000, size)) < 0.7
    rows, which = np.packbits(bits, axis=1, bitorder="little"), rng.integers(0, 3, 3_000, np.int32)
    _, supports, sizes = count_supports(lambda _: one, rows, which)
    for own in range(3):
        mine = bits[which == own]
        assert supports[own].tolist() == mine.sum(axis=0).tolist()
        assert sizes[own].tolist() == np.bincount(mine.sum(axis=1), minlength=size + 1).tolist()


def test_codes_are_little_endian() -> None:
    rows = np.array([[1, 2], [255, 255]], np.uint8)
    assert codes(rows).tolist() == [513, 65535]


@for_each("mechanism", MECHANISMS)
def test_no_reports_count_nothing(mechanism: str) -> None:
    one = law(mechanism, 5, 1000)
    none = rows_of(one, [])
    used, supports, sizes = count_supports(lambda _: one, none, np.zeros(0, np.int32))
    assert used.tolist() == supports.tolist() == sizes.tolist() == []
    assert len(support_sizes(one, none)) == len(admits(one, none)) == 0


@for_each("size", [2, 63, 64, 65, 1000])
@for_each("mechanism", ["blh", "olh", "hrr", "hadamard"])
def test_hashed_supports_of_mixed_levels_are_those_of_each_law(mechanism: str, size: int) -> None:
    rng = np.random.default_rng(size)
    laws: list[SupportLaw] = [law(mechanism, size, level) for level in (250, 1500, 4000, 8000)]
    which, last = rng.integers(0, 4, 60), [_outputs(each) - 1 for each in laws]
    ys = [int(rng.integers(0, last[w], endpoint=True)) for w in which]
    ys[:4], which[:4] = [0, *last[1:]], range(4)
    packed = packed_supports(laws, which, rows_of(laws[0], ys))
    for row, own, y in zip(packed, which, ys, strict=True):
        assert int.from_bytes(row.tobytes(), "little") == laws[own].support(y)
    assert all(admits(laws[w], rows_of(laws[w], [last[w]]))[0] for w in range(4))
    beyond = rows_of(laws[0], [last[0] + 1]) if last[0] + 1 < 256 ** laws[0].n_bytes else None
    assert beyond is None or not admits(laws[0], beyond)[0]


def _outputs(one: SupportLaw) -> int:
    assert isinstance(one, Hashed)
    return one.hashing.functions * one.hashing.n_buckets


@for_each("size", [2, 5, 64, 100, 1000])
@for_each("mechanism", ["blh", "olh", "hrr", "hadamard"])
def test_hashed_counts_of_mixed_levels_are_those_of_the_supports(mechanism: str, size: int) -> None:
    rng = np.random.default_rng(size)
    laws: list[SupportLaw] = [law(mechanism, size, level) for level in (250, 1500, 4000, 8000)]
    which = rng.integers(0, 4, 300)
    ys = [int(rng.integers(0, _outputs(laws[w]))) for w in which]
    y, levels = rows_of(laws[0], ys), (10 * which).astype(np.int32)
    used, supports, sizes = count_supports(lambda level: laws[level // 10], y, levels)
    assert used.tolist() == [0, 10, 20, 30]
    packed = packed_supports(laws, which, y)
    bits = np.unpackbits(packed, axis=1, count=size, bitorder="little")
    for own in range(4):
        mine = bits[which == own]
        assert supports[own].tolist() == mine.sum(axis=0, dtype=int).tolist()
        ones = np.bincount(mine.sum(axis=1, dtype=int), minlength=size + 1)
        assert sizes[own].tolist() == ones.tolist()


@pytest.mark.parametrize("bits", [0, 1, 5])
def test_the_fast_transform_is_the_product_with_hadamards_matrix(bits: int) -> None:
    rng, size = np.random.default_rng(bits), 1 << bits
    both = np.arange(size)[:, None] & np.arange(size)
    matrix = 1 - 2 * (np.bitwise_count(both).astype(np.int64) & 1)
    values = rng.integers(-9, 10, (3, size))
    assert transformed(values).tolist() == (values @ matrix).tolist()
    assert transformed(values[0]).tolist() == (values[0] @ matrix).tolist()
