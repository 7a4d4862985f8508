"""The exact part: every sound law passes, and every planted bug in a law or sampler is found."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import Any

import pytest

from discretion.auditing.enumeration import Enumerator, TooManyPaths, distribution
from discretion.auditing.exact import examine, measured
from discretion.auditing.exponential import loss, within
from discretion.auditing.measure import enumerated, is_small, structured
from discretion.auditing.subjects import registered
from discretion.auditing.twins import twin
from discretion.mechanism import STAGED, Encoding, Law, Table, Unary, law, number_law
from discretion.mechanism.bloom import bloom
from discretion.mechanism.halfspace import signs
from discretion.mechanism.odds import odds
from discretion.mechanism.unary import oue
from discretion.plan.optimal import optimal_weights
from discretion.plan.stages import plain_stages
from discretion.randomness import ONE, Source
from tests.cases import for_each
from tests.mechanisms import THRIFTY
from tests.unit.auditing.planted import CoarseCoin, OneWord, averaged, unary

LARGE: dict[str, Law] = {
    "grr": law("grr", 300, 1000),
    "sue": law("sue", 300, 1000),
    "oue": law("oue", 300, 1000),
    "subset": law("subset", 300, 1000),
    "pm": number_law("pm", 401, 1000),
    "sw": number_law("sw", 401, 1000),
    "hm": number_law("hm", 401, 1000),
    "hm at a small level": number_law("hm", 20_001, 250),
    "duchi": number_law("duchi", 20_001, 1000),
    "laplace": number_law("laplace", 401, 1000),
    "bloom": bloom(Encoding(100, 4, 128), 1000),
    "rappor": bloom(Encoding(100, 4, 128, 8, (750, 500)), 1000),
    "signs": signs(1024, 1000),
    "optimal": Table(2000, optimal_weights(1000)),
}


def level_of(law: Law) -> int:
    return 250 if law.size == 20_001 and law != LARGE["duchi"] else 1000


@pytest.mark.parametrize("level", [1, 250, 1000, 6000, 20_000])
def test_a_ratio_is_compared_with_e_to_the_level_exactly(level: int) -> None:
    below = Fraction(odds(level), ONE)
    assert within(below, level)
    assert not within(below + Fraction(1, ONE), level)


def test_ratios_of_long_records_are_compared_too() -> None:
    whole = Fraction(odds(20_000), ONE) ** 50
    assert within(whole, 1_000_000)
    assert not within(whole * Fraction(1_000_001, 1_000_000), 1_000_000)
    assert loss(whole) == pytest.approx(1000)
    assert within(Fraction(1), 0)
    assert not within(Fraction(3, 2), 0)
    assert loss(None) == inf


def test_a_word_that_is_compared_twice_is_one_word() -> None:
    def draw(source: Source) -> tuple[bool, bool]:
        word = source.below(ONE)
        return word < ONE // 4, word >= ONE // 2

    found = distribution(draw)
    assert found == {
        (True, False): Fraction(1, 4),
        (False, False): Fraction(1, 4),
        (False, True): Fraction(1, 2),
    }


def test_every_comparison_of_a_word_counts() -> None:
    found = distribution(lambda source: (source.below(ONE) <= 0, source.below(ONE) > ONE - 2))
    assert found[True, True] == Fraction(1, ONE**2)
    assert sum(found.values()) == 1


def test_a_draw_from_many_that_is_used_as_a_number_is_not_walked_through() -> None:
    with pytest.raises(TooManyPaths):
        distribution(lambda source: source.below(ONE) + 1)
    with pytest.raises(TooManyPaths):
        distribution(lambda source: [1][source.below(ONE)])
    with pytest.raises(TooManyPaths):
        distribution(lambda source: tuple(source.coin(ONE // 3) for _ in range(40)))
    assert Enumerator([]).below(1) == 0


@for_each("name", LARGE)
def test_the_structure_of_a_large_law_passes(name: str) -> None:
    own = LARGE[name]
    assert not is_small(own.permanent)
    for finding in examine(name, own, level_of(own)):
        assert finding.passes, finding
        assert finding.claim * (1 - 1e-6) < finding.loss < finding.claim * (1 + 1e-12)


@for_each("name", LARGE)
def test_the_structure_is_what_listing_finds_where_both_can_be_had(name: str) -> None:
    few = twin(LARGE[name].permanent)
    assert structured(few) == enumerated(few)


def test_every_registered_law_passes_exactly() -> None:
    for subject in registered():
        if subject.level != 1000 or subject.law.size >= 41 or subject.variant is not None:
            continue
        for finding in examine(*subject.claimed):
            assert finding.passes, finding
            assert finding.loss < finding.claim * (1 + 1e-12)
            if subject.name.partition(",")[0] not in THRIFTY:
                assert finding.claim * (1 - 1e-6) < finding.loss


@for_each("name", STAGED)
def test_a_second_stage_that_keeps_too_much_is_found(name: str) -> None:
    """What is kept is as promised, and so are draws; one report spends more than its part."""
    for size in (3, 300):
        law: Any = STAGED[name](size, 1000, plain_stages(name))
        assert all(finding.passes for finding in examine("it", law, 1000, first=500))
        wrong = replace(law, again=law.again * 101 // 100)
        kept, alone, drawn = examine("it", wrong, 1000, first=500)
        assert (kept.passes, alone.passes, drawn.passes) == (True, False, True)
        assert alone.loss > alone.claim == 0.5


def verdicts(law: Law, level: int) -> list[tuple[bool, float]]:
    return [(finding.passes, finding.loss) for finding in examine("it", law, level)]


@pytest.mark.parametrize("size", [4, 300])
def test_a_budget_off_by_five_per_cent_is_found(size: int) -> None:
    (passes, found), _ = verdicts(oue(size, 1050), 1000)
    assert not passes
    assert found == pytest.approx(1.05)
    assert all(passes for passes, _ in verdicts(oue(size, 1000), 1000))


@pytest.mark.parametrize("size", [4, 300])
def test_a_budget_off_by_a_billionth_is_found(size: int) -> None:
    sound = oue(size, 1000)
    off = Unary(size, sound.true, sound.false - (sound.false >> 30))
    assert not verdicts(off, 1000)[0][0]


def test_q_computed_for_the_average_is_found() -> None:
    (passes, found), _ = verdicts(averaged(500, 2000), 500)
    assert not passes
    assert found == pytest.approx(2)
    assert all(passes for passes, _ in verdicts(averaged(500, 500), 500))


@pytest.mark.parametrize("size", [4, 300])
@pytest.mark.parametrize("kind", [OneWord, CoarseCoin])
def test_a_sampler_that_is_not_its_law_is_found(kind: type[Unary], size: int) -> None:
    """The law as stated is sound; what is drawn has no bound."""
    stated, drawn = verdicts(unary(kind, 6000, size), 6000)
    assert stated[0]
    assert drawn == (False, inf)
    assert all(passes for passes, _ in verdicts(unary(Unary, 6000, size), 6000))


def test_an_output_that_one_input_never_gives_is_found() -> None:
    for size in (4, 300):
        (passes, found), _ = verdicts(Unary(size, ONE // 2, 0), 1000)
        assert (passes, found) == (False, inf)


def test_a_shape_that_is_not_known_is_not_passed() -> None:
    @dataclass(frozen=True)
    class Strange:
        size: int = 30

        def outputs(self) -> range:
            return range(1 << 30)

    found, how = measured(Strange())
    assert found is None
    assert "not known" in how
