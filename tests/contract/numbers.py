"""What every mechanism for numbers keeps, beside what every mechanism does (``conformance``)."""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from math import lcm
from operator import mul
from typing import TypeVar

import numpy as np

from discretion.crowd.shapes import draw
from discretion.mechanism import Law, NumberLaw, Table
from discretion.mechanism.law import NumberMechanism, decode
from discretion.mechanism.table import TOTAL
from discretion.randomness import ONE, ByteSource, Source
from discretion.table.outputs import probabilities
from tests.contract.conformance import (
    DRAWS,
    LAWS,
    SEED,
    AnyMechanism,
    law_is_normalised,
    law_names_a_group,
    listing,
    mean,
    possible_is_what_has_a_positive_probability,
    privacy_loss_is_at_most_the_level,
    privacy_loss_nearly_reaches_the_level,
    row,
    stated_ratio_is_the_largest,
)
from tests.contract.enumeration import Walk, between_cuts, distribution
from tests.significance import ALPHA, p_value

Check = Callable[[NumberMechanism, int, int], None]
T = TypeVar("T", int, Fraction)

WIDTHS = (1, 250, 1000, 3500, 8000)  # levels that every mechanism has
FLOATS = 1e-12  # what the chances of analysts, who count in floats, may be off by
JOINED = 64  # outputs into which many are joined, so that a test against another level has power


def sampler_is_the_law(mechanism: AnyMechanism, size: int, level: int) -> None:
    """Every path of random choices, with its exact weight, given that it did not start over."""
    law = mechanism(size, level)
    for code in range(size):
        sampled = distribution(partial(attempt, law, code), walk_for(law, code))
        whole = 1 - sampled.pop(None, Fraction())
        drawn = (
            sampled
            if whole == 1
            else {y: probability / whole for y, probability in sampled.items()}
        )
        same = drawn == row(law, code)  # to show where they differ could take minutes
        assert same, f"{law}: another law is drawn at code {code}"


def decoding_is_unbiased(mechanism: NumberMechanism, size: int, level: int) -> None:
    """Exactly, at every code; a law without pieces says that it cannot do this."""
    law = mechanism(size, level)
    if law.pieces:
        for code in range(size):
            assert mean(law, code, decoded(law)) == code


def variance_is_what_enumeration_finds(mechanism: NumberMechanism, size: int, level: int) -> None:
    """That of the decoded report, or, where it is not decoded, its mean squared distance."""
    law = mechanism(size, level)
    values = decoded(law) if law.pieces else [Fraction(y) for y in law.outputs()]
    unit = lcm(*{value.denominator for value in values})
    tops = [value.numerator * (unit // value.denominator) for value in values]
    for code in range(size):
        squares = [(top - unit * code) ** 2 for top in tops]
        weighed = sum(map(mul, listing(law).weights[code], squares))
        assert law.variance(code) == Fraction(weighed, listing(law).one * unit**2)


def pieces_and_outputs_are_all_below_the_reach(
    mechanism: NumberMechanism, size: int, level: int
) -> None:
    law = mechanism(size, level)
    assert list(law.outputs()) == list(range(law.n_outputs))
    if law.pieces:
        covered = [y for piece in law.pieces for y in range(piece.start, piece.stop)]
        assert covered == list(range(law.n_outputs))


def width_is_the_same_at_every_level_and_holds_every_output(
    mechanism: AnyMechanism, size: int, level: int
) -> None:
    law = mechanism(size, level)
    assert {mechanism(size, other).n_bytes for other in WIDTHS} == {law.n_bytes}
    assert all(0 <= y < 256**law.n_bytes for y in law.outputs())


def analysts_have_its_probabilities(mechanism: NumberMechanism, size: int, level: int) -> None:
    law = mechanism(size, level)
    exact = [[float(p) for p in row(law, code).values()] for code in range(size)]
    np.testing.assert_allclose(probabilities(law), np.transpose(exact), rtol=0, atol=FLOATS)


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
        mine = drawn[(which == i) & (codes == code)]
        seen = Counter(int.from_bytes(y.tobytes(), "little") for y in mine)
        follows(seen, laws[i], laws[1 - i], code)


ANY: tuple[Callable[[AnyMechanism, int, int], None], ...] = (
    law_is_normalised,
    privacy_loss_is_at_most_the_level,
    privacy_loss_nearly_reaches_the_level,
    stated_ratio_is_the_largest,
    sampler_is_the_law,
    possible_is_what_has_a_positive_probability,
    width_is_the_same_at_every_level_and_holds_every_output,
    law_names_a_group,
)
EXACT: tuple[Check, ...] = (
    *ANY,
    decoding_is_unbiased,
    variance_is_what_enumeration_finds,
    pieces_and_outputs_are_all_below_the_reach,
    analysts_have_its_probabilities,
)
SAMPLED: tuple[Callable[[AnyMechanism, int, int], None], ...] = (
    words_follow_the_law,
    crowd_follows_the_law,
)


@lru_cache(LAWS)
def decoded(law: NumberLaw) -> list[Fraction]:
    return [decode(law, y) for y in law.outputs()]


class StartsOver(Exception):
    """A law that redraws: what it drew before has no say in what it draws then."""


@dataclass
class Attempt:
    """A source that stops at the second fair coin: the sign with which a law begins anew."""

    source: Source
    begun: bool = False

    def below(self, n: int) -> int:
        return self.source.below(n)

    def coin(self, heads: int) -> bool:
        if heads == ONE // 2:
            if self.begun:
                raise StartsOver
            self.begun = True
        return self.source.coin(heads)


def attempt(law: Law, code: int, source: Source) -> int | None:
    """Draw, or return None where the law would start over."""
    try:
        return law.perturb(code, Attempt(source))
    except StartsOver:
        return None


def walk_for(law: Law, code: int) -> Callable[[list[int]], Walk]:
    """Return a walk on which the draws of a table are few: two for each weight."""
    if not isinstance(law, Table):
        return Walk
    knot = code * (len(law.weights) - 1) // (law.size - 1)
    return between_cuts(law.weights[knot : knot + 2], TOTAL)


def follows(seen: Counter[int], law: Law, wrong: Law, code: int) -> None:
    """Assert that counts follow a law, also when joined, and that a wrong one is then rejected."""
    own = row(law, code)
    most = max(own)
    right_p = p_value(seen, own)
    joined_p, wrong_p = (
        p_value(joined(seen, most), joined(row(each, code), most)) for each in (law, wrong)
    )
    context = f"n={seen.total()}, alpha={ALPHA}, seed={SEED}, {law}, code {code}"
    assert right_p > ALPHA, f"p={right_p} for the law: {context}"
    assert joined_p > ALPHA, f"p={joined_p} for the law, joined: {context}"
    assert wrong_p < ALPHA, f"p={wrong_p} for the wrong law {wrong}: {context}"


def joined(parts: Mapping[int, T], most: int) -> dict[int, T]:
    """Join neighbours, but for the first two, which hybrid laws decode apart."""
    found: dict[int, T] = {}
    for y, part in parts.items():
        place = y if y < 2 else 2 + y * JOINED // (most + 1)
        found[place] = found[place] + part if place in found else part
    return found
