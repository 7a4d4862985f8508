"""What every mechanism keeps. A check takes a mechanism, a size and a level, and asserts.

The registry feeds the checks (``test_mechanisms.py``); they also run on what is not registered, so
a new mechanism can be tried, and a wrong one is shown to fail. All but the two that sample are
exact: fractions compared with ``==``.
"""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from math import lcm
from operator import mul

import numpy as np
import pytest

from discretion.crowd.shapes import draw
from discretion.mechanism import Form, Law, SupportLaw
from discretion.mechanism.law import Mechanism
from discretion.randomness import ByteSource
from tests.contract.enumeration import distribution
from tests.contract.exponential import exp_lower, exp_upper
from tests.significance import ALPHA, p_value

Check = Callable[[Mechanism, int, int], None]
AnyCheck = Callable[..., None]
AnyMechanism = Callable[[int, int], Law]  # for labels or for numbers

WASTE = Fraction(1, 10**6)  # the part of the budget that rounding may leave unused
DRAWS = 20_000
SEED = 20240517
LAWS = 16  # that are remembered: those of one test, not gigabytes of all
LEVELS = (1, 250, 1000, 3500, 8000, 20_000)


def law_is_normalised(mechanism: AnyMechanism, size: int, level: int) -> None:
    law = mechanism(size, level)
    assert {sum(weights) for weights in listing(law).weights} == {listing(law).one}


def privacy_loss_is_at_most_the_level(mechanism: AnyMechanism, size: int, level: int) -> None:
    """Not above a lower bound of e^epsilon, hence certainly not above e^epsilon."""
    assert largest_ratio(mechanism(size, level)) <= exp_lower(Fraction(level, 1000))


def privacy_loss_nearly_reaches_the_level(mechanism: AnyMechanism, size: int, level: int) -> None:
    assert largest_ratio(mechanism(size, level)) >= exp_upper(Fraction(level, 1000) * (1 - WASTE))


def stated_ratio_is_the_largest(mechanism: AnyMechanism, size: int, level: int) -> None:
    law = mechanism(size, level)
    assert law.ratio == largest_ratio(law)


def sampler_is_the_law(mechanism: AnyMechanism, size: int, level: int) -> None:
    """Every path of random choices, with its exact weight: no tolerance."""
    law = mechanism(size, level)
    for code in range(size):
        sampled = distribution(partial(law.perturb, code))
        same = sampled == {y: p for y, p in row(law, code).items() if p}
        assert same, f"{law}: another law is drawn at code {code}"  # a difference is too long


def likelihood_is_that_of_the_support(mechanism: Mechanism, size: int, level: int) -> None:
    law = mechanism(size, level)
    more, once = law.ratio.numerator, law.ratio.denominator
    for held, probabilities in zip(supports(law), listing(law).columns, strict=True):
        weights = [more if held >> code & 1 else once for code in range(size)]
        for a, b in itertools.combinations(range(size), 2):
            assert probabilities[a] * weights[b] == probabilities[b] * weights[a]


def inclusion_is_what_enumeration_finds(mechanism: Mechanism, size: int, level: int) -> None:
    law = mechanism(size, level)
    stated = law.inclusion
    for x in range(size):
        others = [code for code in range(size) if code != x]
        assert probability_of_support(law, x, {x}) == stated.own
        for a in others:
            assert probability_of_support(law, x, {a}) == stated.other
            assert probability_of_support(law, x, {x, a}) == stated.own_pair
        for pair in itertools.combinations(others, 2):
            assert probability_of_support(law, x, set(pair)) == stated.other_pair


def score_is_unbiased(mechanism: Mechanism, size: int, level: int) -> None:
    law = mechanism(size, level)
    p, q = law.inclusion.own, law.inclusion.other
    lacked, held = -q / (p - q), (1 - q) / (p - q)
    for v in range(size):
        scores = [held if support >> v & 1 else lacked for support in supports(law)]
        for x in range(size):
            assert mean(law, x, scores) == (v == x)


def possible_is_what_has_a_positive_probability(
    mechanism: AnyMechanism, size: int, level: int
) -> None:
    law = mechanism(size, level)
    listed = listing(law)
    probabilities = zip(listed.outputs, listed.columns, strict=True)
    positive = {y for y, column in probabilities if min(column) > 0}
    assert len(listed.outputs) == len(positive)
    assert admitted(law.form, law.n_bytes) == positive


def width_is_the_same_at_every_level_and_holds_every_output(
    mechanism: AnyMechanism, size: int, level: int
) -> None:
    law = mechanism(size, level)
    assert {mechanism(size, other).n_bytes for other in LEVELS} == {law.n_bytes}
    assert all(0 <= y < 256**law.n_bytes for y in law.outputs())


def law_names_a_group(mechanism: AnyMechanism, size: int, level: int) -> None:
    """Equal laws are one key of a dictionary, other levels are other keys."""
    laws = {mechanism(size, level), mechanism(size, level), mechanism(size, level + 500)}
    assert len(laws) == 2
    assert {law.size for law in laws} == {size}


def words_follow_the_law(mechanism: AnyMechanism, size: int, level: int) -> None:
    """The sampler on real words, and proof that this test would notice another level."""
    law, source = mechanism(size, level), ByteSource(random.Random(SEED).randbytes)
    for code in (0, size - 1):
        seen = Counter(law.perturb(code, source) for _ in range(DRAWS))
        follows(seen, law, mechanism(size, 2 * level), code)


def crowd_follows_the_law(mechanism: AnyMechanism, size: int, level: int) -> None:
    """Owners with two levels and two codes in one call: each group follows its own law."""
    laws = [mechanism(size, level), mechanism(size, 2 * level)]
    which, which_code = np.indices((2, 2)).reshape(2, 4).repeat(DRAWS, axis=1)
    codes = np.array([0, size - 1])[which_code]
    order = np.random.default_rng(SEED).permutation(len(codes))
    which, codes = which[order], codes[order]
    drawn = draw(laws, which, codes, np.random.default_rng(SEED))
    assert drawn.shape == (len(codes), laws[0].n_bytes)
    for i, code in itertools.product(range(2), (0, size - 1)):
        rows = drawn[(which == i) & (codes == code)]
        seen = Counter(int.from_bytes(y.tobytes(), "little") for y in rows)
        follows(seen, laws[i], laws[1 - i], code)


EXACT: tuple[Check, ...] = (
    law_is_normalised,
    privacy_loss_is_at_most_the_level,
    privacy_loss_nearly_reaches_the_level,
    stated_ratio_is_the_largest,
    sampler_is_the_law,
    likelihood_is_that_of_the_support,
    inclusion_is_what_enumeration_finds,
    score_is_unbiased,
    possible_is_what_has_a_positive_probability,
    width_is_the_same_at_every_level_and_holds_every_output,
    law_names_a_group,
)
SAMPLED: tuple[Check, ...] = (words_follow_the_law, crowd_follows_the_law)


def sampled(checks: Sequence[AnyCheck], cases: Sequence[tuple[int, int]]) -> list[object]:
    """Return the checks of words and of crowds at these sizes and levels, for ``parametrize``.

    A device's words are drawn one at a time: but for the last case, that is for ``make slow``.
    """
    (words, crowd), (*slow, last) = checks, cases
    return [
        *(pytest.param(words, *case, marks=pytest.mark.slow) for case in slow),
        pytest.param(words, *last),
        *(pytest.param(crowd, *case) for case in cases),
    ]


@dataclass(frozen=True)
class Listing:
    """Every output of a law with its probability: integers over one denominator.

    They are added and compared much faster than fractions.
    """

    outputs: tuple[int, ...]
    weights: tuple[tuple[int, ...], ...]  # of the outputs, by code
    one: int

    @property
    def columns(self) -> Iterator[tuple[int, ...]]:
        """The weights of the codes, by output."""
        return zip(*self.weights, strict=True)


@lru_cache(LAWS)
def listing(law: Law) -> Listing:
    outputs = tuple(law.outputs())
    rows = [row(law, code).values() for code in range(law.size)]
    one = lcm(*{p.denominator for row in rows for p in row})
    weights = (tuple(p.numerator * (one // p.denominator) for p in row) for row in rows)
    return Listing(outputs, tuple(weights), one)


@lru_cache(LAWS * 8)
def row(law: Law, code: int) -> Mapping[int, Fraction]:
    """Return P(y | code) for every output; the codes themselves may be too many to list."""
    return {y: law.probability(y, code) for y in law.outputs()}


@lru_cache(LAWS)
def admitted(form: Form, n_bytes: int) -> frozenset[int]:
    """Return what a form admits of all integers of so many bytes, and one below and above."""
    return frozenset(filter(form.admits, range(-1, 256**n_bytes + 1)))


@lru_cache(LAWS)
def supports(law: SupportLaw) -> tuple[int, ...]:
    return tuple(law.support(y) for y in listing(law).outputs)


def mean(law: Law, code: int, values: Sequence[Fraction]) -> Fraction:
    """Return the expectation of a value that each output has, in their order, exactly."""
    listed = listing(law)
    unit = lcm(*{value.denominator for value in values})
    tops = (value.numerator * (unit // value.denominator) for value in values)
    return Fraction(sum(map(mul, listed.weights[code], tops)), listed.one * unit)


@lru_cache(LAWS)
def largest_ratio(law: Law) -> Fraction:
    """Return the maximum of P(y | x) / P(y | x') over all y, x and x'."""
    most, least = 0, 1
    for column in listing(law).columns:
        above, below = max(column), min(column)
        assert below > 0, "an output that a code never gives tells that it is not it"
        if above * least > most * below:
            most, least = above, below
    return Fraction(most, least)


def probability_of_support(law: SupportLaw, x: int, codes: set[int]) -> Fraction:
    """Return the probability that all the codes lie in the support of a report about x."""
    held, listed = sum(1 << code for code in codes), listing(law)
    parts = zip(supports(law), listed.weights[x], strict=True)
    return Fraction(sum(weight for support, weight in parts if support & held == held), listed.one)


def follows(seen: Counter[int], law: Law, wrong: Law, code: int) -> None:
    """Assert that counts follow a law, and that the same test rejects a wrong one."""
    right_p, wrong_p = (p_value(seen, row(each, code)) for each in (law, wrong))
    context = f"n={seen.total()}, alpha={ALPHA}, seed={SEED}, {law}, code {code}"
    assert right_p > ALPHA, f"p={right_p} for the law: {context}"
    assert wrong_p < ALPHA, f"p={wrong_p} for the wrong law {wrong}: {context}"
