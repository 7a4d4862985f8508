"""The law of sets, by enumeration: all sets of up to eight codes, blanks included."""

import random
from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import combinations, product

import pytest

from discretion.mechanism.cover import Cover, among_others, cover, members
from discretion.mechanism.odds import odds
from discretion.randomness import ONE, ByteSource
from tests.cases import for_each
from tests.contract.enumeration import distribution
from tests.contract.exponential import exp_lower, exp_upper
from tests.significance import ALPHA, p_value

CODES = 8  # items and blanks
SHAPES = [(n, k) for n in range(2, CODES) for k in range(1, min(n, CODES - n) + 1)]
LEVELS = (1, 1000, 4000)
WASTE = 1 - Fraction(1, 2**40)  # of the ratio, to rounding
DRAWS = 20_000
SEED = 20270118


def rows(law: Cover) -> list[dict[int, Fraction]]:
    """Return P(y | set) by set and report."""
    outputs = list(law.outputs())
    return [{y: law.probability(y, code) for y in outputs} for code in range(law.size)]


@for_each("shape", SHAPES)
@pytest.mark.parametrize("level", LEVELS)
def test_any_two_sets_are_told_apart_by_the_level_and_no_more(
    shape: tuple[int, int], level: int
) -> None:
    law = cover(*shape, level)
    found = rows(law)
    assert {sum(row.values()) for row in found} == {1}
    columns = list(zip(*(row.values() for row in found), strict=True))
    ratio = max(max(column) / min(column) for column in columns)
    allowed = Fraction(level, 1000)
    assert ratio == law.ratio
    assert exp_upper(allowed) * WASTE <= ratio <= exp_lower(allowed)


@for_each("shape", SHAPES)
def test_the_sampler_is_the_law_for_every_set(shape: tuple[int, int]) -> None:
    law = cover(*shape, 1000)
    for code, row in enumerate(rows(law)):
        assert distribution(partial(law.perturb, code)) == row, (law, code)


@for_each("shape", SHAPES)
def test_a_report_depends_on_a_code_through_its_being_in_the_set(shape: tuple[int, int]) -> None:
    """One code and every pair; of a set above the length, the part that is drawn counts."""
    law = cover(*shape, 1000)
    for code, row in enumerate(rows(law)):
        sure = min(Fraction(1), Fraction(law.length, max(1, code.bit_count())))
        for item in range(law.items):
            seen = sum(p for y, p in row.items() if y >> item & 1)
            held = sure * (code >> item & 1)
            assert seen == law.other + held * (law.own - law.other)
        if code.bit_count() <= law.length:
            _check_pairs(law, code, row)


def _check_pairs(law: Cover, code: int, row: dict[int, Fraction]) -> None:
    for pair in combinations(range(law.items), 2):
        held = tuple(bool(code >> item & 1) for item in pair)
        for reported in product((False, True), repeat=2):
            seen = (y for y in row if tuple(bool(y >> item & 1) for item in pair) == reported)
            assert law.pattern(held, reported) == sum(row[y] for y in seen)


@for_each("shape", SHAPES)
def test_blanks_have_the_distribution_of_sizes(shape: tuple[int, int]) -> None:
    law = cover(*shape, 1000)
    for code, row in enumerate(rows(law)):
        for blank in range(1, law.length + 1):
            seen = sum(p for y, p in row.items() if y >> law.items + blank - 1 & 1)
            assert seen == (law.own if code.bit_count() < blank else law.other)


@for_each("items", [2, 5, 17, 64, 300])
@pytest.mark.parametrize("level", [1, 500, 1000, 3000, 8000, 20_000])
def test_no_other_number_of_codes_has_less_variance(items: int, level: int) -> None:
    for length in {1, 2, min(items, 8)}:
        chosen = cover(items, length, level)
        costs = [
            variance(Cover(items, length, k, _keep(items, length, k, level)))
            for k in range(1, items + 1)
        ]
        least = min(costs)
        assert costs[chosen.count - 1] <= least * (1 + 1e-9), (chosen, costs.index(least) + 1)


def variance(law: Cover) -> float:
    """Return the variance of a share that is rare, from one report."""
    p, q = law.own, law.other
    return float(q * (1 - q) / (p - q) ** 2) if p > q else float("inf")


def _keep(items: int, length: int, count: int, level: int) -> int:
    law, top = Cover(items, length, count, 0), odds(level)
    return ONE * top * law.hits // (top * law.hits + ONE * law.misses)


def test_words_follow_the_law_and_another_level_would_be_noticed() -> None:
    law, wrong = cover(6, 2, 1000), cover(6, 2, 2000)
    source = ByteSource(random.Random(SEED).randbytes)
    for code in (0, 0b101, 0b111101):
        seen = Counter(law.perturb(code, source) for _ in range(DRAWS))
        outputs = list(law.outputs())
        good = p_value(seen, {y: law.probability(y, code) for y in outputs})
        off = Cover(6, 2, law.count, wrong.keep)
        bad = p_value(seen, {y: off.probability(y, code) for y in outputs})
        assert good > ALPHA > bad, f"n={DRAWS}, p={good} and {bad}, seed={SEED}, {law}, {code:b}"


def test_large_sets_are_drawn_as_they_are_counted() -> None:
    """Too many outputs to list: the number of codes, and how often a report meets the set."""
    law = cover(4096, 64, 1000)
    source = ByteSource(random.Random(SEED).randbytes)
    code, met = (1 << 64) - 1, 0
    for _ in range(2000):
        y = law.perturb(code, source)
        assert y.bit_count() == law.count
        assert law.form.admits(y)
        met += bool(y & code)
    chance = law.keep / ONE
    assert abs(met / 2000 - chance) < 6 * (chance * (1 - chance) / 2000) ** 0.5, f"seed={SEED}"


def test_places_among_others_skip_what_is_held() -> None:
    assert members(0b1011) == [0, 1, 3]
    for held in ([], [0], [0, 1, 3], [4, 5], [2]):
        rest = [code for code in range(6) if code not in held]
        for places in ({0}, {1, 2}, set(range(len(rest)))):
            few = {place for place in places if place < len(rest)}
            assert among_others(held, few) == {rest[place] for place in few}
