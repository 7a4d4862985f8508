"""A table by hand: what it states is what enumeration finds, and a tampered one is refused."""

from fractions import Fraction
from functools import partial

import pytest

from discretion.mechanism import table
from discretion.mechanism.law import decode
from discretion.mechanism.table import TOTAL, Table, Weights, check_weights
from discretion.randomness import ByteSource
from tests.cases import for_each
from tests.contract.enumeration import distribution

EIGHTHS = ((5, 2, 1), (3, 2, 3), (1, 2, 5))
WEIGHTS = tuple(tuple(TOTAL // 8 * weight for weight in row) for row in EIGHTHS)
LEVEL = 1610  # e^1.609 < 5 < e^1.610
SIZES = (2, 3, 4, 7, 101)


@pytest.mark.parametrize("size", SIZES)
def test_rows_sum_to_one_and_decode_to_the_code(size: int) -> None:
    law = Table(size, WEIGHTS)
    for code in range(size):
        probabilities = {y: law.probability(y, code) for y in law.outputs()}
        assert sum(probabilities.values()) == 1
        assert sum(p * decode(law, y) for y, p in probabilities.items()) == code


@pytest.mark.parametrize("size", SIZES)
def test_the_variance_is_that_of_the_decoded_report(size: int) -> None:
    law = Table(size, WEIGHTS)
    for code in range(size):
        probabilities = {y: law.probability(y, code) for y in law.outputs()}
        spread = sum(p * (decode(law, y) - code) ** 2 for y, p in probabilities.items())
        assert law.variance(code) == spread


@for_each("knots", [WEIGHTS, (WEIGHTS[0], WEIGHTS[2]), (*WEIGHTS[:2], *WEIGHTS[1:])])
@for_each("size", SIZES)
def test_the_ratio_is_the_largest_over_codes(size: int, knots: Weights) -> None:
    law = Table(size, knots)
    probabilities = [[law.probability(y, code) for code in range(size)] for y in law.outputs()]
    assert law.ratio == max(max(column) / min(column) for column in probabilities)


@pytest.mark.parametrize("size, ratio", [(2, Fraction(4, 3)), (3, 6), (4, Fraction(13, 3)), (7, 6)])
def test_a_knot_counts_as_far_as_codes_come_near_it(size: int, ratio: Fraction) -> None:
    """The middle knot has the extremes; of two codes none is near, of three one is on it."""
    rows = [(4, 1, 3), (1, 6, 1), (3, 1, 4)]
    law = Table(size, tuple(tuple(TOTAL // 8 * weight for weight in row) for row in rows))
    assert law.ratio == ratio


@pytest.mark.parametrize("size", [2, 3, 4, 7])
def test_the_sampler_is_the_law(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every path of random choices, with rows of eighths so that there are few."""
    monkeypatch.setattr(table, "TOTAL", 8)
    law = Table(size, EIGHTHS)
    for code in range(size):
        sampled = distribution(partial(law.perturb, code))
        assert sampled == {y: law.probability(y, code) for y in law.outputs()}


@for_each(
    "code, words, y",
    [
        (0, "9fffffffffff", 0),  # on a knot, so no coin; 5/8 of all words give the first output
        (0, "a00000000000", 1),
        (0, "e00000000000", 2),
        (1, "01 5fffffffffff", 0),  # 2/3 of the way to the middle knot: a coin of 0 or 1 goes there
        (1, "01 600000000000", 1),
        (1, "02 600000000000", 0),
        (1, "03 02 9fffffffffff", 0),  # 3 is not below 3, and is drawn again
        (3, "ffffffffffff", 2),
    ],
)
def test_the_sampler_on_recorded_words(code: int, words: str, y: int) -> None:
    left = bytearray.fromhex(words)

    def read(n: int) -> bytes:
        taken, left[:] = bytes(left[:n]), left[n:]
        return taken

    assert Table(4, WEIGHTS).perturb(code, ByteSource(read)) == y
    assert not left


def test_only_columns_are_possible() -> None:
    law = Table(4, WEIGHTS)
    assert [y for y in range(-1, 256**law.n_bytes + 1) if law.form.admits(y)] == [*law.outputs()]
    assert law.n_outputs == 3


def test_equal_tables_name_one_group() -> None:
    assert len({Table(4, WEIGHTS), Table(4, WEIGHTS), Table(5, WEIGHTS)}) == 2


def test_a_table_that_keeps_the_rules_is_not_refused() -> None:
    assert check_weights(LEVEL, WEIGHTS) is None
    assert check_weights(LEVEL, [[*row] for row in WEIGHTS]) is None


def moved(*moves: tuple[int, int, int]) -> Weights:
    """Return the table with units added to some of its weights."""
    rows = [[*row] for row in WEIGHTS]
    for row, column, units in moves:
        rows[row][column] += units
    return tuple(tuple(row) for row in rows)


@for_each(
    "weights, reason",
    [
        ((), "2 to 256 rows"),
        (WEIGHTS[:1], "2 to 256 rows"),
        (WEIGHTS * 86, "2 to 256 rows"),
        (((TOTAL,), (TOTAL,)), "2 to 256 columns"),
        ((WEIGHTS[0], WEIGHTS[1][:2], WEIGHTS[2]), "rows of the same"),
        ((WEIGHTS[0], tuple(map(float, WEIGHTS[1])), WEIGHTS[2]), "whole numbers"),
        (moved((1, 0, -WEIGHTS[1][0]), (1, 1, 2 * WEIGHTS[1][0]), (1, 2, -WEIGHTS[1][2])), "above"),
        (moved((0, 1, 1), (2, 1, 1)), "must sum"),
        (moved((0, 0, 1), (0, 1, -2), (0, 2, 1)), "either end"),
        (WEIGHTS[::-1], "mean output must rise"),
        ((WEIGHTS[0], WEIGHTS[1], WEIGHTS[1], WEIGHTS[2]), "mean output must rise"),
    ],
)
def test_a_tampered_table_is_refused(weights: Weights, reason: str) -> None:
    found = check_weights(LEVEL, weights)
    assert found is not None
    assert reason in found


def test_one_level_lower_the_table_is_refused() -> None:
    assert "e to the epsilon" in (check_weights(LEVEL - 1, WEIGHTS) or "")
