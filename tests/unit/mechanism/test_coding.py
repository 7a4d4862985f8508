"""Words: worked out from plain text alone, different where there is room, and far apart."""

import hashlib
from itertools import combinations
from math import comb

import pytest

from discretion.mechanism import Coding
from discretion.mechanism.coding import farthest, words

CASES = [(5, 2, 6, 1), (5, 3, 7, 2), (40, 2, 16, 3), (10, 2, 5, 1), (6, 1, 4, 3), (300, 4, 64, 1)]


def plainly(size: int, hashes: int, bits: int, cohort: int) -> list[set[int]]:
    """Work the words of a cohort out as the documentation says, with sets."""
    found: list[set[int]] = []
    for code in range(size):
        word: set[int] = set()
        counter = 0
        while len(word) < hashes:
            text = f"{size} {cohort} {code} {counter}"
            word.add(int(hashlib.sha256(text.encode()).hexdigest()[:12], 16) % bits)
            counter += 1
            if word in found and comb(bits, hashes) >= size:
                word = set()
        found.append(word)
    return found


@pytest.mark.parametrize("size, hashes, bits, cohorts", CASES)
def test_words_are_what_their_text_hashes_to(
    size: int, hashes: int, bits: int, cohorts: int
) -> None:
    for cohort, own in enumerate(words(Coding(size, hashes, bits, cohorts))):
        expected = [sum(1 << i for i in word) for word in plainly(size, hashes, bits, cohort)]
        assert list(own) == expected


@pytest.mark.parametrize("size, hashes, bits, cohorts", CASES)
def test_words_have_as_many_bits_as_hashes_and_differ_where_they_can(
    size: int, hashes: int, bits: int, cohorts: int
) -> None:
    coding = Coding(size, hashes, bits, cohorts)
    for own in words(coding):
        assert {word.bit_count() for word in own} == {hashes}
        assert max(own) < 1 << bits
        assert (len(set(own)) == size) is not coding.crowded


def test_all_words_there_are_can_be_had() -> None:
    (own,) = words(Coding(10, 2, 5))
    assert len(set(own)) == comb(5, 2) == 10


def test_one_hash_and_enough_bits_is_one_bit_for_each_code() -> None:
    assert words(Coding(3, 1, 5, 2)) == ((1, 2, 4), (1, 2, 4))


@pytest.mark.parametrize("size, hashes, bits, cohorts", CASES)
def test_farthest_is_the_most_that_two_words_of_a_cohort_differ_by(
    size: int, hashes: int, bits: int, cohorts: int
) -> None:
    coding = Coding(size, hashes, bits, cohorts)
    apart = [(a & ~b).bit_count() for own in words(coding) for a, b in combinations(own, 2)]
    assert farthest(coding) == max(apart)


def test_cohorts_tell_apart_what_one_of_them_does_not() -> None:
    assert Coding(6, 1, 4, 1).ambiguous
    assert not Coding(6, 1, 4, 3).ambiguous
    assert not Coding(6, 2, 4, 1).ambiguous
