"""Secret allocations: moments by hand, effective ratios by enumeration, closed forms."""

import itertools
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

from discretion.aggregate import Aggregate
from discretion.errors import EstimateError
from discretion.estimate import likelihood as maximum
from discretion.estimate.mle import fit
from discretion.family.counts import Tally
from discretion.family.sets.likelihood import ReportLikelihood, Supports
from discretion.labels import frequencies
from discretion.labels.blind import LevelMixture, blind, moment
from discretion.plan import Family, Plan
from discretion.table import ReportTable
from tests.builders import Vector, answered, bits, disclosed, secret, table_of
from tests.cases import for_each
from tests.tallies import counted_as
from tests.unit.estimate.exact import Matrix, unbounded

SIZE = 4
LEVELS = (500, 3000)
WEIGHTS = (0.3, 0.7)  # of the levels in the crowd
F = np.array([0.4, 0.3, 0.2, 0.1])
MANY = 10**8


def plan_of(size: int = SIZE) -> Plan:
    return secret(size, levels=[v / 1000 for v in LEVELS])


def probabilities(y: int, size: int = SIZE) -> Vector:
    """Return P(bits y | code) for each code, the level drawn from the crowd."""
    laws = [plan_of(size).questions["x"].law(v, Family.SETS) for v in LEVELS]
    mixed = [
        sum(Fraction(w) * law.probability(y, x) for w, law in zip(WEIGHTS, laws, strict=True))
        for x in range(size)
    ]
    return np.array(mixed, np.float64)


def expected_tally() -> Tally:
    """Return the counts of very many reports, each outcome as often as it should be."""
    supports, sizes = np.zeros(SIZE), np.zeros(SIZE + 1)
    for y in range(1 << SIZE):
        often = MANY * float(probabilities(y) @ F)
        supports += often * bits(y, SIZE)
        sizes[y.bit_count()] += often
    return Tally(MANY, np.rint(supports).astype(np.int64), np.rint(sizes).astype(np.int64))


def test_moments_by_hand() -> None:
    """Five reports 1100, 1000, 0001, 0000, 0100 with five ones: q = (1 - 1/2) / 3 = 1/6."""
    tally = Tally(5, np.array([2, 2, 0, 1]), np.array([1, 3, 1, 0, 0]))
    value, _ = moment(tally)
    q = 1 / 6
    expected = (np.array([2, 2, 0, 1]) / 5 - q) / (1 / 2 - q)
    np.testing.assert_allclose(value, expected)
    assert value.sum() == pytest.approx(1)


def test_moments_of_exact_shares_are_the_truth() -> None:
    np.testing.assert_allclose(moment(expected_tally())[0], F, atol=1e-6)


def delta_covariance(size: int, f: Vector) -> Matrix:
    """Return the covariance of one report's share in the estimate's error, by enumeration."""
    laws = [plan_of(size).questions["x"].law(v, Family.SETS) for v in LEVELS]
    q = sum(w * float(law.inclusion.other) for w, law in zip(WEIGHTS, laws, strict=True))
    total = np.zeros((size, size))
    mean = q + f * (0.5 - q)
    for y in range(1 << size):
        delta = bits(y, size) - mean
        error = (delta - (1 - f) * delta.sum() / (size - 1)) / (0.5 - q)
        total += float(probabilities(y, size) @ f) * np.outer(error, error)
    return total


def test_the_moments_covariance_is_that_of_the_delta_method() -> None:
    _, spread = moment(expected_tally())
    np.testing.assert_allclose(
        MANY * spread.covariance, delta_covariance(SIZE, F), rtol=1e-4, atol=1e-4
    )


def test_the_moments_covariance_also_holds_for_two_codes() -> None:
    f = np.array([0.8, 0.2])
    often = [MANY * float(probabilities(y, 2) @ f) for y in range(4)]
    supports = np.rint([often[1] + often[3], often[2] + often[3]]).astype(np.int64)
    sizes = np.rint([often[0], often[1] + often[2], often[3]]).astype(np.int64)
    value, spread = moment(Tally(MANY, supports, sizes))
    np.testing.assert_allclose(value, f, atol=1e-6)
    np.testing.assert_allclose(MANY * spread.covariance, delta_covariance(2, f), rtol=1e-4)


def test_reports_like_pure_noise_are_refused() -> None:
    tally = Tally(10, np.array([5, 5, 5, 5]), np.array([0, 0, 10, 0, 0]))
    with pytest.raises(EstimateError, match="as many ones as pure noise"):
        moment(tally)


def test_the_law_of_the_allocation_is_learnt_from_the_ones() -> None:
    law = LevelMixture.learnt(plan_of(), "x", expected_tally())
    np.testing.assert_allclose(law.weights, WEIGHTS, atol=1e-3)


def test_the_effective_ratio_is_what_enumeration_finds() -> None:
    """P(bits | code set) / P(bits | code not set) for all bits and both kinds of code."""
    law = LevelMixture.learnt(plan_of(), "x", expected_tally())
    assert law.ratios[0] == law.ratios[SIZE] == 1
    for y in range(1, (1 << SIZE) - 1):
        given, there = probabilities(y), bits(y, SIZE) == 1
        for own, other in itertools.product(given[there], given[~there]):
            assert law.ratios[y.bit_count()] == pytest.approx(own / other, rel=1e-3)


def test_the_slopes_are_the_derivatives_of_the_ratios() -> None:
    law = LevelMixture.learnt(plan_of(), "x", expected_tally())
    q = np.array(
        [float(plan_of().questions["x"].law(v, Family.SETS).inclusion.other) for v in LEVELS]
    )

    def ratio(s: int, weights: Vector) -> float:
        own = weights @ (q ** (s - 1) * (1 - q) ** (SIZE - s))
        return float(own / (weights @ (q**s * (1 - q) ** (SIZE - 1 - s))))

    for s, i in itertools.product(range(1, SIZE), range(2)):
        step = 1e-6 * np.eye(2)[i]
        slope = (ratio(s, law.weights + step) - ratio(s, law.weights - step)) / 2e-6
        assert law.slopes[s, i] == pytest.approx(slope, rel=1e-4)
    assert law.slopes[[0, SIZE]].tolist() == [[0, 0], [0, 0]]


def test_the_weights_covariance_is_the_inverse_information() -> None:
    """Two weights with sum one are one parameter."""
    tally = expected_tally()
    law = LevelMixture.learnt(plan_of(), "x", tally)
    by_size = np.zeros((SIZE + 1, 2))
    for y, (i, level) in itertools.product(range(1 << SIZE), enumerate(LEVELS)):
        by_size[y.bit_count(), i] += float(
            plan_of().questions["x"].law(level, Family.SETS).probability(y, 0)
        )
    score = (by_size[:, 0] - by_size[:, 1]) / (by_size @ law.weights)
    variance = 1 / (tally.sizes @ score**2)
    np.testing.assert_allclose(law.covariance, variance * np.array([[1, -1], [-1, 1]]), rtol=1e-6)


def secret_reports(size: int = SIZE, n: int = 2_000) -> ReportTable:
    codes = np.random.default_rng(91).choice(size, n, p=F[:size] / F[:size].sum())
    return answered(secret(size), codes, seed=91)


def test_the_uncertainty_of_the_law_is_added_by_its_derivative(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """How the estimate moves with the weights, by fitting again at other weights."""
    monkeypatch.setattr(maximum, "TOLERANCE", 1e-9)
    reports = secret_reports()
    tally = counted_as(Aggregate.of(reports), "x", Tally)[0]
    law = LevelMixture.learnt(reports.plan, "x", tally)
    supports = Supports.by_size(reports, "x")
    _, known = fit(ReportLikelihood(supports, law.ratios), F, unbounded)
    columns = []
    for slope in law.slopes.T:
        moved = (law.ratios + sign * 1e-4 * slope for sign in (1, -1))
        up, down = (fit(ReportLikelihood(supports, ratios), F, unbounded)[0] for ratios in moved)
        columns.append((up - down) / 2e-4)
    moves = np.array(columns).T
    _, spread = blind(reports, "x", tally)
    assert len(law.weights) > 1
    extra = moves @ law.covariance @ moves.T
    assert extra.max() > 1e-9
    np.testing.assert_allclose(
        spread.covariance - known.covariance, extra, rtol=0.01, atol=1e-3 * extra.max()
    )


def test_two_codes_by_hand() -> None:
    """q = n2 / (n0 + n2) from reports without a contrast, then debias those with one bit."""
    plan = secret(2)
    n = {0b00: 60, 0b01: 75, 0b10: 50, 0b11: 15}
    rows = [{"x": (0, y)} for y, count in n.items() for _ in range(count)]
    estimate = frequencies(table_of(plan, [*rows, {"z": (0, 1)}]), "x", "blind")
    q = 15 / 75
    first = (75 / 125 - q) / (1 - 2 * q)
    near = 0.02 * estimate.stderr[0]  # 1e-4 nats are 0.014 standard errors
    np.testing.assert_allclose(estimate.value, [first, 1 - first], atol=near)
    assert estimate.n == 200
    of_f = (75 / 125) * (50 / 125) / 125 / (1 - 2 * q) ** 2
    of_q = q * (1 - q) / 75 * ((2 * first - 1) / (1 - 2 * q)) ** 2
    assert estimate.covariance[0, 0] == pytest.approx(of_f + of_q, rel=0.02)


def test_a_disclosed_plans_levels_are_ignored() -> None:
    plan = disclosed("oue", SIZE)
    codes = np.random.default_rng(92).choice(SIZE, 150, p=F)
    reports = answered(plan, codes, seed=92)
    levels = reports.data["x.level"].to_pylist()
    others = pa.array([None if v is None else 500 for v in levels], pa.int32())
    changed = ReportTable(plan, reports.data.set_column(2, "x.level", others))
    assert len(set(levels)) > 2
    for method in ("blind", "moment"):
        one, other = frequencies(reports, "x", method), frequencies(changed, "x", method)
        np.testing.assert_allclose(one.value, other.value)
        np.testing.assert_allclose(one.covariance, other.covariance)


def test_secret_reports_are_estimated_blindly() -> None:
    reports = secret_reports()
    auto, chosen = (frequencies(reports, "x", method) for method in ("auto", "blind"))
    assert auto.method == "blind"
    np.testing.assert_array_equal(auto.value, chosen.value)
    assert auto.homogeneity is None


def test_an_aggregate_of_a_secret_plan_is_estimated_by_moments() -> None:
    reports = secret_reports()
    aggregate = Aggregate.of(reports)
    value, spread = moment(counted_as(aggregate, "x", Tally)[0])
    for data, method in ((aggregate, "auto"), (aggregate, "blind"), (reports, "moment")):
        estimate = frequencies(data, "x", method)
        np.testing.assert_array_equal(estimate.value, value)
        np.testing.assert_array_equal(estimate.covariance, spread.covariance)


def test_blind_is_more_certain_than_moments_and_both_are_near_the_truth() -> None:
    reports = secret_reports(n=20_000)
    best, plain = (frequencies(reports, "x", method) for method in ("blind", "moment"))
    assert (best.stderr < plain.stderr).all()
    for estimate in (best, plain):
        assert np.abs((estimate.value - F) / estimate.stderr).max() < 5


@for_each("method", ["blind", "moment"])
@for_each("size", [2, 3])
@for_each("n", [1, 2, 3])
def test_any_few_reports_leave_every_code_uncertain(n: int, size: int, method: str) -> None:
    """Few reports may have fewer ones than any law allows, or more: they are refused then."""
    estimated = 0
    for ys in itertools.combinations_with_replacement(range(1 << size), n):
        reports = table_of(secret(size), [{"x": (0, y)} for y in ys])
        if sum(y.bit_count() for y in ys) >= size * n / 2:
            with pytest.raises(EstimateError, match="pure noise"):
                frequencies(reports, "x", method)
            continue
        estimated += 1
        stderr = frequencies(reports, "x", method).stderr
        assert ((stderr > 0.1) & np.isfinite(stderr)).all()
    assert estimated


def test_a_menu_of_many_levels_is_thinned() -> None:
    """A step of a thousandth gives thousands of levels; the law is sought on a few of them."""
    plan = secret(SIZE, levels=[round(0.5 + 0.002 * i, 3) for i in range(1000)])
    codes = np.random.default_rng(93).choice(SIZE, 3_000, p=F)
    estimate = frequencies(answered(plan, codes, seed=93), "x")
    assert np.abs((estimate.value - F) / estimate.stderr).max() < 5


def test_one_absurd_report_does_not_spoil_the_rest() -> None:
    """All ones among 1,024 codes has a probability that no float can hold, at any level."""
    plan, size = secret(1024), 1024
    reports = answered(plan, np.random.default_rng(3).choice(40, 3_000), seed=4)
    y = reports.data["x.y"].to_pylist()
    y[next(i for i, one in enumerate(y) if one is not None)] = b"\xff" * (size // 8)
    column = reports.data.column_names.index("x.y")
    spoilt = reports.data.set_column(column, "x.y", pa.array(y, pa.binary(size // 8)))
    estimate = frequencies(ReportTable.from_frame(plan, spoilt), "x")
    assert np.isfinite(estimate.value).all()
    assert np.isfinite(estimate.covariance).all()
