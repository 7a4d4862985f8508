"""Mechanisms in two stages keep every check, one report alone as well as all of them."""

import itertools
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from discretion.mechanism import STAGED, Lasting, Stages, SupportLaw
from discretion.mechanism.hashing import prime_from
from discretion.mechanism.law import Mechanism
from discretion.mechanism.staged import WHOLE, staged_hashed
from discretion.randomness import Source
from tests.cases import for_each
from tests.contract import conformance
from tests.contract.conformance import LEVELS, Check
from tests.contract.enumeration import distribution
from tests.contract.exponential import exp_lower, exp_upper
from tests.contract.test_mechanisms import Biased

SIZES = (2, 3, 5)
PARTS = (1, 300, 999)  # of the level, in thousandths
BUCKETS = 3
ONE_REPORT: tuple[Check, ...] = (
    conformance.law_is_normalised,
    conformance.sampler_is_the_law,
    conformance.inclusion_is_what_enumeration_finds,
    conformance.score_is_unbiased,
    conformance.possible_is_what_has_a_positive_probability,
    conformance.width_is_the_same_at_every_level_and_holds_every_output,
    conformance.law_names_a_group,
)


def mechanism_of(name: str, first: int = WHOLE // 2) -> Mechanism:
    """Return the law of what a round sends, of which one report alone may spend a part.

    Answers are hashed by so few functions that every output can be looked at.
    """
    if name == "loloha":
        return lambda size, level: _hashed(size, level, Stages(first, BUCKETS))
    return lambda size, level: STAGED[name](size, level, Stages(first))


def _hashed(size: int, level: int, stages: Stages) -> SupportLaw:
    few = Lasting(prime_from(max(size, BUCKETS)), BUCKETS, BUCKETS)
    return staged_hashed(size, level, stages, few)


def kept_by(name: str) -> Mechanism:
    """Return the law of what is kept."""
    return lambda size, level: mechanism_of(name)(size, level).permanent  # type: ignore[return-value]


def apart(law: SupportLaw) -> int:
    """Return a cohort in which codes 0 and 1 do not share a response."""
    return next(
        c
        for c in range(law.cohorts)
        if law.alike(0, c) is None or law.alike(0, c) != law.alike(1, c)
    )


@for_each("name", STAGED)
def test_what_is_kept_passes_every_check(name: str) -> None:
    for size, level, check in itertools.product(SIZES, LEVELS, conformance.EXACT):
        check(kept_by(name), size, level)


@for_each("name", STAGED)
def test_one_report_alone_passes_every_check(name: str) -> None:
    for size, level, check in itertools.product(SIZES, LEVELS[1:], ONE_REPORT):
        check(mechanism_of(name), size, level)


@for_each("name", STAGED)
def test_one_report_spends_its_part_of_the_level_and_wastes_none(name: str) -> None:
    """For two values and for more: published second stages leave some of it beyond two."""
    for size, level, part in itertools.product(SIZES, LEVELS[1:], PARTS):
        law = mechanism_of(name, part)(size, level)
        spent = Fraction(level * part, 1000 * WHOLE)
        assert law.lift == conformance.largest_ratio(law)
        assert law.lift <= exp_lower(spent), law
        assert law.lift >= exp_upper(spent * (1 - conformance.WASTE)), law


@for_each("name", STAGED)
def test_the_likelihood_is_that_of_the_support(name: str) -> None:
    for size in SIZES:
        law = mechanism_of(name)(size, 1000)
        more, once = law.lift.as_integer_ratio()
        listed = zip(conformance.supports(law), conformance.listing(law).columns, strict=True)
        for held, probabilities in listed:
            weights = [more if held >> code & 1 else once for code in range(size)]
            for a, b in itertools.combinations(range(size), 2):
                assert probabilities[a] * weights[b] == probabilities[b] * weights[a]


@for_each("name", STAGED)
def test_the_second_stage_bounds_what_a_round_sends_of_any_two_kept_answers(name: str) -> None:
    for size in SIZES[:2]:
        law = mechanism_of(name)(size, 2000)
        kept = distribution(partial(law.respond, 0, cohort=apart(law)))
        sent = [distribution(partial(law.send, each)) for each in kept]
        ratios = [max(row[y] for row in sent) / min(row[y] for row in sent) for y in sent[0]]
        assert max(ratios) == law.instant_ratio


@for_each("name", STAGED)
def test_all_that_is_sent_about_an_answer_is_bounded_by_what_is_kept(name: str) -> None:
    """Of two rounds together, over all pairs of reports."""
    law = mechanism_of(name)(2, 1500)

    def twice(code: int, source: Source) -> tuple[int, int]:
        kept = law.respond(code, source, apart(law))
        return law.send(kept, source), law.send(kept, source)

    one, other = (distribution(partial(twice, code)) for code in range(2))
    worst = max(max(one[y] / other[y], other[y] / one[y]) for y in one)
    assert law.lift < worst < law.ratio


def test_a_second_stage_that_keeps_one_percent_more_is_caught() -> None:
    for name in STAGED:
        law: Any = mechanism_of(name)(3, 1000)
        wrong: SupportLaw = replace(law, again=law.again * 101 // 100)
        assert conformance.largest_ratio(wrong) > exp_upper(Fraction(1, 2))


@for_each("name", STAGED)
def test_coins_one_percent_off_are_caught(name: str) -> None:
    with pytest.raises(AssertionError):
        conformance.sampler_is_the_law(
            lambda size, level: Biased(mechanism_of(name)(size, level)), 3, 1000
        )


@for_each("name", STAGED)
def test_words_and_crowds_follow_the_law(name: str) -> None:
    conformance.words_follow_the_law(mechanism_of(name, 900), 5, 2500)
    conformance.crowd_follows_the_law(mechanism_of(name, 900), 5, 2500)
