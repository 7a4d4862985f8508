"""Bits of a few codes keep every check: privacy, sampling, scores and their exact covariance."""

import itertools
from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from discretion.auditing.exact import examine
from discretion.mechanism import BitFlip, SampledBits
from discretion.mechanism.bitflip import dbitflip
from discretion.mechanism.unary import sue
from discretion.table.coded import cohorts_of, count_codewords, reported_bits
from tests.cases import for_each
from tests.contract import conformance
from tests.contract.conformance import LEVELS, AnyMechanism, Check
from tests.contract.test_mechanisms import Biased

SHAPES = ((4, 1), (4, 3), (5, 2), (3, 3), (2, 2))
CHECKS: tuple[Check, ...] = (
    conformance.law_is_normalised,
    conformance.privacy_loss_is_at_most_the_level,
    conformance.privacy_loss_nearly_reaches_the_level,
    conformance.stated_ratio_is_the_largest,
    conformance.sampler_is_the_law,
    conformance.possible_is_what_has_a_positive_probability,
    conformance.width_is_the_same_at_every_level_and_holds_every_output,
    conformance.law_names_a_group,
)


def law_of(size: int, reported: int, level: int) -> BitFlip:
    return dbitflip(SampledBits(size, 1, size, reported=reported), level)


def mechanism_of(reported: int) -> AnyMechanism:
    return lambda size, level: law_of(size, reported, level)


@for_each("size, reported", SHAPES)
def test_it_passes_every_check(size: int, reported: int) -> None:
    for level, check in itertools.product(LEVELS, CHECKS):
        check(mechanism_of(reported), size, level)  # type: ignore[arg-type]


@for_each("size, reported", SHAPES)
def test_estimates_have_the_covariance_that_the_law_states(size: int, reported: int) -> None:
    """Of contrasts, as estimates sum to one: bits of a report are not independent."""
    for level in (500, 2000, 8000):
        law = law_of(size, reported, level)
        outputs = list(law.outputs())
        y = np.array([list(each.to_bytes(law.n_bytes, "little")) for each in outputs], np.uint8)
        bits = reported_bits(law.encoding, y) / law.encoding.top
        f = np.arange(1.0, size + 1) / (size * (size + 1) / 2)
        likely = np.array([[float(law.probability(o, x)) for o in outputs] for x in range(size)])
        (own, other), (noise, rest) = (map(float, each) for each in (law.means, law.variances))
        mean = f @ likely @ bits
        assert mean == pytest.approx(other + (own - other) * f)
        exact = (bits * (f @ likely)[:, None]).T @ bits - np.outer(mean, mean)
        stated = np.diag(rest + (noise - rest) * f)
        stated += (own - other) ** 2 * (np.diag(f) - np.outer(f, f))
        contrasts = np.eye(size) - 1 / size
        assert np.abs(contrasts @ (exact - stated) @ contrasts).max() < 1e-12
        assert min(law.variances) >= 0


@for_each("size, reported", SHAPES)
def test_the_likelihood_is_a_power_of_the_lift(size: int, reported: int) -> None:
    law = law_of(size, reported, 1500)
    root = Fraction(law.keep, (1 << 64) - law.keep)
    assert law.lift == root**2
    for y in law.outputs():
        packed = np.array([list(y.to_bytes(law.n_bytes, "little"))], np.uint8)
        (halves,) = reported_bits(law.encoding, packed).tolist()
        for a, b in itertools.combinations(range(size), 2):
            ratio = law.probability(y, a) / law.probability(y, b)
            assert ratio == root ** (halves[a] - halves[b])


def test_bits_of_all_codes_are_symmetric_unary_encoding() -> None:
    law, unary = law_of(5, 5, 1000), sue(5, 1000)
    assert (law.cohorts, law.keep) == (1, unary.true)
    for y, code in itertools.product(range(32), range(5)):
        assert law.probability(y << 5 | 31, code) == unary.probability(y, code)


@for_each("size, reported", SHAPES)
def test_sets_are_numbered_and_codes_outside_are_alike(size: int, reported: int) -> None:
    law = law_of(size, reported, 1000)
    sets = [law.drawn(cohort) for cohort in range(law.cohorts)]
    assert set(sets) == set(itertools.combinations(range(size), reported))
    assert len(sets) == comb(size, reported)
    for cohort, own in enumerate(sets):
        names = [law.alike(code, cohort) for code in range(size)]
        assert [names[code] for code in own] == list(range(reported))
        assert {names[code] for code in range(size) if code not in own} <= {reported}


def test_counts_are_sums_of_bits() -> None:
    law = law_of(5, 2, 1000)
    outputs = list(law.outputs())
    y = np.array([list(each.to_bytes(law.n_bytes, "little")) for each in outputs], np.uint8)
    levels = np.resize(np.array([1000, 2000], np.int32), len(y))
    used, n, sums = count_codewords(law.encoding, y, levels)
    bits = reported_bits(law.encoding, y)
    assert used.tolist() == [1000, 2000]
    for i, level in enumerate(used.tolist()):
        assert n[i].tolist() == [(levels == level).sum()]
        assert (sums[i, 0] == bits[levels == level].sum(axis=0)).all()
    assert not cohorts_of(law.encoding, y).any()


def test_words_and_crowds_follow_the_law() -> None:
    conformance.words_follow_the_law(mechanism_of(2), 5, 2500)
    conformance.crowd_follows_the_law(mechanism_of(2), 5, 2500)


def test_wrong_laws_are_caught() -> None:
    def careless(size: int, level: int) -> BitFlip:
        law = law_of(size, 2, level)
        return replace(law, keep=law.keep * 101 // 100)

    with pytest.raises(AssertionError):
        conformance.privacy_loss_is_at_most_the_level(careless, 4, 1000)
    with pytest.raises(AssertionError):
        conformance.sampler_is_the_law(lambda k, v: Biased(law_of(k, 2, v)), 4, 1000)  # type: ignore[arg-type]


@for_each("size, reported", [(300, 1), (300, 3), (16, 16)])
def test_an_audit_takes_large_ones_by_their_structure(size: int, reported: int) -> None:
    law = law_of(size, reported, 1000)
    found = list(examine("it", law, 1000))
    assert all(finding.passes for finding in found), found
    wrong = replace(law, keep=law.keep * 101 // 100)
    kept, drawn = examine("it", wrong, 1000)
    assert (kept.passes, drawn.passes) == (False, True)
