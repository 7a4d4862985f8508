"""Maximum likelihood, against other ways to find the maximum and its curvature."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from discretion.aggregate import Aggregate, Evidence
from discretion.errors import DependenceWarning
from discretion.estimate import mle
from discretion.estimate.likelihood import TOLERANCE
from discretion.estimate.mle import fit, inverse
from discretion.family.sets.likelihood import ReportLikelihood, Supports
from discretion.labels import frequencies
from discretion.mechanism import MECHANISMS
from discretion.plan import Family
from discretion.table import ReportTable
from tests.builders import Vector, answered, disclosed, table_of
from tests.cases import for_each
from tests.unit.estimate.exact import Matrix, likelihoods, unbounded

SIZE = 4


def reports_of(mechanism: str, n: int, p: list[float], seed: int = 71) -> ReportTable:
    """Levels 0.5, 1.5 and 3; a tenth of the owners lack x."""
    codes = np.random.default_rng(seed).choice(SIZE, n, p=p)
    return answered(disclosed(mechanism, SIZE), codes, seed=seed)


def log_likelihood(L: Matrix, f: Vector) -> float:
    return float(np.log(L @ f).sum())


def brute_force(L: Matrix) -> Vector:
    """Maximise by sequential quadratic programming."""
    found = minimize(
        lambda f: -log_likelihood(L, f),
        np.full(SIZE, 1 / SIZE),
        jac=lambda f: -(L / (L @ f)[:, None]).sum(axis=0),
        bounds=[(1e-12, 1)] * SIZE,
        constraints={"type": "eq", "fun": lambda f: f.sum() - 1, "jac": lambda _: np.ones(SIZE)},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return found.x / found.x.sum()


INSIDE, ON_THE_EDGE = [0.4, 0.3, 0.2, 0.1], [0.7, 0.3, 0, 0]


@for_each("mechanism", MECHANISMS)
@for_each("p", [INSIDE, ON_THE_EDGE])
def test_mle_is_the_maximum_that_another_optimiser_finds(mechanism: str, p: list[float]) -> None:
    reports = reports_of(mechanism, 300, p)
    L, value = likelihoods(reports, "x"), frequencies(reports, "x", "mle").value
    brute = brute_force(L)
    assert value.min() >= 0
    assert value.sum() == pytest.approx(1)
    assert log_likelihood(L, value) >= log_likelihood(L, brute) - TOLERANCE
    np.testing.assert_allclose(value, brute, atol=3e-3)


@for_each("mechanism", MECHANISMS)
@for_each("p", [INSIDE, ON_THE_EDGE])
def test_mle_certifies_itself(mechanism: str, p: list[float]) -> None:
    """What is still to be gained is at most n (max G - 1), G the multiplier of an EM step."""
    reports = reports_of(mechanism, 300, p)
    L, f = likelihoods(reports, "x"), frequencies(reports, "x", "mle").value
    G = (L / (L @ f)[:, None]).sum(axis=0)  # n times the multiplier
    assert G.max() - len(L) <= TOLERANCE * (1 + 1e-6)


def test_mle_of_one_level_of_grr_is_the_closed_form() -> None:
    plan = disclosed("grr", SIZE, levels=(1.5,))
    counts = np.array([40, 30, 20, 25])
    rows = [{"x": (1500, y)} for y, count in enumerate(counts) for _ in range(count)]
    estimate = frequencies(table_of(plan, [*rows, {"z": (1500, 0)}]), "x", "mle")
    inclusion = plan.questions["x"].law(1500, Family.SETS).inclusion
    p, q = float(inclusion.own), float(inclusion.other)
    expected = (counts / 115 - q) / (p - q)
    assert expected.min() > 0
    near = 0.02 * estimate.stderr.max()  # 1e-4 nats are 0.014 standard errors
    np.testing.assert_allclose(estimate.value, expected, atol=near)
    assert estimate.n == 115


@for_each("mechanism", MECHANISMS)
def test_covariance_is_the_inverse_of_a_numerical_hessian(mechanism: str) -> None:
    """Each frequency that is free takes one of the answers that all reports are worth."""
    reports = reports_of(mechanism, 400, INSIDE)
    estimate = frequencies(reports, "x", "mle")
    assert estimate.value.min() > 0.01
    L, step = likelihoods(reports, "x"), 1e-4
    basis = np.vstack([np.eye(SIZE - 1), -np.ones(SIZE - 1)])  # the last code takes the rest

    def at(*moves: Vector) -> float:
        return log_likelihood(L, estimate.value + step * basis @ np.sum(moves, axis=0))

    units = np.eye(SIZE - 1)
    hessian = np.array(
        [[at(a, b) - at(a, -b) - at(-a, b) + at(-a, -b) for a in units] for b in units]
    ) / (4 * step**2)
    answers = Evidence.of(reports, "x").pooled().answers
    expected = basis @ np.linalg.inv(-hessian) @ basis.T / (1 - (SIZE - 1) / answers)
    np.testing.assert_allclose(estimate.covariance, expected, rtol=1e-3, atol=1e-6)


@for_each("mechanism", MECHANISMS)
def test_counting_equal_reports_does_not_change_the_answer(mechanism: str) -> None:
    reports = reports_of(mechanism, 300, INSIDE)
    counted = Supports.by_level(reports, "x")
    times = counted.counts.astype(int)
    plain = Supports(
        SIZE,
        counted.packed.repeat(times, axis=0),
        counted.classes.repeat(times),
        np.ones(times.sum()),
    )
    assert len(plain.counts) > 2 * len(counted.counts)
    ratios = np.array(
        [float(reports.plan.questions["x"].law(v, Family.SETS).ratio) for v in (500, 1500, 3000)]
    )
    uniform = np.full(SIZE, 1 / SIZE)
    one, other = (
        fit(ReportLikelihood(each, ratios), uniform, unbounded) for each in (counted, plain)
    )
    np.testing.assert_allclose(one[0], other[0], rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(one[1].covariance, other[1].covariance, rtol=1e-4, atol=1e-6)


def test_one_report_is_believed_and_very_uncertain() -> None:
    estimate = frequencies(table_of(disclosed("grr", SIZE), [{"x": (500, 2)}]), "x", "mle")
    np.testing.assert_allclose(estimate.value, [0, 0, 1, 0], atol=1e-3)
    assert estimate.interval()[:, 0].max() == 0
    assert estimate.interval()[:, 1].min() == 1
    assert estimate.effective_n < 1


@pytest.mark.parametrize("code", range(SIZE))
def test_equal_reports_put_all_on_their_code_and_know_the_others_to_be_rare(code: int) -> None:
    """No report speaks for the others, yet none is less certain than the linear estimate is."""
    rows = [{"x": (level, code)} for level in (500, 3000, 3000)]
    estimate = frequencies(table_of(disclosed("grr", SIZE), [*rows, {"z": (500, 0)}]), "x", "mle")
    np.testing.assert_allclose(estimate.value, np.eye(SIZE)[code], atol=1e-3)
    others = np.delete(estimate.stderr, code)
    np.testing.assert_allclose(others, others.mean(), rtol=1e-6)
    assert 0.1 < others.mean() < 1


def test_an_unused_value_costs_nothing() -> None:
    """Codes that no report speaks for have no observed information, but no huge variance."""
    plan = disclosed("grr", 30, (10.0, 20.0))
    reports = answered(plan, np.random.default_rng(5).choice(15, 2_000), seed=6)
    estimate = frequencies(reports, "x", "mle")
    assert estimate.stderr[15:].max() < estimate.stderr[:15].min()
    assert estimate.effective_n > 0.9 * estimate.n


def test_reports_that_say_nothing_leave_all_codes_equally_unknown() -> None:
    rows = [{"x": (level, 0)} for level in (500, 3000)]  # not a single bit set
    estimate = frequencies(table_of(disclosed("oue", SIZE), [*rows, {"z": (500, 0)}]), "x", "mle")
    np.testing.assert_allclose(estimate.value, np.full(SIZE, 1 / SIZE))
    assert estimate.stderr.min() > 100
    np.testing.assert_allclose(estimate.stderr, estimate.stderr.mean(), rtol=1e-6)


def test_the_inverse_is_that_on_contrasts() -> None:
    rng = np.random.default_rng(72)
    root = rng.standard_normal((5, 9))
    information = root @ root.T
    basis = np.vstack([np.eye(4), -np.ones(4)])
    expected = basis @ np.linalg.inv(basis.T @ information @ basis) @ basis.T
    np.testing.assert_allclose(inverse(information), expected)
    shift = rng.standard_normal(5)
    np.testing.assert_allclose(inverse(information + np.add.outer(shift, shift)), expected)


@pytest.mark.parametrize("mechanism", ["oue", "subset"])
def test_far_more_codes_than_reports_have_a_certified_answer_too(mechanism: str) -> None:
    """Half of the reports say almost nothing, half almost all: the worst for a rough curvature."""
    plan, codes = (
        disclosed(mechanism, 1024, (0.1, 6.0)),
        np.random.default_rng(65).choice(1024, 300),
    )
    reports = answered(plan, codes, seed=65)
    assert still_to_gain(reports, frequencies(reports, "x", "mle").value) <= TOLERANCE * (1 + 1e-6)


def still_to_gain(reports: ReportTable, f: Vector) -> float:
    """Return the certificate n (max G - 1)."""
    supports, levels = Supports.by_level(reports, "x"), Aggregate.of(reports).counted("x")
    ratios = np.array(
        [float(reports.plan.questions["x"].law(v, Family.SETS).ratio) for v in levels]
    )
    return supports.n * float(ReportLikelihood(supports, ratios).at(f).multiplier.max() - 1)


@st.composite
def small_crowds(draw: st.DrawFn) -> ReportTable:
    """Anything that owners may send, likely or not, from one report to a few hundred."""
    size = draw(st.sampled_from([2, 3, 10, 40]))
    mechanism = draw(st.sampled_from(sorted(MECHANISMS)))
    levels = draw(st.sampled_from([(0.05,), (0.5, 1.5, 3.0), (0.1, 6.0), (8.0, 20.0)]))
    seed, n = draw(st.integers(0, 2**32 - 1)), draw(st.sampled_from([1, 5, 30, 300]))
    rng = np.random.default_rng(seed)
    f = rng.dirichlet(np.full(size, draw(st.sampled_from([0.02, 1.0, 10.0]))))
    plan = disclosed(mechanism, size, levels)
    return answered(plan, rng.choice(size, n, p=f), seed, missing=0.1 if n > 1 else 0.0)


@settings(max_examples=50)
@given(small_crowds())
def test_whatever_owners_send_there_is_a_certified_answer(reports: ReportTable) -> None:
    assume(reports.data["x.y"].null_count < len(reports))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)
        estimate = frequencies(reports, "x", "mle")
    assert still_to_gain(reports, estimate.value) <= TOLERANCE * (1 + 1e-6)
    assert np.isfinite(estimate.covariance).all()
    assert estimate.stderr.min() > 0


def test_intervals_are_around_where_the_likelihood_would_be_highest_off_the_simplex() -> None:
    """Rare values hold the most frequent one down; the centre makes up for it, on average."""
    f = np.array([0.5, *(0.5 * np.random.default_rng(80).dirichlet(np.full(67, 0.5)))])
    plan = disclosed("subset", 68, (0.5, 1.0, 2.0, 4.0))
    apart, most_likely = [], []
    for seed in range(60):
        codes = np.random.default_rng((81, seed)).choice(68, 2_000, p=f)
        found = frequencies(answered(plan, codes, seed=seed), "x", "mle")
        apart.append((found.centre[0] - f[0]) / found.stderr[0])
        most_likely.append((found.value[0] - f[0]) / found.stderr[0])
        assert found.centre.sum() == pytest.approx(1)
    assert np.mean(most_likely) < -0.5
    assert abs(np.mean(apart)) < 0.35  # its own standard error is 0.13


def test_where_no_value_is_rare_the_centre_is_the_most_likely_one() -> None:
    found = frequencies(reports_of("grr", 3_000, INSIDE), "x", "mle")
    np.testing.assert_allclose(found.centre, found.value, atol=0.02 * found.stderr.max())


@pytest.mark.parametrize("mechanism", ["subset", "grr"])
def test_variances_of_many_codes_are_near_those_of_their_covariance(
    mechanism: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never less but for the ridge, and seldom much more: of codes that are zero, mostly."""
    codes = np.random.default_rng(83).choice(60, 4_000, p=np.arange(1, 61) ** 2 / 73_810)
    reports = answered(disclosed(mechanism, 60, (0.5, 2.0, 4.0)), codes, seed=83)
    exact = frequencies(reports, "x", "mle")
    monkeypatch.setattr(mle, "MOST_CELLS", 10)
    quick = frequencies(reports, "x", "mle")
    ratio = quick.stderr / exact.stderr
    assert ratio.min() > 1 - mle.RIDGE
    assert ratio.max() < 1.1
    assert np.median(ratio[exact.value > 0]) < 1.03
    assert np.abs(quick.centre - exact.centre).max() < 0.5 * exact.stderr.max()
