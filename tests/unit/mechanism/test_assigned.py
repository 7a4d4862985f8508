"""Assigned functions: uniform over the family, fixed by the credential, and no less private."""

from collections import Counter
from fractions import Fraction
from functools import partial
from typing import cast

import pytest
from scipy import stats

from discretion.mechanism import HASHED, Hashed, Parities, law
from discretion.mechanism.assigned import assigned
from discretion.mechanism.hashed import hashed
from tests.cases import for_each
from tests.contract.enumeration import distribution
from tests.mechanisms import SMALL
from tests.significance import ALPHA

PLAN = "ab" * 32
TOKENS = 4000


@for_each("mechanism", HASHED)
@for_each("size", [2, 4])
def test_given_any_function_the_law_is_exactly_the_stated_one(mechanism: str, size: int) -> None:
    """Every path of choices, for every function: sums to one, and the ratio is the level's."""
    whole = cast(Hashed, SMALL[mechanism](size, 1500))
    for who in range(8):
        own = assigned(whole, str(who), PLAN, "mode")
        for code in range(size):
            drawn = distribution(partial(own.perturb, code))
            assert drawn == {y: own.probability(y, code) for y in own.outputs()}
            assert sum(drawn.values()) == 1
        ratios = [
            own.probability(y, a) / own.probability(y, b)
            for y in own.outputs()
            for a in range(size)
            for b in range(size)
        ]
        assert max(ratios) <= own.ratio == whole.ratio
        assert all(own.form.admits(y) for y in own.outputs())
        others = [y for y in whole.outputs() if y not in set(own.outputs())]
        assert not any(own.form.admits(y) for y in others)
        assert all(own.probability(y, 0) == 0 for y in others)


def test_over_all_functions_it_is_the_hashed_law() -> None:
    whole = cast(Hashed, SMALL["hadamard"](4, 1500))
    functions = whole.hashing.functions
    seen = {assigned(whole, str(who), PLAN, "x").function for who in range(400)}
    assert seen == set(range(functions))
    own = {assigned(whole, str(who), PLAN, "x") for who in range(400)}
    for code in range(4):
        mixed: Counter[int] = Counter()
        for each in own:
            for y in each.outputs():
                mixed[y] += each.probability(y, code) / functions  # type: ignore[assignment]
        assert mixed == {y: whole.probability(y, code) for y in whole.outputs()}


@pytest.mark.parametrize("functions", [8, 64])
def test_functions_of_many_tokens_are_uniform(functions: int) -> None:
    whole = hashed(8, 1000, Parities(3, 1 if functions == 8 else 2))
    assert whole.hashing.functions == functions
    seen = Counter(assigned(whole, str(who), PLAN, "x").function for who in range(TOKENS))
    counts = [seen[function] for function in range(functions)]
    assert stats.chisquare(counts).pvalue > ALPHA


def test_a_family_that_is_no_power_of_two_has_no_bias() -> None:
    """27 functions from five bits: what is 27 or more is drawn again."""
    whole = cast(Hashed, SMALL["blh"](3, 1000))
    assert whole.hashing.functions == 27
    seen = Counter(assigned(whole, str(who), PLAN, "x").function for who in range(TOKENS))
    assert stats.chisquare([seen[function] for function in range(27)]).pvalue > ALPHA


def test_a_function_is_that_of_credential_plan_and_attribute_alone() -> None:
    whole = cast(Hashed, law("olh", 20, 1000))
    own = assigned(whole, "token", PLAN, "mode")
    assert assigned(whole, "token", PLAN, "mode") == own
    others = [
        assigned(whole, "Token", PLAN, "mode"),
        assigned(whole, "token", "cd" * 32, "mode"),
        assigned(whole, "token", PLAN, "home"),
    ]
    assert len({own.function, *(each.function for each in others)}) == 4
    higher = cast(Hashed, law("olh", 20, 3000))
    assert assigned(higher, "token", PLAN, "mode").function == own.function


def test_the_length_of_a_report_and_its_ratio_are_those_of_the_hashed_law() -> None:
    whole = cast(Hashed, law("olh", 20, 1000))
    own = assigned(whole, "token", PLAN, "mode")
    assert (own.size, own.n_bytes, own.ratio) == (whole.size, whole.n_bytes, whole.ratio)
    assert isinstance(own.probability(own.function * whole.hashing.n_buckets, 0), Fraction)
