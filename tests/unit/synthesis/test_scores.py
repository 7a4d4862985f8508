"""Scores at independence: mean zero and the stated covariance, by every outcome of a few owners."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations, product
from math import comb
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from discretion.aggregate import Aggregate
from discretion.engine import added
from discretion.family.part import Single
from discretion.family.sets.part import Bits
from discretion.joints.axes import Axis
from discretion.mechanism.subset import subset
from discretion.plan import Family
from discretion.synthesis import null_reports
from discretion.synthesis import score_statistic as module
from discretion.synthesis.expectation import Expectations, Posterior
from discretion.synthesis.likelihoods import SILENT, Likelihoods, Question, read
from discretion.synthesis.null_reports import NullReports
from discretion.synthesis.score_statistic import Sample, ScoreStatistic
from discretion.synthesis.scores import Scores
from discretion.synthesis.secrecy import Columns, centred_bits
from discretion.synthesis.soft_evidence import SoftEvidence
from discretion.synthesis.terms import Contrasts
from discretion.table.columns import Levels
from tests.builders import table_of
from tests.folders import in_folder
from tests.unit.joints.crowds import crowd, dependent, plan_of
from tests.unit.synthesis.trees import (
    BUNDLED,
    SIZES,
    Table,
    Vector,
    evidence_of,
    likelihoods_of,
    reports_of,
)

PLAN = plan_of((2, 3), "grr")
AXES = (Axis("a", ("a0", "a1"), False), Axis("b", ("b0", "b1", "b2"), False))
LEVELS_A = (500, 500, 3000, 3000, 3000)  # levels of one owner hang together
LEVELS_B = (3000, 3000, 500, 500, None)  # the last one keeps b to herself
TRUTH = (np.array([0.7, 0.3]), np.array([0.5, 0.4, 0.1]))
WRONG = (np.array([0.45, 0.55]), np.array([0.2, 0.5, 0.3]))
SINGLE = 1e-5
SAMPLE = Sample(np.ones((3, 1), np.float32), np.ones((3, 2), np.float32), np.ones(3))

Part = TypeVar("Part")
Outcome = tuple[
    float, Single, Levels
]  # its probability, the likelihoods and the strata of all owners


@dataclass
class Whole:
    """Signals that are one shard."""

    likelihoods: Likelihoods

    def fold(
        self, work: Callable[[Likelihoods], Part], merge: Callable[[Part, Part], Part] = added
    ) -> Part:
        return work(self.likelihoods)


def law_of(name: str, level: int, size: int) -> Table:
    """Return P(y | x) as (y, x)."""
    law = PLAN.questions[name].law(level, Family.SETS)
    return np.array([[float(law.probability(y, x)) for x in range(size)] for y in range(size)])


def outcomes(index: int, levels: Sequence[int | None]) -> Iterator[Outcome]:
    """Yield what all owners may answer about an attribute, with its probability."""
    name, size = AXES[index].name, AXES[index].size
    answered = np.array([level is not None for level in levels])
    laws = [law_of(name, level, size) for level in levels if level is not None]
    used = sorted({level for level in levels if level is not None})
    strata = np.array([SILENT if v is None else used.index(v) for v in levels], np.int32)
    for ys in product(range(size), repeat=len(laws)):
        probability = float(
            np.prod([law[y] @ TRUTH[index] for law, y in zip(laws, ys, strict=True)])
        )
        likelihood = np.ones((size, len(levels)), np.float32)
        likelihood[:, answered] = np.column_stack([law[y] for law, y in zip(laws, ys, strict=True)])
        yield probability, likelihood, strata


@cache
def every(index: int) -> list[Outcome]:
    return list(outcomes(index, (LEVELS_A, LEVELS_B)[index]))


def score_statistics(
    marginals: tuple[Vector, ...] | None, *, stratified: bool = True
) -> Iterator[tuple[float, ScoreStatistic]]:
    """Yield what every outcome comes to, with its probability; marginals may be learnt from it."""
    for (p, one, s), (q, other, t) in product(every(0), every(1)):
        strata = np.array([s, t])
        likelihoods = Likelihoods(
            np.concatenate([one, other]), strata if stratified else strata.clip(-1, 0)
        )
        questions = tuple(
            Question(axis.name, (index,), (axis.size,), np.unique(own[own >= 0]))
            for index, (axis, own) in enumerate(zip(AXES, likelihoods.strata, strict=True))
        )
        learnt = marginals or (stepped(one[:, s >= 0]), stepped(other[:, t >= 0]))
        evidence = SoftEvidence(
            table_of(PLAN, []), AXES, questions, learnt, len(s), Whole(likelihoods), Aggregate(PLAN)
        )
        yield p * q, Scores(evidence).pair(0, 1)


def stepped(likelihood: Single) -> Vector:
    """Return frequencies that the reports make probable, from all being equally frequent."""
    return (likelihood / likelihood.sum(axis=0)).mean(axis=1).astype(np.float64)


def test_all_outcomes_are_there() -> None:
    assert sum(probability for probability, _, _ in every(0)) == pytest.approx(1)
    assert sum(probability for probability, _, _ in every(1)) == pytest.approx(1)
    assert len(every(0)) * len(every(1)) == 2**5 * 3**4


def test_the_mean_is_zero_though_marginals_are_estimated_from_the_same_reports() -> None:
    scores = [(probability, each.value) for probability, each in score_statistics(None)]
    mean = sum(probability * score for probability, score in scores)
    size = sum(probability * np.abs(score) for probability, score in scores)
    np.testing.assert_allclose(mean, 0, atol=SINGLE)
    assert np.min(size) > 0.01


def test_mean_and_covariance_are_exact_even_where_marginals_are_wrong() -> None:
    mean, square, stated = np.zeros(2), np.zeros((2, 2)), np.zeros((2, 2))
    for probability, each in score_statistics(WRONG):
        mean += probability * each.value
        square += probability * np.outer(each.value, each.value)
        stated += probability * each.covariance
        assert each.n == 4
    np.testing.assert_allclose(mean, 0, atol=SINGLE)
    np.testing.assert_allclose(stated, square, atol=SINGLE)
    assert np.linalg.eigvalsh(square).min() > 0.01


def test_without_levels_as_strata_the_mean_is_off() -> None:
    """What the strata are for: levels hang together, so a wrong marginal would look like a tie."""
    mean = sum(
        probability * each.value for probability, each in score_statistics(WRONG, stratified=False)
    )
    assert np.abs(mean).max() > 0.01


def test_fourth_moments_are_those_of_the_products(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    one, other = rng.standard_t(3, (500, 2)), rng.standard_t(3, (500, 3))
    sample = Sample(one.astype(np.float32), other.astype(np.float32), np.ones(500))
    score = ScoreStatistic(np.zeros(6), np.eye(6), 500, samples=(sample,))
    whitening = rng.normal(0, 0.1, (6, 4))
    z = (one[:, :, None] * other[:, None]).reshape(500, 6) @ whitening
    expected = (z**2).sum(axis=1) @ (z**2).sum(axis=1) - 4 * 6 / 500
    assert score.excess(whitening) == pytest.approx(expected, rel=1e-4)
    monkeypatch.setattr(module, "BLOCK", 100)
    assert score.excess(whitening) == pytest.approx(expected, rel=1e-4)
    fourth = (z**2).sum(axis=1) @ (z**2).sum(axis=1)
    thrice = replace(score, samples=(sample._replace(times=np.full(500, 3.0)),)).excess(whitening)
    assert thrice == pytest.approx(3 * fourth - 4 * 6 / 500, rel=1e-4)


def test_parts_of_the_reports_add_up() -> None:
    one = ScoreStatistic(np.ones(2), np.eye(2), 3, samples=(SAMPLE,))
    other = ScoreStatistic(2 * np.ones(2), 3 * np.eye(2), 5, sampled=True)
    both = ScoreStatistic.nothing(2) + one + other
    assert both.value.tolist() == [3, 3]
    assert both.covariance.tolist() == [[4, 0], [0, 4]]
    assert (both.n, both.sampled, len(both.samples)) == (8, True, 1)


def test_a_report_of_a_in_a_bundle_with_another_counts_too() -> None:
    """Reports tell (a, c) by b+a with c, by a with c, and by a with b+c; each counts once."""
    reports = reports_of("bundled", 4_000, missing=0.3)
    scores = Scores(evidence_of(reports))
    rows = reports.data.to_pylist()
    answered = [
        {
            part
            for q in BUNDLED.names
            if row[f"{q}.y"] is not None
            for part in BUNDLED.questions[q].parts
        }
        for row in rows
    ]
    for a, b in [(0, 2), (0, 1), (1, 3)]:
        both = sum({"abcd"[a], "abcd"[b]} <= own for own in answered)
        assert scores.pair(a, b).n == both > 0


# Bundles


def bundle_of(f: Table, n: int, seed: int) -> SoftEvidence:
    """Return what is said about a bundle that all owners answer, at unequal levels."""
    plan = plan_of(f.shape, "subset", bundles=[["a", "b"]])
    reports = crowd(plan, f, n, seed, missing=0.0)
    evidence = SoftEvidence.of(reports, ("a", "b"))
    assert [question.axes for question in evidence.questions] == [(0, 1)]
    return evidence


def statistic(of: ScoreStatistic) -> float:
    return float(of.value @ np.linalg.solve(of.covariance, of.value))


def test_a_bundle_shows_its_own_dependence() -> None:
    strong, none = dependent((3, 4), strength=0.6), np.outer(*(f[:3] for f in TWO))
    assert statistic(Scores(bundle_of(strong, 4_000, 1)).pair(0, 1)) > 200
    assert statistic(Scores(bundle_of(none, 4_000, 1)).pair(0, 1)) < 30


TWO = (np.array([0.6, 0.3, 0.1]), np.array([0.55, 0.3, 0.15]))


def test_of_a_bundle_errors_of_the_marginals_cancel() -> None:
    f, g = TWO
    wrong = tuple(0.95 * law + 0.05 * np.eye(3)[2] for law in TWO)
    evidence = replace(bundle_of(np.outer(f, g), 60_000, 2), marginals=wrong)
    scores = Scores(evidence)
    score = scores.pair(0, 1)
    plain = scores._expectations.together(0, likelihoods_of(evidence)).astype(np.float64)
    naive = ScoreStatistic(plain.sum(axis=0), np.cov(plain.T) * len(plain), len(plain))
    assert statistic(naive) > 40  # about 4, were the marginals right
    assert statistic(score) < 20


def columns_of(sizes: tuple[int, int]) -> tuple[Vector, tuple[Posterior, ...]]:
    """Return the frequencies of cells, and how what reports make us expect is worked out."""
    margins = tuple(np.arange(1.0, size + 1) / np.arange(1, size + 1).sum() for size in sizes)
    contrasts = tuple(Contrasts.of(f, ordered=False) for f in margins)
    question = Question("a+b", (0, 1), sizes, np.array([1000]))
    return np.outer(*margins).ravel(), Expectations((question,), contrasts).posteriors(0)


@pytest.mark.parametrize("level", [500, 1000, 3000])
def test_reports_that_independence_makes_likely_are_those_of_the_law(level: int) -> None:
    f, posteriors = columns_of((2, 3))
    law = subset(6, level)
    null = NullReports.of(law, posteriors, 700)
    weighted = np.column_stack([each.weighted for each in posteriors])
    products = np.zeros((weighted.shape[1],) * 2)
    for y in law.outputs():
        likelihood = np.array([float(law.probability(y, code)) for code in range(6)])
        added = likelihood @ weighted / (likelihood @ f)
        products += 700 * (likelihood @ f) * np.outer(added, added)
    np.testing.assert_allclose(null.products, products, rtol=1e-5, atol=1e-4)
    assert null.times.sum() == pytest.approx(700)


def test_of_many_sets_those_drawn_stand_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    _, posteriors = columns_of((4, 5))
    law = subset(20, 700)
    monkeypatch.setattr(null_reports, "FEWEST_SETS", 1 << 18)
    exact = NullReports.of(law, posteriors, 1)
    assert len(exact.rows) == comb(20, law.support_size)
    monkeypatch.setattr(null_reports, "FEWEST_SETS", 1 << 13)
    drawn = NullReports.of(law, posteriors, 1)
    assert len(drawn.rows) < len(exact.rows) / 2
    off = np.linalg.norm(drawn.products - exact.products) / np.linalg.norm(exact.products)
    assert off < 0.05


# What a report tells


def test_information_is_the_mean_square_of_what_a_report_makes_us_expect() -> None:
    reports = reports_of("bundled", 400, missing=0.3)
    evidence = evidence_of(reports)
    scores, likelihoods = Scores(evidence), likelihoods_of(evidence)
    phi, psi = (scores.contrasts[axis].functions for axis in (0, 1))
    total, own = np.zeros((phi.shape[1], psi.shape[1])), np.zeros(phi.shape[1])
    for i in range(likelihoods.n):
        table = np.ones((SIZES[0], SIZES[1]))
        answers_a = answers_b = False
        for index, question in enumerate(evidence.questions):
            axes = question.axes
            if likelihoods.strata[index, i] == SILENT or not set(axes) <= {0, 1}:
                continue
            said = likelihoods.values[evidence.rows(index), i].reshape(question.sizes)
            table = table * (said.T if axes == (1, 0) else np.expand_dims(said, 1 - axes[0]))
            answers_a, answers_b = answers_a or 0 in axes, answers_b or 1 in axes
        table = table * np.outer(*evidence.marginals[:2])
        table /= table.sum()
        if answers_a:
            alone = table.sum(axis=1)
            own += (alone @ phi) ** 2
        if answers_a and answers_b:
            total += (phi.T @ table @ psi) ** 2
    unanswered = {evidence.questions[index].axes for index in evidence.about(1, 2)}
    assert unanswered == {(1, 2)}
    np.testing.assert_allclose(scores.own(0), own / likelihoods.n, rtol=1e-3)
    answered = scores.information(0, 1)
    assert (answered >= total / likelihoods.n * (1 - 1e-3)).all()  # b+c with a tells more


def test_open_answers_reveal_all_of_a_record() -> None:
    plan = plan_of((3, 4), "subset", budget={"levels": [10, 20]})
    reports = crowd(plan, dependent((3, 4), strength=0.0), 3_000, 1, missing=0.0, budgets="levels")
    scores = Scores(SoftEvidence.of(reports, ("a", "b")))
    np.testing.assert_allclose(scores.own(0), 1, atol=0.03)
    np.testing.assert_allclose(scores.information(0, 1), 1, atol=0.15)


@pytest.mark.parametrize("kind", ["mixed", "bundled", "secret", "number"])
def test_shards_lean_as_the_whole_table(kind: str, tmp_path: Path) -> None:
    reports = reports_of(kind, 2_000, missing=0.3)
    whole = evidence_of(reports)
    parted = replace(
        whole,
        shards=in_folder(reports, tmp_path, shard=300).keep(
            reports.plan.names, partial(read, whole.axes, whole.questions)
        ),
    )
    for a, b in combinations(range(len(whole.axes)), 2):
        one, other = Scores(whole).pair(a, b), Scores(parted).pair(a, b)
        assert (one.n, one.sampled) == (other.n, other.sampled)
        np.testing.assert_allclose(other.value, one.value, rtol=1e-3, atol=1e-3 * one.n**0.5)
        np.testing.assert_allclose(other.covariance, one.covariance, rtol=1e-3, atol=1e-5 * one.n)


# Secret levels


def population(table: Table, levels: Sequence[tuple[int, int]]) -> tuple[Bits, Bits]:
    """Return the bits of a population in which everything is as frequent as it is likely.

    Of a type (i, j), q is 1 / 2^i of one attribute and 1 / 2^j of the other; p is a half. The
    table is of integers.
    """
    left, right = [], []
    for x, y in np.ndindex(table.shape):
        for i, j in levels:
            for u in product((0, 1), repeat=table.shape[0]):
                for v in product((0, 1), repeat=table.shape[1]):
                    times = table[x, y] * _times(u, x, i) * _times(v, y, j)
                    left += [u] * int(times)
                    right += [v] * int(times)
    return np.array(left, np.uint8), np.array(right, np.uint8)


def _times(bits: Sequence[int], own: int, power: int) -> int:
    """Return how many of 2^(3 (l - 1)) reports are these bits, up to a common factor of a half."""
    times = 1
    for index, bit in enumerate(bits):
        if index != own:
            times *= 2 ** (3 - power) if bit else 8 - 2 ** (3 - power)
    return times


HANGING = [(1, 2), (1, 1), (3, 3)]


def corrected(table: Table) -> tuple[Vector, float]:
    """Return theta in contrasts of the true marginals, and what rho = 1 would make of it."""
    left, right = population(table, HANGING)
    f, g = table.sum(axis=1) / table.sum(), table.sum(axis=0) / table.sum()
    phi = np.array([1, -f[0] / f[1]]) * np.sqrt(f[1] / f[0])
    psi = np.array([1, -g[0] / g[1]]) * np.sqrt(g[1] / g[0])
    (u, a), (v, b) = (centred_bits(bits) for bits in (left, right))
    u, v = u @ phi[:, None], v @ psi[:, None]
    naive = float((u * v).mean() - u.mean() * v.mean())
    return theta_of(u, v, a, b)[0], naive


def theta_of(u: Table, v: Table, a: Vector, b: Vector) -> tuple[Vector, Table]:
    """Return the interactions, and what each report contributes to their error."""
    columns = Columns((u.shape[1], v.shape[1]))
    rows = columns.of(u, v, a, b)
    assert rows.shape[1] == columns.count
    theta, slopes = columns.corrected(rows.mean(axis=0))
    return theta, rows @ slopes


def test_of_secret_levels_that_hang_together_theta_is_exact() -> None:
    apart = np.outer([3, 1], [1, 2])
    theta, naive = corrected(apart)
    assert theta == pytest.approx(0, abs=1e-12)
    assert abs(naive) > 1e-3  # without rho independent attributes look dependent
    tied = np.array([[4, 1], [1, 2]])
    f, g = tied.sum(axis=1) / 8, tied.sum(axis=0) / 8
    correlation = (tied[0, 0] / 8 - f[0] * g[0]) / np.sqrt(f[0] * f[1] * g[0] * g[1])
    assert corrected(tied)[0] == pytest.approx(correlation)


def test_what_a_report_adds_to_the_error_is_the_slope_of_theta() -> None:
    """The delta method, by taking each of some reports twice."""
    rng = np.random.default_rng(1)
    u, v = rng.normal(0.5, 1, (400, 2)), rng.normal(-0.3, 1, (400, 2))
    a, b = rng.normal(0.3, 0.2, 400), rng.normal(0.4, 0.2, 400)
    theta, errors = theta_of(u, v, a, b)
    np.testing.assert_allclose(errors.mean(axis=0), 0, atol=1e-12)
    numerator = theta * (a * b).mean()
    for i in range(5):
        more = np.append(np.arange(400), i)
        found, _ = theta_of(u[more], v[more], a[more], b[more])
        step = found * (a[more] * b[more]).mean() - numerator
        np.testing.assert_allclose(401 * step, errors[i] * (a * b).mean(), rtol=0.1, atol=0.02)
