"""Draws from bytes: the fewest bytes, big-endian, excess top bits masked, rejection."""

from collections import Counter
from collections.abc import Callable
from io import BytesIO

import pytest

from discretion.randomness import ONE, ByteSource, system
from tests.cases import for_each


def recorded(words: str) -> tuple[ByteSource, BytesIO]:
    stream = BytesIO(bytes.fromhex(words))
    return ByteSource(stream.read), stream


@for_each(
    "n, words, value, read",
    [
        (1, "", 0, 0),
        (2, "fe", 0, 1),
        (2, "ff", 1, 1),
        (3, "fffefd", 2, 2),
        (5, "0c", 4, 1),
        (5, "fd0e0f04", 4, 4),
        (256, "80", 128, 1),
        (257, "0001", 1, 2),
        (257, "ff01fe00", 0, 4),
        (300, "01ff012b", 299, 4),
        (1 << 16, "0102", 258, 2),
        (ONE, "00000000000000010203", 1, 8),
        (ONE + 1, "01000000000000000000", ONE, 9),
    ],
)
def test_below_masks_rejects_and_reads_no_more_than_it_needs(
    n: int, words: str, value: int, read: int
) -> None:
    source, stream = recorded(words)
    assert source.below(n) == value
    assert stream.tell() == read


@pytest.mark.parametrize("n", [2, 3, 5, 100, 200, 256])
def test_every_value_below_n_has_equally_many_first_bytes(n: int) -> None:
    def first(byte: int) -> int:
        source, _ = recorded(f"{byte:02x}" + "00")
        return source.below(n)

    bits = (n - 1).bit_length()
    accepted = [byte for byte in range(256) if byte % (1 << bits) < n]
    counts = Counter(first(byte) for byte in accepted)
    assert counts == dict.fromkeys(range(n), 256 >> bits)


@pytest.mark.parametrize(
    "heads, word, lands",
    [
        (0, 0, False),
        (1, 0, True),
        (1, 1, False),
        (ONE // 2, ONE // 2 - 1, True),
        (ONE // 2, ONE // 2, False),
        (ONE, ONE - 1, True),
    ],
)
def test_a_coin_is_heads_where_its_word_is_below_heads(heads: int, word: int, lands: bool) -> None:
    source, stream = recorded(f"{word:016x}")
    assert source.coin(heads) is lands
    assert stream.tell() == 8


def test_a_device_reads_the_operating_system(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def urandom(n: int) -> bytes:
        asked.append(n)
        return bytes(n)

    fake: Callable[[int], bytes] = urandom
    monkeypatch.setattr("os.urandom", fake)
    assert system().below(1000) == 0
    assert asked == [2]
