"""Linear estimates from bit counts: unbiased and with the right covariance, by enumeration."""

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from discretion.crowd import simulate
from discretion.errors import DependenceWarning, EstimateError
from discretion.estimate.linear import stratified
from discretion.family.codewords.linear import PooledBits
from discretion.family.counts import BitCounts
from discretion.labels import frequencies
from discretion.mechanism import CodedLaw, Encoding
from discretion.plan import Family, Plan
from discretion.table.coded import codeword_bits
from tests.builders import AVERAGE, Vector, aggregate_of
from tests.cases import for_each

SIZE = 3
LOW, HIGH = 500, 3000
EXACT = 1e-10
BLOOM = {"bloom": {"hashes": 2, "bits": 4}}
RAPPOR = {"rappor": {"hashes": 1, "bits": 3}}
MECHANISMS: list[Any] = ["bloom", BLOOM, RAPPOR]
COHORTS = {"rappor": {"hashes": 1, "bits": 2, "cohorts": 3}}  # none of them distinguishes all three


def plan_of(mechanism: object, size: int = SIZE, **changes: object) -> Plan:
    x = {"name": "x", "kind": "categorical", "values": list(range(size)), "mechanism": mechanism}
    z = {"name": "z", "kind": "categorical", "values": ["yes", "no"], "mechanism": mechanism}
    budget = {"levels": [0.5, 1.5, 3]}
    return Plan.of({"name": "bits", "attributes": [x, z], "budget": budget, **changes})


def one_attribute(mechanism: object, size: int) -> Plan:
    x = {"name": "x", "kind": "categorical", "values": list(range(size)), "mechanism": mechanism}
    return Plan.of({"name": "bits", "attributes": [x], "budget": {"levels": [0.5, 1.5, 3]}})


def tally_of(law: CodedLaw, ys: list[int]) -> BitCounts:
    encoding = law.encoding
    tally = BitCounts(
        np.zeros(encoding.cohorts, np.int64), np.zeros((encoding.cohorts, encoding.bits), np.int64)
    )
    for y in ys:
        cohort = y >> encoding.bits * encoding.depth
        tally.reports[cohort] += 1
        tally.counts[cohort] += reported_bits(encoding, y)
    return tally


def reported_bits(encoding: Encoding, y: int) -> list[int]:
    """Return the bits, or the digits, of a report."""
    return [y >> encoding.depth * i & encoding.top for i in range(encoding.bits)]


def means(plan: Plan, level: int, code: int) -> npt.NDArray[np.float64]:
    """Return the mean of each reported bit of one report about a code, cohort by cohort."""
    law = plan.questions["x"].law(level, Family.CODEWORDS)
    own, other = map(float, law.means)
    words = codeword_bits(law.encoding)[:, code].astype(np.float64)
    return (other + (own - other) * words) * law.encoding.top


def covariance_of_bits(law: CodedLaw, f: Vector) -> npt.NDArray[np.float64]:
    """Return the covariance of the bits of one report, by enumeration."""
    first = np.zeros(law.encoding.bits)
    second = np.zeros((law.encoding.bits, law.encoding.bits))
    for y in law.outputs():
        bits = np.array(reported_bits(law.encoding, y))
        probability = sum(float(law.probability(y, x)) * fx for x, fx in enumerate(f))
        first, second = first + probability * bits, second + probability * np.outer(bits, bits)
    return second - np.outer(first, first)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_weighted_is_unbiased_by_enumeration(mechanism: object) -> None:
    """Every outcome of two owners with unequal budgets, weighted by its probability."""
    plan = one_attribute(mechanism, SIZE)
    laws = [plan.questions["x"].law(level, Family.CODEWORDS) for level in (LOW, HIGH)]
    for truth in [(0, 0), (1, 1), (2, 2)]:
        expected = np.zeros(SIZE)
        for ys in itertools.product(*(list(law.outputs()) for law in laws)):
            probability = np.prod(
                [float(law.probability(y, x)) for law, y, x in zip(laws, ys, truth, strict=True)]
            )
            tallies = {
                law_level: tally_of(law, [y])
                for law_level, law, y in zip((LOW, HIGH), laws, ys, strict=True)
            }
            data = aggregate_of(plan, tallies)
            expected += probability * frequencies(data, "x", "weighted").value
        np.testing.assert_allclose(expected, np.eye(SIZE)[truth[0]], atol=EXACT)


@pytest.mark.parametrize("mechanism", [*MECHANISMS, COHORTS, "she"], ids=str)
def test_the_estimate_is_linear_and_has_the_truth_at_the_mean_counts(mechanism: object) -> None:
    """Counts that are exactly what is expected, of unequal levels and cohorts, give f exactly."""
    plan, f = one_attribute(mechanism, SIZE), np.array([0.5, 0.125, 0.375])
    rng, levels = np.random.default_rng(1), []
    for level in (LOW, 1500, HIGH):
        law = plan.questions["x"].law(level, Family.CODEWORDS)
        n = rng.integers(50, 500, law.encoding.cohorts)
        mean = sum(fx * means(plan, level, x) for x, fx in enumerate(f))
        levels.append((law, BitCounts(n, n[:, None] * mean)))
    np.testing.assert_allclose(PooledBits(levels).value, f, atol=EXACT)


@for_each("mechanism", [*MECHANISMS, "she"])
@for_each("level", [LOW, HIGH])
def test_the_covariance_is_that_of_the_reports(mechanism: object, level: int) -> None:
    """With one level the estimate is a fixed matrix times the counts, whose covariance is known."""
    plan, n, f = one_attribute(mechanism, SIZE), 7, np.array([0.5, 0.125, 0.375])
    law = plan.questions["x"].law(level, Family.CODEWORDS)
    bits = law.encoding.bits
    base = PooledBits([(law, BitCounts(np.array([n]), np.zeros((1, bits), np.int64)))]).value
    slopes = np.empty((SIZE, bits))
    for i in range(bits):
        unit = np.zeros((1, bits), np.int64)
        unit[0, i] = 1
        slopes[:, i] = PooledBits([(law, BitCounts(np.array([n]), unit))]).value - base
    expected = slopes @ covariance_of_bits(law, f) @ slopes.T * n
    stated = PooledBits([(law, BitCounts(np.array([n]), np.zeros((1, bits), np.int64)))])
    np.testing.assert_allclose(stated.covariance(f), expected, rtol=1e-8, atol=EXACT)


def test_levels_are_weighted_by_their_information_alone() -> None:
    """One hash and a bit for each code: the same as the support estimate of sue."""
    frame = {"x": np.random.default_rng(2).choice(5, 3000, p=[0.4, 0.3, 0.1, 0.1, 0.1])}
    sue, bloom = (one_attribute(mechanism, 5) for mechanism in ("sue", "bloom"))
    tables = [simulate(plan, frame, budgets="levels", seed=3) for plan in (sue, bloom)]
    for method in ("weighted", "stratified", "mle"):
        one, other = (frequencies(table, "x", method) for table in tables)
        np.testing.assert_allclose(other.value, one.value, atol=2e-4)
        np.testing.assert_allclose(other.stderr, one.stderr, rtol=0.02)
        assert one.homogeneity is not None
        assert other.homogeneity is not None
        assert other.homogeneity.df == one.homogeneity.df
        assert other.homogeneity.pvalue == pytest.approx(one.homogeneity.pvalue, abs=0.05)


def test_a_stratified_estimate_counts_strata_by_their_owners() -> None:
    plan, rng = one_attribute(BLOOM, SIZE), np.random.default_rng(4)
    strata = []
    for level, truth in ((LOW, [1.0, 0, 0]), (HIGH, [0, 0, 1.0])):
        law = plan.questions["x"].law(level, Family.CODEWORDS)
        mean = sum(fx * means(plan, level, x) for x, fx in enumerate(truth))
        n = np.array([rng.integers(100, 200)])
        strata.append([(law, BitCounts(n, n[:, None] * mean))])  # type: ignore[arg-type]
    value, spread = stratified([PooledBits(levels) for levels in strata])
    owners = [tally.n for ((_, tally),) in strata]
    np.testing.assert_allclose(
        value, [owners[0] / sum(owners), 0, owners[1] / sum(owners)], atol=EXACT
    )
    assert (spread.variance > 0).all()


def test_budgets_that_depend_on_values_are_noticed() -> None:
    plan = one_attribute(BLOOM, SIZE)
    x = np.random.default_rng(5).choice(SIZE, 20_000)
    epsilons = np.where(x == 0, 1.5, 3.0)
    reports = simulate(plan, {"x": x}, budgets={"x": epsilons}, seed=6)
    with pytest.warns(DependenceWarning):
        frequencies(reports, "x", "weighted")
    estimate = frequencies(reports, "x", "stratified")
    assert np.abs((estimate.value - np.bincount(x) / len(x)) / estimate.stderr).max() < 4


def test_words_that_depend_on_each_other_have_no_linear_estimate_but_a_likelihood() -> None:
    """Six words of two of four bits: any four of them determine the others."""
    plan = one_attribute({"bloom": {"hashes": 2, "bits": 4}}, 6)
    x = np.random.default_rng(7).choice(6, 60_000, p=[0.4, 0.2, 0.2, 0.1, 0.1, 0])
    reports = simulate(plan, {"x": x}, budgets="levels", seed=8)
    for method in ("weighted", "stratified"):
        with pytest.raises(EstimateError, match="linearly dependent: use method='mle'"):
            frequencies(reports, "x", method)
    estimate = frequencies(reports, "x")
    assert (estimate.method, estimate.homogeneity) == ("mle", None)
    assert (
        np.abs((estimate.value - np.bincount(x, minlength=6) / len(x)) / estimate.stderr).max() < 4
    )


def test_cohorts_together_identify_what_none_identifies_alone() -> None:
    plan = plan_of(COHORTS, budget=AVERAGE)
    rng = np.random.default_rng(9)
    x = rng.choice(3, 200_000, p=[0.6, 0.3, 0.1])
    frame = {"x": x, "z": rng.choice(["yes", "no"], len(x))}
    reports = simulate(plan, frame, budgets="dirichlet", share=0.8, seed=10)
    truth = np.bincount(x) / len(x)
    for method in ("weighted", "mle"):
        estimate = frequencies(reports, "x", method)
        assert np.abs((estimate.value - truth) / estimate.stderr).max() < 4
        assert estimate.stderr.max() < 0.1


def test_one_cohort_of_them_alone_identifies_nothing() -> None:
    plan = one_attribute(COHORTS, SIZE)
    law = plan.questions["x"].law(HIGH, Family.CODEWORDS)
    ys = [y for y in law.outputs() if y >> law.encoding.bits == 0]
    data = aggregate_of(plan, {HIGH: tally_of(law, ys)})
    with pytest.raises(EstimateError, match="linearly dependent"):
        frequencies(data, "x")


@pytest.mark.parametrize("method", ["blind", "moment", "pldp"])
def test_methods_of_unary_bits_refuse_words(method: str) -> None:
    reports = simulate(one_attribute(BLOOM, SIZE), {"x": [0, 1, 2]}, seed=1)
    with pytest.raises(EstimateError, match="this method needs oue, and 'x' uses bloom"):
        frequencies(reports, "x", method)


def test_more_hashes_only_lose_at_the_same_level() -> None:
    """The variance of a bit falls with the bits of a codeword, not as fast as its level does."""
    totals = []
    for hashes in (1, 2, 4):
        plan = one_attribute({"bloom": {"hashes": hashes, "bits": 64}}, 8)
        law = plan.questions["x"].law(1500, Family.CODEWORDS)
        uniform = np.full(8, 1 / 8)
        counts = BitCounts(np.array([1]), np.zeros((1, 64), np.int64))
        totals.append(np.trace(PooledBits([(law, counts)]).covariance(uniform)))
    assert totals[0] < totals[1] < totals[2]
    assert totals[2] > 3 * totals[0]
    assert Fraction(1) < plan.questions["x"].law(1500).ratio
