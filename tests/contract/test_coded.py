"""Coded mechanisms keep every check, and wrong ones are caught."""

import itertools
from dataclasses import dataclass
from fractions import Fraction

import pytest

from discretion.mechanism import Bloom, Encoding
from discretion.mechanism.bloom import bloom
from discretion.mechanism.encoding import farthest
from discretion.mechanism.unary import sue
from discretion.randomness import ONE, Source
from tests.cases import for_each
from tests.contract import conformance
from tests.contract.coded import CODED, coded, law_of
from tests.contract.conformance import LEVELS, AnyMechanism, Check
from tests.contract.exponential import exp_lower, exp_upper
from tests.contract.test_mechanisms import BiasedCoins

MECHANISMS: dict[str, AnyMechanism] = {
    "bloom of one hash": coded(1, 6),
    "bloom of two hashes": coded(2, 6),
    "bloom of three hashes": coded(3, 5),
    "rappor": coded(1, 5, instant=True),
    "rappor of two hashes in cohorts": coded(2, 4, cohorts=2, instant=True),
    "crowded rappor": coded(1, 3, cohorts=3, instant=True),
}
ONE_STAGE = [name for name in MECHANISMS if name.startswith("bloom")]
SIZES = (2, 3, 5)
ANY: tuple[Check, ...] = (
    conformance.law_is_normalised,
    conformance.privacy_loss_is_at_most_the_level,
    conformance.sampler_is_the_law,
    conformance.possible_is_what_has_a_positive_probability,
    conformance.width_is_the_same_at_every_level_and_holds_every_output,
    conformance.law_names_a_group,
)


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_coded_mechanism_passes(name: str) -> None:
    for size, level, check in itertools.product(SIZES, LEVELS, (*ANY, *CODED)):
        check(MECHANISMS[name], size, level)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", MECHANISMS)
def test_words_that_share_no_bit_waste_no_budget(name: str) -> None:
    """And others waste what they share: the loss is in proportion to the bits that differ."""
    for size, level in itertools.product(SIZES, LEVELS):
        law = law_of(MECHANISMS[name], size, level)
        part = Fraction(farthest(law.encoding), law.encoding.hashes) * Fraction(level, 1000)
        assert law.ratio <= exp_lower(part), law
        assert law.ratio >= exp_upper(part * (1 - conformance.WASTE)), law


@pytest.mark.parametrize("level", [1000, 3500])
@pytest.mark.parametrize("name", ONE_STAGE)
def test_a_coded_mechanism_samples(name: str, level: int) -> None:
    conformance.words_follow_the_law(MECHANISMS[name], 5, level)
    conformance.crowd_follows_the_law(MECHANISMS[name], 5, level)


@pytest.mark.parametrize("name", [name for name in MECHANISMS if name not in ONE_STAGE])
def test_a_mechanism_of_two_stages_samples(name: str) -> None:
    """What is sent in a round tells so little that only strong levels are told apart."""
    conformance.words_follow_the_law(MECHANISMS[name], 5, 2500)
    conformance.crowd_follows_the_law(MECHANISMS[name], 5, 2500)


@for_each("level", LEVELS)
@for_each("size", SIZES)
def test_one_hash_and_a_bit_for_each_code_is_symmetric_unary_encoding(
    size: int, level: int
) -> None:
    law, unary = bloom(Encoding(size, 1, size), level), sue(size, level)
    assert (law.true, law.false, law.n_bytes) == (unary.true, unary.false, unary.n_bytes)
    for code in range(size):
        assert conformance.row(law, code) == conformance.row(unary, code)


def test_a_law_one_percent_less_private_is_caught() -> None:
    def wrong(size: int, level: int) -> Bloom:
        law = law_of(coded(2, 6), size, level)
        keep = law.true * 101 // 100
        return Bloom(law.encoding, keep, ONE - keep)

    with pytest.raises(AssertionError):
        conformance.privacy_loss_is_at_most_the_level(wrong, 3, 1000)


@dataclass(frozen=True)
class Careless(Bloom):
    """Draws with coins that are one percent off."""

    def perturb(self, code: int, source: Source) -> int:
        return super().perturb(code, BiasedCoins(source))


@pytest.mark.parametrize("name", MECHANISMS)
def test_coins_one_percent_off_are_caught(name: str) -> None:
    def careless(size: int, level: int) -> Careless:
        law = law_of(MECHANISMS[name], size, level)
        return Careless(law.encoding, law.true, law.false)

    with pytest.raises(AssertionError):
        conformance.sampler_is_the_law(careless, 3, 1000)
