"""The published formulas of mechanisms for numbers, and what the grid and the integers cost.

Numbers lie on [-1, 1]: variances are in units of half the range squared.
"""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from discretion.mechanism import NUMBERS, HalfSpace, NumberLaw
from discretion.mechanism.halfspace import signs
from discretion.mechanism.hybrid import SMALL, hm
from discretion.mechanism.twopoint import duchi
from discretion.mechanism.window import Window, pm, sw, window
from discretion.randomness import ONE
from tests.cases import for_each

COST = 0.01  # of the variance: what the grid may cost
GRIDS = (101, 401, 1001)
LEVELS = (100, 250, 500, 1000, 2000, 3000, 4000, 5000, 6000)
PRINTED = 0.001  # measured variances are written with so many digits, relatively


def variance(law: NumberLaw, code: int) -> float:
    return float(law.variance(code) / Fraction(law.size - 1, 2) ** 2)


def number(law: NumberLaw, code: int) -> float:
    return 2 * code / (law.size - 1) - 1


def worst(law: NumberLaw) -> float:
    return max(variance(law, code) for code in range(law.size))


def two_points(epsilon: float, x: float) -> float:
    """Duchi, Jordan and Wainwright: y = +-coth(epsilon / 2)."""
    return 1 / math.tanh(epsilon / 2) ** 2 - x * x


def piecewise(epsilon: float, x: float) -> float:
    """Wang et al. (2019), Lemma 1."""
    half = math.expm1(epsilon / 2)
    return x * x / half + (half + 4) / (3 * half**2)


def hybrid(epsilon: float, x: float) -> float:
    """Wang et al. (2019), Corollary 1: above 0.61 the same for all numbers."""
    if epsilon <= SMALL / 1000:
        return two_points(epsilon, x)
    e = math.exp(epsilon / 2)
    return (e + 3) / (3 * e * (e - 1)) + ((e * e + 1) / (e * e - 1)) ** 2 / e


FORMULAS: dict[str, Callable[[float, float], float]] = {
    "duchi": two_points,
    "onebit": two_points,
    "pm": piecewise,
    "hm": hybrid,
}


@pytest.mark.parametrize("name", FORMULAS)
def test_the_variance_is_the_formula_and_the_grid_costs_next_to_nothing(name: str) -> None:
    for size, level in itertools.product(GRIDS, LEVELS):
        law = NUMBERS[name](size, level)
        for code in range(0, size, (size - 1) // 10):
            formula = FORMULAS[name](level / 1000, number(law, code))
            assert variance(law, code) == pytest.approx(formula, rel=COST), (size, level, code)


@pytest.mark.parametrize("size", [41, *GRIDS, 4001])
def test_whole_cells_make_the_piecewise_mechanism_no_worse_at_any_level(size: int) -> None:
    """A window rounded up is nearer to the best width: it gains, at high levels up to 1.6 %."""
    for level in range(100, 6001, 100):
        law = pm(size, level)
        for code in (0, (size - 1) // 4, (size - 1) // 2):
            formula = piecewise(level / 1000, number(law, code))
            assert 0.984 * formula < variance(law, code) <= formula


@for_each("level", [*LEVELS, 8000, 20_000])
@for_each("size", GRIDS)
def test_two_points_have_their_formula_to_the_last_digit(size: int, level: int) -> None:
    law = duchi(size, level)
    for code in (0, size // 3, size - 1):
        formula = two_points(level / 1000, number(law, code))
        assert variance(law, code) == pytest.approx(formula, rel=1e-9)


@pytest.mark.parametrize("level", [SMALL + 1, 1000, 2000, 4000, 6000])
def test_the_hybrids_variance_is_the_same_everywhere(level: int) -> None:
    law = hm(401, level)
    found = [variance(law, code) for code in range(law.size)]
    assert max(found) <= min(found) * (1 + COST)


@pytest.mark.parametrize("level", [1, 100, SMALL])
def test_at_small_levels_the_hybrid_is_the_two_points(level: int) -> None:
    law, points = hm(401, level), duchi(401, level)
    assert (law.mix, law.n_outputs, law.pieces) == (0, 2, points.pieces)
    assert [law.variance(code) for code in range(401)] == [points.variance(c) for c in range(401)]


@pytest.mark.parametrize("name", [name for name in NUMBERS if name != "laplace"])
def test_rounding_a_number_to_the_grid_costs_next_to_nothing(name: str) -> None:
    """Halfway between two points it adds a quarter of a step squared to their mean variance."""
    for level in LEVELS:
        law = NUMBERS[name](101, level)
        for one, next in itertools.pairwise(law.variance(code) for code in range(law.size)):
            assert Fraction(1, 4) <= COST * (one + next) / 2, level


@for_each("make", [pm, sw, window])
@for_each("level", [1, 250, 1000, 4000, 8000, 20_000])
def test_a_windows_variance_is_largest_at_the_ends_and_least_in_the_middle(
    make: Callable[[int, int], Window], level: int
) -> None:
    law = make(41, level)
    found = [law.variance(code) for code in range(law.size)]
    assert found == found[::-1]
    assert found[:21] == sorted(found[:21], reverse=True)


@for_each("level", [1, 250, 1000, 2000, 4000, 8000, 20_000])
@for_each("size", [2, 3, 101])
def test_no_other_window_is_better_where_it_is_worst(size: int, level: int) -> None:
    law, top = window(size, level), math.exp(level / 1000)
    line = law.line
    ends = []
    for span in range(1, line + 1):
        keep = int(ONE * (span * top / (span * top + line)))
        ends.append(Window(size, law.cells, span, keep).variance(0))
    assert float(law.variance(0)) <= float(min(ends)) * (1 + 1e-9)


@pytest.mark.parametrize("level, found", [(2000, 1.092), (4000, 0.1618), (6000, 0.035)])
def test_the_window_has_the_variance_that_was_measured(level: int, found: float) -> None:
    assert worst(window(401, level)) == pytest.approx(found, rel=10 * PRINTED)


@pytest.mark.parametrize("level", [4000, 5000, 6000, 8000, 10_000])
def test_from_a_level_of_four_on_the_window_is_better_than_both(level: int) -> None:
    assert worst(window(401, level)) < min(worst(pm(401, level)), worst(hm(401, level)))


@pytest.mark.parametrize("level", [100, 1000, 2000])
def test_below_that_it_is_better_than_the_piecewise_mechanism_alone(level: int) -> None:
    assert worst(hm(401, level)) < worst(window(401, level)) < worst(pm(401, level))


def through(law: Window) -> float:
    """Return the information in a report, the number being uniform, in nats."""
    inside, outside = (float(law.probability(y, 0)) for y in (0, law.n_outputs - 1))
    found = 0.0
    for y in range(law.n_outputs):
        hit = min(y // law.cells, law.size - 1) - max(-(-(y - law.span + 1) // law.cells), 0) + 1
        mean = (hit * inside + (law.size - hit) * outside) / law.size
        parts = ((hit, inside), (law.size - hit, outside))
        found += sum(n / law.size * p * math.log(p / mean) for n, p in parts if n)
    return found


@pytest.mark.parametrize("level", [500, 1000, 2000, 4000])
def test_the_square_wave_has_the_printed_width(level: int) -> None:
    """Li et al. (2020), Section 5.3: twice b of a range of one."""
    eps = level / 1000
    e = math.exp(eps)
    law = sw(401, level)
    printed = (eps * e - e + 1) / (e * (e - 1 - eps))
    assert abs(law.span - printed * law.line) <= 1


@pytest.mark.parametrize("level", [1000, 2000, 4000])
def test_through_the_square_wave_passes_more_than_through_the_others(level: int) -> None:
    law = sw(401, level)
    assert through(law) > max(through(pm(401, level)), through(window(401, level)))


# Signs


@for_each("level", [250, 1000, 8000])
@for_each("numbers", range(1, 7))
def test_how_often_a_sign_is_its_own_is_what_enumeration_finds(numbers: int, level: int) -> None:
    law = signs(1 << numbers, level)
    for code, i in itertools.product(range(law.size), range(numbers)):
        same = (law.probability(y, code) for y in law.outputs() if not (y ^ code) >> i & 1)
        assert sum(same, Fraction()) == law.own


def largest(law: HalfSpace) -> float:
    probabilities = [law.probability(y, 0) for y in law.outputs()]
    return math.log(max(probabilities) / min(probabilities))


@pytest.mark.parametrize("numbers, loss", [(2, 2.10), (4, 1.79), (6, 1.65), (1, 1), (3, 1), (5, 1)])
def test_for_even_numbers_the_printed_coin_breaks_the_bound_and_ours_does_not(
    numbers: int, loss: float
) -> None:
    """The coin e / (e + 1) is right where the two sides have as many patterns: for odd numbers."""
    e = math.exp(1)
    printed = HalfSpace(numbers, int(ONE * (e / (e + 1))))
    assert largest(printed) == pytest.approx(loss, abs=0.005)
    assert largest(signs(1 << numbers, 1000)) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("numbers", [1, 3, 5, 7])
def test_for_odd_dimensions_the_sign_is_reported_as_the_corrected_formula_says(
    numbers: int,
) -> None:
    """Half of 1 + C(d-1, (d-1)/2) / 2^(d-1) (e-1) / (e+1): the survey prints C(d-1, 2)."""
    e = math.exp(1)
    middle = math.comb(numbers - 1, (numbers - 1) // 2) / 2 ** (numbers - 1)
    formula = (1 + middle * (e - 1) / (e + 1)) / 2
    assert float(signs(1 << numbers, 1000).own) == pytest.approx(formula, rel=1e-12)


# Laplace


@for_each("level", [1, 1000, 8000])
@for_each("size", [2, 5, 101])
def test_neighbours_on_the_grid_are_told_apart_by_their_part_of_the_level(
    size: int, level: int
) -> None:
    law = NUMBERS["laplace"](size, level)
    for code in (0, size // 2, size - 2):
        ratios = [law.probability(y, code) / law.probability(y, code + 1) for y in law.outputs()]
        loss = math.log(max(max(ratios), 1 / min(ratios)))
        assert loss == pytest.approx(level / 1000 / (size - 1), rel=1e-6)


@for_each("level", [1, 1000, 8000])
@for_each("size", [2, 3, 7])
def test_its_ends_could_be_decoded_beyond_the_grid(size: int, level: int) -> None:
    """The proof's remark: inner outputs as they are, the ends further out by q / (1 - q)."""
    law = NUMBERS["laplace"](size, level)
    q = 1 / (law.probability(0, 0) / law.probability(0, 1))
    beyond = q / (1 - q)
    decoded = [-beyond, *map(Fraction, range(1, size - 1)), size - 1 + beyond]
    for code in range(size):
        assert sum(law.probability(y, code) * decoded[y] for y in law.outputs()) == code
