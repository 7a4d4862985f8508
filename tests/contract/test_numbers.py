"""Every mechanism for numbers keeps every check, and a wrong one is caught."""

import itertools
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from discretion.mechanism import (
    NUMBERS,
    OPTIMAL,
    Choice,
    Form,
    HalfSpace,
    Law,
    Marginal,
    NumberLaw,
    Table,
    TwoPoint,
)
from discretion.mechanism.choice import grr
from discretion.mechanism.form import Piece
from discretion.mechanism.halfspace import signs
from discretion.mechanism.hybrid import Hybrid, hm
from discretion.mechanism.law import NumberMechanism, decode
from discretion.mechanism.shape import OneStage
from discretion.mechanism.twopoint import duchi
from discretion.mechanism.window import Window, pm
from discretion.plan.optimal import optimal_weights
from discretion.randomness import ONE, Source
from discretion.schema import Bundle, Coarse, Numeric
from discretion.table.outputs import probabilities
from tests.cases import for_each
from tests.contract import numbers
from tests.contract.conformance import (
    LEVELS,
    AnyMechanism,
    privacy_loss_is_at_most_the_level,
    privacy_loss_nearly_reaches_the_level,
    sampled,
)
from tests.contract.numbers import ANY, EXACT, SAMPLED, Check

SIZES = (2, 3, 5, 7)
PATTERNS = (2, 4, 8, 16, 32)  # of one to five signs


@cache
def optimal(size: int, level: int) -> Table:
    return Table(size, optimal_weights(level))


ALL: dict[str, NumberMechanism] = {**NUMBERS, OPTIMAL: optimal}


@pytest.mark.parametrize("name", ALL)
def test_a_mechanism_for_numbers_passes(name: str) -> None:
    for size, level, check in itertools.product(SIZES, LEVELS, EXACT):
        if name != OPTIMAL or level <= 8000:
            check(ALL[name], size, level)


@pytest.mark.parametrize("check, size, level", sampled(SAMPLED, [(7, 250), (2, 1000), (7, 3500)]))
@pytest.mark.parametrize("name", ALL)
def test_a_mechanism_for_numbers_samples(name: str, check: Check, size: int, level: int) -> None:
    check(ALL[name], size, level)


def test_only_laplace_is_for_likelihoods_only() -> None:
    assert [name for name in ALL if not ALL[name](5, 1000).pieces] == ["laplace"]


@pytest.mark.parametrize("size", PATTERNS)
def test_signs_pass(size: int) -> None:
    for level, check in itertools.product(LEVELS, ANY):
        check(signs, size, level)


@pytest.mark.parametrize("size, level", [(4, 250), (8, 1000), (32, 3500)])
def test_signs_sample(size: int, level: int) -> None:
    for check in SAMPLED:
        check(signs, size, level)


# What a bundle tells about one of its numbers


def bundle_of(count: int, size: int, levels: int) -> Bundle:
    """Return numbers on grids of so many points, marginal at a few levels each."""
    grids = [Numeric(f"x{i}", 0, size - 1, 1, 0) for i in range(count)]
    return Bundle(tuple(Coarse(grid, levels) for grid in grids))


def marginal_of(law: Law, size: int, levels: int) -> Marginal:
    """Return the margin as an estimator has it."""
    if isinstance(law, HalfSpace):
        return Marginal(size, levels, law.own)
    assert isinstance(law, Choice)
    others = law.size // levels - 1  # cells in which the number has its own level, but not all do
    return Marginal(size, levels, law.inclusion.own + others * law.inclusion.other)


def margin(bundle: Bundle, law: Law, levels: list[int], part: int) -> dict[int, Fraction]:
    """Return how often a part is marginal at each level, by enumeration of the bundle's reports."""
    found = dict.fromkeys(range(bundle.sizes[part]), Fraction())
    cells = itertools.product(*map(range, bundle.sizes))
    for y, cell in zip(law.outputs(), cells, strict=True):
        found[cell[part]] += law.probability(y, bundle.cell(levels))
    return found


MARGINALS: list[tuple[AnyMechanism, int, int]] = [
    (grr, 2, 2),
    (grr, 2, 3),
    (grr, 3, 2),
    (grr, 2, 5),
    (signs, 2, 2),
    (signs, 3, 2),
    (signs, 4, 2),
]


@for_each("level", [250, 1000, 8000])
@for_each("mechanism, count, levels", MARGINALS)
def test_reports_about_a_bundle_give_each_number_its_marginal_law(
    mechanism: AnyMechanism, count: int, levels: int, level: int
) -> None:
    """Whatever the other numbers are, and for a number between levels the mixture of the two."""
    bundle, size = bundle_of(count, 7, levels), 7
    law = mechanism(bundle.size, level)
    marginal = marginal_of(law, size, levels)
    for others, part in itertools.product((0, levels - 1), range(count)):
        rows = []
        for own in range(levels):
            at = [own if i == part else others for i in range(count)]
            rows.append(margin(bundle, law, at, part))
        for code in range(size):
            below, rest = divmod(code * (levels - 1), size - 1)
            above, share = min(below + 1, levels - 1), Fraction(rest, size - 1)
            for y in marginal.outputs():
                mixed = (1 - share) * rows[below][y] + share * rows[above][y]
                assert marginal.probability(y, code) == mixed


@for_each("own", [Fraction(3, 5), Fraction(99, 100)])
@for_each("size, levels", [(2, 2), (3, 2), (3, 3), (7, 3), (7, 5), (5, 7)])
def test_reports_decode_to_the_code_on_average(size: int, levels: int, own: Fraction) -> None:
    marginal = Marginal(size, levels, own)
    for code in range(size):
        law = {y: marginal.probability(y, code) for y in marginal.outputs()}
        decoded = [(p, decode(marginal, y)) for y, p in law.items()]
        assert sum(law.values()) == 1
        assert sum(p * value for p, value in decoded) == code
        assert marginal.variance(code) == sum(p * (value - code) ** 2 for p, value in decoded)
    exact = np.array([[marginal.probability(y, x) for x in range(size)] for y in range(levels)])
    np.testing.assert_allclose(
        probabilities(marginal), exact.astype(np.float64), rtol=0, atol=numbers.FLOATS
    )


# A wrong one is caught


def duchi_one_percent_steeper(size: int, level: int) -> TwoPoint:
    law = duchi(size, level)
    slope = law.slope * 101 // 200 * 2
    return TwoPoint(size, (ONE - slope * (size - 1)) // 2, slope)


def pm_keeping_more(size: int, level: int) -> Window:
    law = pm(size, level)
    return replace(law, keep=law.keep * 101 // 100)


def hm_with_a_window_that_keeps_more(size: int, level: int) -> Hybrid:
    return replace(hm(size, level), window=pm_keeping_more(size, level))


@pytest.mark.parametrize(
    "wrong", [duchi_one_percent_steeper, pm_keeping_more, hm_with_a_window_that_keeps_more]
)
def test_a_law_one_percent_less_private_is_caught(wrong: NumberMechanism) -> None:
    with pytest.raises(AssertionError):
        privacy_loss_is_at_most_the_level(wrong, 3, 1000)


@pytest.mark.parametrize("name", ALL)
def test_a_law_at_a_level_one_percent_off_is_caught(name: str) -> None:
    with pytest.raises(AssertionError):
        privacy_loss_is_at_most_the_level(lambda k, v: ALL[name](k, v * 101 // 100), 5, 1000)
    with pytest.raises(AssertionError):
        privacy_loss_nearly_reaches_the_level(lambda k, v: ALL[name](k, v * 99 // 100), 5, 1000)


@dataclass(frozen=True)
class Spoilt(OneStage):
    """Another law with a sampler whose coins are off, or a decoding that is."""

    law: NumberLaw
    coins: bool = False

    @property
    def size(self) -> int:
        return self.law.size

    @property
    def n_bytes(self) -> int:
        return self.law.n_bytes

    @property
    def n_outputs(self) -> int:
        return self.law.n_outputs

    @property
    def ratio(self) -> Fraction:
        return self.law.ratio

    @property
    def pieces(self) -> tuple[Piece, ...]:
        *others, last = self.law.pieces
        return (*others, replace(last, origin=last.origin + Fraction(1, 1000)))

    def perturb(self, code: int, source: Source) -> int:
        return self.law.perturb(code, HeavyCoins(source) if self.coins else source)

    def probability(self, y: int, code: int) -> Fraction:
        return self.law.probability(y, code)

    def variance(self, code: int) -> Fraction:
        return self.law.variance(code) * Fraction(999, 1000)

    @property
    def form(self) -> Form:
        return self.law.form


@dataclass(frozen=True)
class HeavyCoins:
    source: Source

    def below(self, n: int) -> int:
        return min(self.source.below(n) + 1, n - 1)

    def coin(self, heads: int) -> bool:
        return self.source.coin(heads if heads == ONE // 2 else heads * 99 // 100)


@pytest.mark.parametrize("name", NUMBERS)
def test_draws_that_are_off_are_caught(name: str) -> None:
    with pytest.raises(AssertionError):
        numbers.sampler_is_the_law(lambda k, level: Spoilt(NUMBERS[name](k, level), True), 3, 700)


@pytest.mark.parametrize("name", [name for name in ALL if name != "laplace"])
def test_decoding_and_variance_a_thousandth_off_are_caught(name: str) -> None:
    for check in (numbers.decoding_is_unbiased, numbers.variance_is_what_enumeration_finds):
        with pytest.raises(AssertionError):
            check(lambda k, level: Spoilt(ALL[name](k, level)), 3, 1000)


def test_the_numbers_between_two_cuts_are_not_taken_for_granted() -> None:
    """A table drawn one too low is seen at the first number of a part, one too high at the last."""

    class Low(Table):
        def perturb(self, code: int, source: Source) -> int:
            return Table(self.size, self.weights).perturb(code, Moved(source, -1))

    class High(Table):
        def perturb(self, code: int, source: Source) -> int:
            return Table(self.size, self.weights).perturb(code, Moved(source, 1))

    with pytest.raises(AssertionError):
        numbers.sampler_is_the_law(lambda k, level: Low(k, optimal_weights(level)), 3, 1000)
    with pytest.raises(AssertionError):
        numbers.sampler_is_the_law(lambda k, level: High(k, optimal_weights(level)), 3, 1000)


@dataclass(frozen=True)
class Moved:
    source: Source
    by: int

    def below(self, n: int) -> int:
        return min(max(self.source.below(n) + self.by, 0), n - 1)

    def coin(self, heads: int) -> bool:
        return self.source.coin(heads)
