"""Histograms with noise keep what every mechanism does, and what coded ones do."""

import itertools
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from discretion.mechanism import Encoding, Histogram
from discretion.mechanism.histogram import DEPTH, she
from discretion.mechanism.matrix import WHOLE
from discretion.mechanism.unary import sue
from tests.cases import for_each
from tests.contract import conformance
from tests.contract.conformance import LEVELS, AnyMechanism, Check, largest_ratio, row
from tests.contract.enumeration import between_cuts, distribution
from tests.contract.exponential import exp_upper

ROUNDING = Fraction(1, 1 << 40)  # of weights over 2^62, the smallest of which have 2^43
CHECKS: tuple[Check, ...] = (
    conformance.law_is_normalised,
    conformance.privacy_loss_is_at_most_the_level,
    conformance.privacy_loss_nearly_reaches_the_level,
    conformance.stated_ratio_is_the_largest,
    conformance.possible_is_what_has_a_positive_probability,
    conformance.width_is_the_same_at_every_level_and_holds_every_output,
    conformance.law_names_a_group,
)
CASES = [(2, DEPTH), (2, 2), (3, 2), (5, 2)]  # so small that every output can be looked at


def digits_of(depth: int) -> AnyMechanism:
    """Return a mechanism of size and level with so many bits a digit."""

    def mechanism(size: int, level: int) -> Histogram:
        return she(Encoding(size, 1, size, depth=depth), level)

    return mechanism


def law_of(size: int, depth: int, level: int) -> Histogram:
    return she(Encoding(size, 1, size, depth=depth), level)


def digit(law: Histogram, y: int, code: int) -> int:
    return y >> law.encoding.depth * code & law.encoding.top


@for_each("level", LEVELS)
@for_each("size, depth", CASES)
def test_it_passes(size: int, depth: int, level: int) -> None:
    for check in CHECKS:
        check(digits_of(depth), size, level)  # type: ignore[arg-type]


@for_each("level", LEVELS)
@for_each("size, depth", [(2, DEPTH), (3, 2)])
def test_the_sampler_is_the_law(size: int, depth: int, level: int) -> None:
    """Every number that is drawn, up to where a digit changes: no tolerance."""
    law = law_of(size, depth, level)
    walk = between_cuts([law.weights, law.weights[::-1]], WHOLE)
    for code in range(size):
        assert distribution(partial(law.perturb, code), walk) == row(law, code)


@pytest.mark.parametrize("level", [250, 1000, 3500])
@pytest.mark.parametrize("size, depth", [(2, DEPTH), (5, 2)])
def test_it_samples(size: int, depth: int, level: int) -> None:
    conformance.words_follow_the_law(digits_of(depth), size, level)
    conformance.crowd_follows_the_law(digits_of(depth), size, level)


@for_each("level", LEVELS)
@for_each("size, depth", CASES)
def test_means_and_variances_are_what_enumeration_finds(size: int, depth: int, level: int) -> None:
    """So the linear decoder is right on average, exactly."""
    law = law_of(size, depth, level)
    for x, v in itertools.product(range(size), repeat=2):
        shown = [(Fraction(digit(law, y, v), law.encoding.top), p) for y, p in row(law, x).items()]
        mean = sum((t * p for t, p in shown), Fraction())
        assert mean == law.means[v != x]
        assert sum((t**2 * p for t, p in shown), Fraction()) - mean**2 == law.variances[v != x]


@for_each("level", LEVELS)
@for_each("size, depth", CASES)
def test_likelihood_is_the_lift_to_the_quantised_bit(size: int, depth: int, level: int) -> None:
    """Each step of a quantised bit has the same lift, but for rounding."""
    law = law_of(size, depth, level)
    top = law.encoding.top
    for y in law.outputs():
        probabilities = [law.probability(y, code) for code in range(size)]
        for a, b in itertools.combinations(range(size), 2):
            apart = digit(law, y, a) - digit(law, y, b)
            exact, stated = (probabilities[a] / probabilities[b]) ** top, law.lift**apart
            assert abs(exact / stated - 1) < 2 * top * ROUNDING


@pytest.mark.parametrize("level", [250, 1000, 8000])
def test_digits_between_have_geometric_weights(level: int) -> None:
    weights = law_of(2, DEPTH, level).weights
    step = float(exp_upper(Fraction(level, 2000 * (len(weights) - 1))))
    for one, other in itertools.pairwise(weights[1:-1]):
        assert one / other == pytest.approx(step, rel=1e-9)
    assert weights[1] / weights[0] == pytest.approx(1 / step * (1 - 1 / step), rel=1e-9)
    assert weights[-1] / weights[-2] == pytest.approx(1 / (step - 1), rel=1e-9)
    assert sum(weights) == WHOLE


@for_each("level", LEVELS)
@for_each("size", [2, 3, 6])
def test_digits_of_one_bit_are_symmetric_unary_encoding(size: int, level: int) -> None:
    """And finer ones are never better: each is a digit drawn from such a bit."""
    bits, unary = law_of(size, 1, level), sue(size, level)
    assert bits.weights[0] == unary.true >> 2
    constants = [law_of(size, depth, level).variances[1] for depth in (1, 2, DEPTH)]
    gaps = [law_of(size, depth, level).means for depth in (1, 2, DEPTH)]
    costs = [v / (p - q) ** 2 for v, (p, q) in zip(constants, gaps, strict=True)]
    assert costs == sorted(costs)


def test_a_law_one_percent_less_private_is_caught() -> None:
    def wrong(size: int, level: int) -> Histogram:
        law = law_of(size, 2, level)
        first, *between, last = law.weights
        return replace(law, weights=(first + last // 100, *between, last - last // 100))

    with pytest.raises(AssertionError):
        conformance.privacy_loss_is_at_most_the_level(wrong, 3, 1000)
    assert largest_ratio(wrong(3, 1000)) > largest_ratio(law_of(3, 2, 1000))
