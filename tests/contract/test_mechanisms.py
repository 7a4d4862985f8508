"""Every registered mechanism keeps every check, and a wrong one is caught."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import pytest

from discretion.mechanism import MECHANISMS, Choice, Form, SupportLaw, Unary
from discretion.mechanism.choice import grr
from discretion.mechanism.form import Inclusion
from discretion.mechanism.law import Mechanism
from discretion.mechanism.shape import OneStage
from discretion.mechanism.unary import oue
from discretion.randomness import ONE, Source
from tests.cases import for_each
from tests.contract import conformance
from tests.contract.conformance import EXACT, LEVELS, SAMPLED, Check, sampled
from tests.mechanisms import SMALL, THRIFTY

SIZES = (2, 3, 5, 6)


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_registered_mechanism_passes(name: str) -> None:
    for size, level, check in itertools.product(SIZES, LEVELS, EXACT):
        if name in THRIFTY and check is conformance.privacy_loss_nearly_reaches_the_level:
            with pytest.raises(AssertionError):
                check(SMALL[name], size, level)
        else:
            check(SMALL[name], size, level)


@pytest.mark.parametrize("check, size, level", sampled(SAMPLED, [(6, 250), (2, 1000), (6, 3500)]))
@pytest.mark.parametrize("name", MECHANISMS)
def test_a_registered_mechanism_samples(name: str, check: Check, size: int, level: int) -> None:
    check(SMALL[name], size, level)


def grr_keeping_more(size: int, level: int) -> Choice:
    return Choice(size, grr(size, level).keep * 101 // 100)


def grr_keeping_less(size: int, level: int) -> Choice:
    return Choice(size, grr(size, level).keep * 99 // 100)


def oue_with_fewer_false_bits(size: int, level: int) -> Unary:
    law = oue(size, level)
    return Unary(size, law.true, law.false * 99 // 100)


def oue_with_more_false_bits(size: int, level: int) -> Unary:
    law = oue(size, level)
    return Unary(size, law.true, law.false * 101 // 100)


@pytest.mark.parametrize("wrong", [grr_keeping_more, oue_with_fewer_false_bits])
def test_a_law_one_percent_less_private_is_caught(wrong: Mechanism) -> None:
    with pytest.raises(AssertionError):
        conformance.privacy_loss_is_at_most_the_level(wrong, 3, 1000)


@pytest.mark.parametrize("wrong", [grr_keeping_less, oue_with_more_false_bits])
def test_a_law_one_percent_more_private_is_caught(wrong: Mechanism) -> None:
    with pytest.raises(AssertionError):
        conformance.privacy_loss_nearly_reaches_the_level(wrong, 3, 1000)


@for_each("name", [name for name in MECHANISMS if name not in THRIFTY])
def test_a_registered_law_at_a_level_one_percent_higher_is_caught(name: str) -> None:
    with pytest.raises(AssertionError):
        conformance.privacy_loss_is_at_most_the_level(
            lambda size, level: SMALL[name](size, level * 101 // 100), 5, 1000
        )


class Careless(Choice):
    """States one probability and keeps with another."""

    def perturb(self, code: int, source: Source) -> int:
        return Choice(self.size, self.keep * 99 // 100).perturb(code, source)


def test_a_sampler_that_keeps_one_percent_less_than_stated_is_caught() -> None:
    with pytest.raises(AssertionError):
        conformance.sampler_is_the_law(lambda k, level: Careless(k, grr(k, level).keep), 3, 1000)


@dataclass(frozen=True)
class Biased(OneStage):
    """Another law's words with a sampler whose every coin is one percent off."""

    law: SupportLaw

    @property
    def size(self) -> int:
        return self.law.size

    @property
    def n_bytes(self) -> int:
        return self.law.n_bytes

    @property
    def ratio(self) -> Fraction:
        return self.law.ratio

    @property
    def inclusion(self) -> Inclusion:
        return self.law.inclusion

    def perturb(self, code: int, source: Source) -> int:
        return self.law.perturb(code, BiasedCoins(source))

    def probability(self, y: int, code: int) -> Fraction:
        return self.law.probability(y, code)

    @property
    def form(self) -> Form:
        return self.law.form

    @property
    def random_bytes(self) -> Fraction:
        return self.law.random_bytes

    def support(self, y: int) -> int:
        return self.law.support(y)


@dataclass(frozen=True)
class BiasedCoins:
    source: Source

    def below(self, n: int) -> int:
        return self.source.below(n)

    def coin(self, heads: int) -> bool:
        return self.source.coin(heads * 99 // 100)


@pytest.mark.parametrize("name", MECHANISMS)
def test_coins_one_percent_off_are_caught_in_every_registered_mechanism(name: str) -> None:
    with pytest.raises(AssertionError):
        conformance.sampler_is_the_law(lambda k, level: Biased(SMALL[name](k, level)), 3, 1000)


def test_a_support_that_leaves_out_the_true_code_is_caught() -> None:
    class Shifted(Choice):
        def support(self, y: int) -> int:
            return 1 << (y + 1) % self.size

    def shifted(size: int, level: int) -> SupportLaw:
        return Shifted(size, grr(size, level).keep)

    for check in (
        conformance.likelihood_is_that_of_the_support,
        conformance.inclusion_is_what_enumeration_finds,
        conformance.score_is_unbiased,
    ):
        with pytest.raises(AssertionError):
            check(shifted, 3, 1000)


def test_a_law_that_forgets_an_output_is_caught() -> None:
    class Forgetful(Choice):
        def outputs(self) -> Iterator[int]:
            yield from range(self.size - 1)

    def forgetful(size: int, level: int) -> SupportLaw:
        return Forgetful(size, grr(size, level).keep)

    for check in (
        conformance.law_is_normalised,
        conformance.possible_is_what_has_a_positive_probability,
    ):
        with pytest.raises(AssertionError):
            check(forgetful, 3, 1000)


def test_a_law_that_always_keeps_is_caught() -> None:
    with pytest.raises(AssertionError, match="an output that a code never gives"):
        conformance.privacy_loss_is_at_most_the_level(lambda k, _: Choice(k, ONE), 3, 1000)
