"""P-values of what honest owners would hardly send: exact where counts are few."""

import itertools
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom, chi2

from discretion.family.counts import BitCounts, Tally
from discretion.family.goodness import (
    FEW,
    _cells,
    bits_pvalue,
    bounds_pvalue,
    codeword_pvalue,
    ones_pvalue,
    support_pvalue,
)
from discretion.mechanism import MECHANISMS, CodedLaw, Encoding
from discretion.mechanism.bloom import bloom
from discretion.mechanism.histogram import quantised_bits, she
from discretion.mechanism.unary import Unary, oue, sue
from tests.builders import tally_of
from tests.cases import for_each
from tests.mechanisms import LISTED

ENCODING = Encoding(3, 2, 5)


def sizes(counts: list[int]) -> Tally:
    """Return a tally with these numbers of ones, which is all that the test looks at."""
    return Tally(sum(counts), np.zeros(len(counts) - 1, np.int64), np.array(counts))


@pytest.mark.parametrize("law", [oue(4, 1500), sue(4, 1500)])
def test_ones_have_the_law_that_enumeration_gives_whatever_the_value(law: Unary) -> None:
    """The honest numbers of ones are as likely as can be, and moving some of them shows."""
    probabilities = [Fraction(0)] * 5
    for y in law.outputs():
        probabilities[y.bit_count()] += law.probability(y, 2)
    n = 1_000_000
    honest = [round(n * float(probability)) for probability in probabilities]
    found = ones_pvalue(law, sizes(honest))
    assert found == pytest.approx(1, abs=1e-3)
    moved = [honest[0], honest[1] + 3000, honest[2] - 3000, *honest[3:]]
    expected = chi2.sf(3000**2 / honest[1] + 3000**2 / honest[2], 4)
    assert ones_pvalue(law, sizes(moved)) == pytest.approx(expected, rel=0.05)


def test_few_reports_are_joined_to_cells_that_can_be_relied_on() -> None:
    law = oue(4, 1500)
    assert ones_pvalue(law, sizes([0, 15, 0, 0, 0])) is None
    p, q = 0.5, float(law.inclusion.other)
    none = (1 - p) * (1 - q) ** 3
    few = p * (1 - q) ** 3 + (1 - p) * 3 * q * (1 - q) ** 2
    seen, n = [18, 12, 8, 2, 0], 40  # two or more are one cell
    wanted = n * np.array([none, few, 1 - none - few])
    statistic = ((np.array([18, 12, 10]) - wanted) ** 2 / wanted).sum()
    assert wanted.min() > 10
    assert ones_pvalue(law, sizes(seen)) == pytest.approx(chi2.sf(statistic, 2))


@for_each("seed", range(20))
def test_cells_are_those_of_adding_up_one_at_a_time(seed: int) -> None:
    """A cell ends as soon as it has enough, if enough is left for another."""
    rng = np.random.default_rng(seed)
    expected = rng.exponential(3, 40) * rng.integers(0, 5, 40) * (seed > 0)
    starts, total = [0], 0.0
    for i, each in enumerate(expected.tolist()):
        if total >= FEW and expected[i:].sum() >= FEW:
            starts.append(i)
            total = 0.0
        total += each
    assert _cells(expected) == starts


def test_cells_of_very_many_numbers_are_found_at_once() -> None:
    starts = _cells(np.ones(1_000_000))
    assert starts == list(range(0, 1_000_000, FEW))


@pytest.mark.parametrize("mechanism", ["grr", "subset"])
def test_where_the_law_fixes_the_size_there_is_nothing_to_test(mechanism: str) -> None:
    law = MECHANISMS[mechanism](4, 1500)
    assert ones_pvalue(law, tally_of(law, list(law.outputs()))) is None


@pytest.mark.parametrize("seen", [0, 3, 8, 13, 20])
def test_bits_of_all_words_together_are_two_binomials(seen: int) -> None:
    law, n = bloom(ENCODING, 2000), 4
    own, other = map(float, law.means)
    total = np.zeros(21)
    for a, b in itertools.product(range(9), range(13)):
        total[a + b] += binom.pmf(a, 2 * n, own) * binom.pmf(b, 3 * n, other)
    assert total.sum() == pytest.approx(1)
    counts = np.array([[4] * (seen // 4) + [seen % 4] + [0] * 5])[:, :5]
    expected = min(1.0, 2 * min(total[: seen + 1].sum(), total[seen:].sum()))
    assert codeword_pvalue(law, BitCounts(np.array([n]), counts)) == pytest.approx(expected)


@pytest.mark.parametrize("n", [1, 7, 300])
def test_bounds_are_binomial_tails_times_their_number(n: int) -> None:
    for k in {0, 1, n // 2, n}:
        tails = binom.sf(k - 1, n, 0.7), binom.cdf(k, n, 0.2)
        found = bounds_pvalue(np.array([k]), n, 0.2, 0.7)
        assert found == pytest.approx(min(1.0, 2 * min(tails)))
    several = bounds_pvalue(np.array([n, n // 2, 0]), n, 0.2, 0.7)
    assert several == pytest.approx(min(1.0, 6 * min(0.7**n, 0.8**n)))


@pytest.mark.parametrize("mechanism", LISTED)
def test_supports_that_no_values_could_have_are_noticed(mechanism: str) -> None:
    law = MECHANISMS[mechanism](4, 1500)
    n, q, p = 1000, float(law.inclusion.other), float(law.inclusion.own)
    fine = np.array([n * p, n * q, n * q, n * q]).round().astype(np.int64)
    more, less = fine.copy(), fine.copy()
    more[0], less[1] = min(n, n * p + 200), max(0, n * q - 150)
    assert support_pvalue(law, Tally(n, fine, np.zeros(5, np.int64))) > 0.5
    assert support_pvalue(law, Tally(n, more, np.zeros(5, np.int64))) < 1e-6
    assert support_pvalue(law, Tally(n, less, np.zeros(5, np.int64))) < 1e-6


def test_bits_are_bounded_in_every_cohort_that_has_reports() -> None:
    law = bloom(Encoding(3, 2, 4, 3), 2000)
    own, other = map(float, law.means)
    n = np.array([1000, 0, 1000])
    fine = (n[:, None] * np.full((3, 4), (own + other) / 2)).astype(np.int64)
    assert bits_pvalue(law, BitCounts(n, fine)) == 1.0
    fine[2, 1] = 1000
    assert bits_pvalue(law, BitCounts(n, fine)) < 1e-9


@pytest.mark.parametrize("n, level", [(1, 2000), (3, 500), (3, 4000)])
def test_digits_are_bounded_whatever_the_values(n: int, level: int) -> None:
    """By enumeration: no p-value comes more often than it says."""
    law = she(Encoding(2, 1, 2, depth=2), level)
    for truth in itertools.combinations_with_replacement(range(2), n):
        probabilities: dict[tuple[int, int], float] = {(0, 0): 1.0}
        for x in truth:
            more: dict[tuple[int, int], float] = defaultdict(float)
            for (a, b), probability in probabilities.items():
                for y in law.outputs():
                    more[a + (y & 3), b + (y >> 2)] += probability * float(law.probability(y, x))
            probabilities = more
        tests: tuple[Callable[[CodedLaw, BitCounts], float], ...] = (codeword_pvalue, bits_pvalue)
        for test in tests:
            found = [
                (test(law, BitCounts(np.array([n]), np.array([sums]))), probability)
                for sums, probability in probabilities.items()
            ]
            for alpha in (0.001, 0.01, 0.05, 0.2):
                assert sum(probability for p, probability in found if p <= alpha) <= alpha


def test_digits_that_no_values_send_are_noticed() -> None:
    law, n = she(quantised_bits(5), 2000), 1000
    own, other = map(float, law.means)
    fine = np.array([[n * own, n * other, n * other, n * other, n * other]]) * law.encoding.top
    tally = BitCounts(np.array([n]), fine.round().astype(np.int64))
    assert min(codeword_pvalue(law, tally), bits_pvalue(law, tally)) > 0.9
    tally.counts[0, 0] = n * law.encoding.top
    assert max(codeword_pvalue(law, tally), bits_pvalue(law, tally)) < 1e-9
