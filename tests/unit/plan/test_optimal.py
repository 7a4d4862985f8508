"""Solved tables are exact laws within their level, and better than what they are compared with."""

import math
from fractions import Fraction

import pytest

from discretion.errors import BudgetError
from discretion.mechanism.hybrid import hm
from discretion.mechanism.law import NumberLaw, decode
from discretion.mechanism.table import TOTAL, Table, Weights, check_weights
from discretion.mechanism.twopoint import duchi
from discretion.mechanism.window import window
from discretion.plan.optimal import (
    LEAST_LEVEL,
    MOST_LEVEL,
    SHAPES,
    SLACK,
    Programme,
    optimal_weights,
    round_probabilities,
)
from tests.cases import for_each
from tests.contract.exponential import exp_lower, exp_upper

LEVELS = (1, 50, 250, 500, 1000, 2000, 3500, 6000, 8000, 10_000)
SIZES = (2, 3, 7, 101)
WASTE = Fraction(1, 10**6)  # of the level, or of the variance: what rounding may cost
GRID = 801  # codes at which the variance is looked at: 13 or more from knot to knot


@for_each("level", LEVELS)
def test_every_row_sums_to_the_total_and_reads_the_same_from_either_end(level: int) -> None:
    weights = optimal_weights(level)
    assert {sum(row) for row in weights} == {TOTAL}
    assert weights == tuple(row[::-1] for row in reversed(weights))
    assert check_weights(level, weights) is None


@for_each("level", LEVELS)
@for_each("size", SIZES)
def test_privacy_loss_is_at_most_the_level_and_wastes_none(size: int, level: int) -> None:
    law = Table(size, optimal_weights(level))
    columns = ([law.probability(y, code) for code in range(size)] for y in law.outputs())
    ratio = max(max(column) / min(column) for column in columns)
    assert ratio == law.ratio
    assert ratio <= exp_lower(Fraction(level, 1000))
    assert ratio >= exp_upper(Fraction(level, 1000) * (1 - WASTE))


@for_each("level", LEVELS)
@for_each("size", SIZES)
def test_decoding_is_unbiased_with_the_stated_variance(size: int, level: int) -> None:
    law = Table(size, optimal_weights(level))
    values = [decode(law, y) for y in law.outputs()]
    for code in {*range(0, size, 9), size - 1}:
        probabilities = [law.probability(y, code) for y in law.outputs()]
        pairs = list(zip(probabilities, values, strict=True))
        assert sum(probabilities) == 1
        assert sum(p * value for p, value in pairs) == code
        assert sum(p * (value - code) ** 2 for p, value in pairs) == law.variance(code)


@pytest.mark.parametrize(
    "level, most", [(500, 16.05), (1000, 4.01), (2000, 0.871), (4000, 0.13), (6000, 0.028)]
)
def test_the_worst_variance_is_near_the_limit(level: int, most: float) -> None:
    """Limits of the continuous problem: 16.0, 3.99, 0.865, 0.127, 0.027."""
    assert worst(Table(GRID, optimal_weights(level))) <= most


@pytest.mark.parametrize("level, part", [(2000, 0.85), (4000, 0.62), (6000, 0.41)])
def test_a_table_beats_the_hybrid_mechanism(level: int, part: float) -> None:
    assert worst(Table(GRID, optimal_weights(level))) <= part * worst(hm(GRID, level))


@for_each("level", LEVELS)
def test_no_other_mechanism_is_better(level: int) -> None:
    table = worst(Table(GRID, optimal_weights(level)))
    others: tuple[NumberLaw, ...] = (hm(GRID, level), duchi(GRID, level), window(GRID, level))
    assert table <= min(map(worst, others)) * (1 + WASTE)


@for_each("knots, outputs", [(3, 5), (11, 21), (21, 41)])
@for_each("level", LEVELS)
def test_rounding_to_integers_costs_next_to_nothing(level: int, knots: int, outputs: int) -> None:
    bound = 1.5 / math.tanh(level / 4000)
    solved = Programme(level / 1000, knots, outputs, bound).solve()
    weights = round_probabilities(solved.probabilities, SLACK[0], level)
    assert check_weights(level, weights) is None
    law, middle = Table(knots, weights), knots // 2
    for k, row in enumerate(solved.probabilities):
        places = (bound * (2 * y / (outputs - 1) - 1) for y in range(outputs))
        spread = sum(p * place**2 for p, place in zip(row, places, strict=True))
        before = spread - (k / middle - 1) ** 2
        assert float(law.variance(k)) / middle**2 <= before * (1 + WASTE)


@for_each("level", LEVELS)
def test_no_place_between_knots_is_much_worse_than_the_programme_found(level: int) -> None:
    weights = optimal_weights(level)
    bound = 1 - decode(Table(3, weights), 0)  # the codes 0, 1, 2 are the numbers -1, 0, 1
    solved = Programme(level / 1000, *shape(weights), float(bound)).solve()
    assert solved.worst * 0.999 <= worst(Table(GRID, weights)) <= solved.worst * 1.001


def test_solving_again_gives_the_same_weights() -> None:
    for level in (50, 2000, 6000):
        again = optimal_weights.__wrapped__(level)
        assert again == optimal_weights(level)


def test_larger_levels_have_larger_tables_up_to_the_last() -> None:
    shapes = [shape(optimal_weights(level)) for level in (1000, 1001, 2001, 4001, 8001)]
    assert shapes == [(knots, outputs) for _, knots, outputs in SHAPES]


def shape(weights: Weights) -> tuple[int, int]:
    return len(weights), len(weights[0])


@pytest.mark.parametrize("level", [LEAST_LEVEL - 1, MOST_LEVEL + 1])
def test_a_level_without_a_table_is_refused(level: int) -> None:
    with pytest.raises(BudgetError, match=r"an epsilon of 0\.001 to 10 \(above, a window is as"):
        optimal_weights(level)


def worst(law: NumberLaw) -> float:
    """Return the largest variance over half of the codes, in units of half the range squared."""
    half = Fraction(law.size - 1, 2)
    return float(max(law.variance(code) for code in range(law.size // 2 + 1)) / half**2)
