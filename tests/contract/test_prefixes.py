"""Groups of prefixes keep what every law keeps, and a wrong one is caught."""

from functools import partial

import pytest

from discretion.mechanism import Parities, Prefixes
from discretion.mechanism.hashed import best_rows, hashed
from discretion.mechanism.hashing import WORD
from discretion.mechanism.layered import WHOLE
from discretion.mechanism.prefixes import MOST_ROWS, prefixes
from discretion.randomness import Source
from tests.cases import for_each
from tests.contract import conformance
from tests.contract.conformance import LEVELS, AnyCheck, AnyMechanism, row
from tests.contract.enumeration import between_cuts, distribution

CHECKS: tuple[AnyCheck, ...] = (
    conformance.law_is_normalised,
    conformance.privacy_loss_is_at_most_the_level,
    conformance.privacy_loss_nearly_reaches_the_level,
    conformance.stated_ratio_is_the_largest,
    conformance.possible_is_what_has_a_positive_probability,
    conformance.width_is_the_same_at_every_level_and_holds_every_output,
    conformance.law_names_a_group,
)
FEW, SIZE = 2, 8  # rows, so that all outputs can be listed, and codes of three bits


def small(_: int, level: int, most: int = FEW) -> Prefixes:
    """Groups of one bit and of three, with so few rows that all outputs are listed."""
    rows = best_rows(level, FEW)
    laws = (hashed(1 << bits, level, Parities(bits, rows, most)) for bits in (1, 3))
    return Prefixes((1, 3), tuple(laws))


def wide(size: int, level: int) -> Prefixes:
    """The same with room for more than a word, which crowds draw in another way."""
    made = small(size, level, WORD)
    assert made.laws[0].form.n_bits
    return made


MADE: dict[str, AnyMechanism] = {"small": small, "wide": wide}


@for_each("level", LEVELS)
def test_prefixes_pass(level: int) -> None:
    for check in CHECKS:
        check(small, SIZE, level)


@for_each("level", LEVELS)
def test_every_path_of_random_choices_leads_to_the_law(level: int) -> None:
    law = small(SIZE, level)
    walk = between_cuts([law.weights], WHOLE)
    for code in range(law.size):
        assert distribution(partial(law.perturb, code), walk) == row(law, code)


@for_each("name", MADE)
def test_words_and_crowds_follow_the_law(name: str) -> None:
    conformance.words_follow_the_law(MADE[name], SIZE, 1000)
    conformance.crowd_follows_the_law(MADE[name], SIZE, 1000)


class LastBits(Prefixes):
    """Reports the last bits of a code in place of its first."""

    __slots__ = ()

    def perturb(self, code: int, source: Source) -> int:
        return Prefixes.perturb(self, int(f"{code:03b}"[::-1], 2), source)


def test_wrong_bits_and_a_larger_coin_are_caught() -> None:
    right = small(SIZE, 1000)
    walk = between_cuts([right.weights], WHOLE)
    wrong = LastBits(right.groups, right.laws)
    assert distribution(partial(wrong.perturb, 0b001), walk) != row(right, 0b001)
    heavy = Prefixes(right.groups, (right.laws[0], small(SIZE, 1010).laws[1]))
    assert conformance.largest_ratio(heavy) > right.ratio
    with pytest.raises(AssertionError):
        conformance.privacy_loss_is_at_most_the_level(lambda *_: heavy, SIZE, 1000)


@for_each("level, rows", [(1, 1), (500, 1), (1000, 2), (2000, 3), (4000, 6), (20_000, MOST_ROWS)])
def test_parities_are_as_many_as_are_best_and_reports_have_one_length(
    level: int, rows: int
) -> None:
    law = prefixes((22, 36, 48, 60), level)
    assert {own.hashing.n_buckets for own in law.laws} == {1 << rows}
    assert law.n_bytes == -(-61 * MOST_ROWS // 8) + 1
    assert law.form.inner[-1].n_bits == 61 * rows
    assert sum(law.weights) == WHOLE
    assert max(law.weights) - min(law.weights) < len(law.groups)


def test_a_group_says_nothing_beyond_its_bits() -> None:
    law = small(SIZE, 1000)
    shallow = [y for y in law.outputs() if not y >> 8 * law.inner_bytes]
    assert all(law.probability(y, 0b100) == law.probability(y, 0b111) for y in shallow)
    assert any(law.probability(y, 0b100) != law.probability(y, 0b011) for y in shallow)
