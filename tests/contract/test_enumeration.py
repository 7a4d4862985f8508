"""The enumerator, on samplers whose distribution is known by hand."""

from fractions import Fraction

from discretion.randomness import ONE, Source
from tests.contract.enumeration import distribution


def test_a_sampler_that_draws_nothing_has_one_outcome() -> None:
    assert distribution(lambda _: "always") == {"always": 1}


def test_draws_below_n_are_uniform() -> None:
    assert distribution(lambda source: source.below(3)) == dict.fromkeys(range(3), Fraction(1, 3))


def test_a_coin_lands_heads_with_its_probability() -> None:
    assert distribution(lambda source: source.coin(ONE // 4)) == {
        True: Fraction(1, 4),
        False: Fraction(3, 4),
    }


def test_what_cannot_happen_is_left_out() -> None:
    assert distribution(lambda source: source.coin(ONE)) == {True: 1}


def test_later_draws_may_depend_on_earlier_ones() -> None:
    def draw(source: Source) -> int:
        return source.below(2) + source.below(3) if source.coin(ONE // 2) else 9

    assert distribution(draw) == {
        0: Fraction(1, 12),
        1: Fraction(2, 12),
        2: Fraction(2, 12),
        3: Fraction(1, 12),
        9: Fraction(1, 2),
    }
