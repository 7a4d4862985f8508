"""The law of sets of texts: that of cover for the cells of each cohort, by enumeration."""

from fractions import Fraction
from functools import partial
from itertools import combinations

import pytest

from discretion.mechanism import Encoding
from discretion.mechanism.hashed_cover import HashedCover, hashed_cover
from discretion.mechanism.sketch import bucket
from discretion.randomness import Source
from discretion.schema.item_set import packed, unpacked
from discretion.schema.text import FINGERPRINTS, fingerprint
from tests.cases import for_each
from tests.contract.enumeration import distribution
from tests.contract.exponential import exp_lower, exp_upper

SHAPES = [(4, 1), (4, 2), (5, 2), (3, 3), (6, 1)]  # cells and length: of eight codes at most
COHORTS = 2
TEXTS = [fingerprint(f"text {i}") for i in range(5)]
SETS = [own for size in range(len(TEXTS) + 1) for own in combinations(TEXTS, size)]
WASTE = 1 - Fraction(1, 2**40)


def law_of(cells: int, length: int, level: int = 1000) -> HashedCover:
    return hashed_cover(Encoding(FINGERPRINTS, 1, cells, COHORTS), length, level)


def cells_in(cohort: int, texts: tuple[int, ...], cells: int) -> set[int]:
    return {bucket(cohort, text, cells) for text in texts}


@for_each("shape", SHAPES)
@pytest.mark.parametrize("level", [1, 1000, 4000])
def test_any_two_sets_are_told_apart_by_the_level_and_no_more(
    shape: tuple[int, int], level: int
) -> None:
    law = law_of(*shape, level)
    outputs = list(law.outputs())
    rows = [[law.probability(y, packed(own)) for y in outputs] for own in SETS]
    assert {sum(row) for row in rows} == {1}
    ratio = max(max(column) / min(column) for column in zip(*rows, strict=True))
    assert ratio == law.ratio
    allowed = Fraction(level, 1000)
    assert exp_upper(allowed) * WASTE <= ratio <= exp_lower(allowed)


@for_each("shape", [(4, 2), (3, 3)])
def test_the_sampler_is_the_law_in_every_cohort(shape: tuple[int, int]) -> None:
    law = law_of(*shape)
    for own in SETS[::3]:
        code = packed(own)
        row = {y: p for y in law.outputs() if (p := law.probability(y, code))}
        assert distribution(partial(law.perturb, code)) == row, (law, own)


@for_each("shape", [(4, 2), (5, 2)])
def test_a_member_has_the_same_channel_however_its_cells_collide(shape: tuple[int, int]) -> None:
    """Of another text it is that of whether one of the owner's own has its cell."""
    law, (cells, length) = law_of(*shape), shape
    for own in SETS:
        for cohort in range(COHORTS):
            held = cells_in(cohort, own, cells)
            sure = min(Fraction(1), Fraction(length, max(1, len(held))))
            for text in TEXTS:
                cell = bucket(cohort, text, cells)
                seen = sum(
                    law.probability(cohort << law.cover.n_codes | y, packed(own))
                    for y in law.cover.outputs()
                    if y >> cell & 1
                )
                gap = law.cover.own - law.cover.other
                there = sure if cell in held else 0
                assert seen * COHORTS == law.cover.other + there * gap


def test_a_report_has_the_cohort_above_its_codes() -> None:
    law = hashed_cover(Encoding(FINGERPRINTS, 1, 1024, 64), 16, 2000)
    assert law.n_bytes == 131
    assert not law.form.admits(64 << 1040 | (1 << law.cover.count) - 1)
    assert law.probability(64 << 1040, packed([])) == 0

    class Last(Source):
        def below(self, n: int) -> int:
            return n - 1

        def coin(self, heads: int) -> bool:
            return heads > 0

    y = law.respond(packed(TEXTS), Last(), 63)
    assert y >> 1040 == 63
    assert law.form.admits(y)


def test_sets_are_packed_and_unpacked_whatever_is_in_them() -> None:
    for own in ((), (0,), (0, 0, 1), (FINGERPRINTS - 1,), (1, FINGERPRINTS - 1, 0)):
        assert tuple(unpacked(packed(own))) == own
    many = tuple(range(100_000))
    assert tuple(unpacked(packed(many))) == many
