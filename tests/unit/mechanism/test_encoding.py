"""Words: worked out from plain text alone, different where there is room, and far apart."""

import hashlib
from itertools import combinations
from math import comb

import hypothesis.strategies as st
import pytest
from hypothesis import given

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.mechanism import Encoding
from discretion.mechanism import encoding as encoding_module
from discretion.mechanism.encoding import codeword, codewords, cohort_codewords, farthest
from discretion.plan import Plan

CASES = [(5, 2, 6, 1), (5, 3, 7, 2), (40, 2, 16, 3), (10, 2, 5, 1), (6, 1, 4, 3), (300, 4, 64, 1)]


def plainly(size: int, hashes: int, bits: int, cohort: int) -> list[set[int]]:
    """Work the codewords of a cohort out as the documentation says, with sets."""
    found: list[set[int]] = []
    for code in range(size):
        codeword: set[int] = set()
        counter = 0
        while len(codeword) < hashes:
            text = f"{size} {cohort} {code} {counter}"
            codeword.add(int(hashlib.sha256(text.encode()).hexdigest()[:12], 16) % bits)
            counter += 1
            if codeword in found and comb(bits, hashes) >= size:
                codeword = set()
        found.append(codeword)
    return found


@pytest.mark.parametrize("size, hashes, bits, cohorts", CASES)
def test_words_are_what_their_text_hashes_to(
    size: int, hashes: int, bits: int, cohorts: int
) -> None:
    for cohort, own in enumerate(codewords(Encoding(size, hashes, bits, cohorts))):
        expected = [
            sum(1 << i for i in codeword) for codeword in plainly(size, hashes, bits, cohort)
        ]
        assert list(own) == expected


@pytest.mark.parametrize("size, hashes, bits, cohorts", CASES)
def test_words_have_as_many_bits_as_hashes_and_differ_where_they_can(
    size: int, hashes: int, bits: int, cohorts: int
) -> None:
    encoding = Encoding(size, hashes, bits, cohorts)
    for own in codewords(encoding):
        assert {codeword.bit_count() for codeword in own} == {hashes}
        assert max(own) < 1 << bits
        assert (len(set(own)) == size) is not encoding.crowded


def test_all_words_there_are_can_be_had() -> None:
    (own,) = codewords(Encoding(10, 2, 5))
    assert len(set(own)) == comb(5, 2) == 10


def test_one_hash_and_enough_bits_is_one_bit_for_each_code() -> None:
    assert codewords(Encoding(3, 1, 5, 2)) == ((1, 2, 4), (1, 2, 4))


@pytest.mark.parametrize("size, hashes, bits, cohorts", CASES)
def test_farthest_is_the_most_that_two_words_of_a_cohort_differ_by(
    size: int, hashes: int, bits: int, cohorts: int
) -> None:
    encoding = Encoding(size, hashes, bits, cohorts)
    apart = [(a & ~b).bit_count() for own in codewords(encoding) for a, b in combinations(own, 2)]
    assert farthest(encoding) == max(apart)


def test_cohorts_tell_apart_what_one_of_them_does_not() -> None:
    assert Encoding(6, 1, 4, 1).ambiguous
    assert not Encoding(6, 1, 4, 3).ambiguous
    assert not Encoding(6, 2, 4, 1).ambiguous


@given(st.integers(1, 4), st.integers(1, 6), st.integers(2, 40), st.integers(1, 3))
def test_distances_and_ambiguity_agree_with_plain_enumeration(
    hashes: int, more: int, size: int, cohorts: int
) -> None:
    encoding = Encoding(size, hashes, hashes + more, cohorts)
    every = [
        [sum(1 << bit for bit in own) for own in plainly(size, hashes, hashes + more, cohort)]
        for cohort in range(cohorts)
    ]
    if hashes > 1 or hashes + more < size:  # else a bit for each code
        assert [list(own) for own in codewords(encoding)] == every
        assert [codeword(encoding, cohorts - 1, code) for code in range(size)] == every[-1]
        lacking = (one & ~other for own in every for one in own for other in own)
        assert farthest(encoding) == max(found.bit_count() for found in lacking)
    assert encoding.ambiguous == (len(set(zip(*every, strict=True))) < size)


SLOW = [(16_391, 4, 64), (18, 4, 64), (17, 16, 16), (32, 16, 16)]


@pytest.mark.parametrize("bits, hashes, cohorts", SLOW)
def test_a_device_hashes_the_words_of_few_cohorts(
    bits: int, hashes: int, cohorts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan of 28 kB with a million hashes kept a device busy for seconds."""
    count = 0
    original = encoding_module._hashed

    def counted(text: str, bits: int) -> int:
        nonlocal count
        count += 1
        return original(text, bits)

    values = [f"v{i}" for i in range(4096)]
    stated = {"rappor": {"hashes": hashes, "bits": bits, "cohorts": cohorts}}
    asked = {"name": "q", "kind": "categorical", "values": values, "mechanism": stated}
    plan = Plan.of({"name": "t", "attributes": [asked], "budget": {"levels": [1]}})
    for cached in (cohort_codewords, codewords, farthest):
        cached.cache_clear()
    monkeypatch.setattr(encoding_module, "_hashed", counted)
    read = Plan.from_bytes(plan.to_bytes())
    assert count == 0
    budget = Budget.of(read, {"q": 1})
    with State() as state:
        device = Device(read, state)
        device.promise(budget)
        device.report({"q": "v7"}, budget)
    assert 0 < count < 8 * 4096 * hashes < cohorts * 4096 * hashes
