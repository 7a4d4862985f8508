"""What the law of every variant of local privacy keeps, by enumeration of inputs and outputs."""

import itertools
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np

from discretion.crowd.shapes import draw
from discretion.mechanism import Matrix, Variant
from discretion.mechanism.matrix import WHOLE
from discretion.randomness import ByteSource
from discretion.table.outputs import probabilities
from tests.contract.conformance import DRAWS, LAWS, LEVELS, SEED, row
from tests.contract.enumeration import between_cuts, distribution
from tests.contract.exponential import exp_lower
from tests.significance import ALPHA, p_value

Check = Callable[[Variant, int], None]

FLOATS = 1e-12  # what the chances of analysts, who count in floats, may be off by


@lru_cache(LAWS)
def exact_rows(law: Matrix) -> list[list[Fraction]]:
    """Return P(y | code) by code; to look a law up takes as long as to hash its whole matrix."""
    return [[law.probability(y, code) for y in law.outputs()] for code in range(law.size)]


def law_is_normalised(variant: Variant, level: int) -> None:
    law = variant.law(level)
    assert (law.size, law.n_outputs) == (variant.size, variant.size)
    for outputs in exact_rows(law):
        assert sum(outputs) == 1
        assert min(outputs) >= 0


def every_pair_is_told_apart_by_what_is_allowed(variant: Variant, level: int) -> None:
    """Not above a lower bound of e to it, hence certainly not above that."""
    law = variant.law(level)
    rows = exact_rows(law)
    closed = [y for y in law.outputs() if y not in variant.opened]
    for one, other in itertools.permutations(range(law.size), 2):
        most = exp_lower(Fraction(level * variant.allowed(one, other), 10**6))
        for y in closed:
            assert rows[one][y] <= most * rows[other][y]


def open_outputs_are_of_their_own_code_alone(variant: Variant, level: int) -> None:
    law = variant.law(level)
    for y in law.outputs():
        givers = {code for code in range(law.size) if law.probability(y, code)}
        assert givers == ({y} if y in variant.opened else set(range(law.size)))


def what_is_allowed_is_symmetric_and_farthest_is_closed(variant: Variant, _: int) -> None:
    codes = range(variant.size)
    assert all(variant.allowed(code, code) == 0 for code in codes)
    pairs = list(itertools.permutations(codes, 2))
    assert all(variant.allowed(a, b) == variant.allowed(b, a) > 0 for a, b in pairs)
    one, other = variant.farthest()
    assert not {one, other} & variant.opened
    if one != other:
        closed = (p for p in pairs if not set(p) & variant.opened)
        assert variant.allowed(one, other) == max(variant.allowed(*pair) for pair in closed)


def stated_ratio_is_the_largest_of_closed_outputs(variant: Variant, level: int) -> None:
    law = variant.law(level)
    closed = [y for y in law.outputs() if y not in variant.opened]
    columns = [[law.probability(y, code) for code in range(law.size)] for y in closed]
    assert law.ratio == max(max(column) / min(column) for column in columns)


def sampler_is_the_law(variant: Variant, level: int) -> None:
    """Every number that is drawn, up to where the output changes: no tolerance."""
    law = variant.law(level)
    for code in range(law.size):
        walk = between_cuts([law.weights[code]], WHOLE)
        sampled = distribution(partial(law.perturb, code), walk)
        assert sampled == {y: p for y, p in row(law, code).items() if p}


def possible_is_what_some_code_gives(variant: Variant, level: int) -> None:
    law = variant.law(level)
    assert {y for y in range(-1, 257) if law.form.admits(y)} == set(range(law.size))


def width_is_one_byte_and_the_law_names_a_group(variant: Variant, level: int) -> None:
    assert {variant.law(each).n_bytes for each in LEVELS} == {1}
    assert len({variant.law(level), variant.law(level), variant.law(level + 500)}) == 2


def analysts_have_its_probabilities(variant: Variant, level: int) -> None:
    law = variant.law(level)
    exact = [[float(p) for p in outputs] for outputs in exact_rows(law)]
    np.testing.assert_allclose(probabilities(law), np.transpose(exact), rtol=0, atol=FLOATS)


def words_follow_the_law(variant: Variant, level: int) -> None:
    """The sampler on real words, and proof that this test would notice another level."""
    law, source = variant.law(level), ByteSource(random.Random(SEED).randbytes)
    for code in range(law.size):
        seen = Counter(law.perturb(code, source) for _ in range(DRAWS))
        assert follows(seen, law, code)
        assert fixed(law, code) or not follows(seen, variant.law(2 * level), code)


def crowd_follows_the_law(variant: Variant, level: int) -> None:
    """Owners with two levels and all codes in one call: each group follows its own law."""
    laws = [variant.law(level), variant.law(2 * level)]
    which, codes = np.indices((2, variant.size)).reshape(2, -1).repeat(DRAWS, axis=1)
    order = np.random.default_rng(SEED).permutation(len(codes))
    which, codes = which[order], codes[order]
    drawn = draw(laws, which, codes, np.random.default_rng(SEED))
    assert drawn.shape == (len(codes), 1)
    for i, code in itertools.product(range(2), range(variant.size)):
        seen = Counter(drawn[(which == i) & (codes == code), 0].tolist())
        assert follows(seen, laws[i], code)
        assert fixed(laws[i], code) or not follows(seen, laws[1 - i], code)


EXACT: tuple[Check, ...] = (
    law_is_normalised,
    every_pair_is_told_apart_by_what_is_allowed,
    open_outputs_are_of_their_own_code_alone,
    what_is_allowed_is_symmetric_and_farthest_is_closed,
    stated_ratio_is_the_largest_of_closed_outputs,
    sampler_is_the_law,
    possible_is_what_some_code_gives,
    width_is_one_byte_and_the_law_names_a_group,
    analysts_have_its_probabilities,
)
SAMPLED: tuple[Check, ...] = (words_follow_the_law, crowd_follows_the_law)


def fixed(law: Matrix, code: int) -> bool:
    """Whether a code has one output only, at whatever level."""
    return max(law.weights[code]) == WHOLE


def follows(seen: Counter[int], law: Matrix, code: int) -> bool:
    expected = {y: p for y, p in row(law, code).items() if p}
    if len(expected) == 1:
        return set(seen) == set(expected)
    return p_value(seen, expected) > ALPHA
