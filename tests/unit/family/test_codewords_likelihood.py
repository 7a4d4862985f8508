"""The likelihood of coded reports is the law's, and its maximum is the most likely one."""

from functools import cache

import numpy as np
import pytest

from discretion.crowd import simulate
from discretion.errors import EstimateError
from discretion.family.codewords import likelihood as module
from discretion.family.codewords.likelihood import CodedLikelihood
from discretion.labels import frequencies
from discretion.plan import Family, Plan
from discretion.table import ReportTable
from tests.builders import drawn, table_of
from tests.unit.family.test_codewords_linear import COHORTS, one_attribute, plan_of

MECHANISMS = [
    "bloom",
    {"bloom": {"hashes": 3, "bits": 40}},
    {"rappor": {"hashes": 2, "bits": 7, "cohorts": 3}},
    COHORTS,
    "she",
]
F = np.array([0.5, 0.2, 0.3])


def few(plan: Plan, seed: int = 1) -> ReportTable:
    """Return reports of unequal levels, some without the attribute."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(60):
        level = int(rng.choice([500, 1500, 3000]))
        row = {"x": (level, int(rng.integers(3))), "z": (1500, i % 2)}
        rows.append(row if i % 5 else {"z": row["z"]})
    return drawn(plan, rows, seed)


def likelihood_of(reports: ReportTable) -> CodedLikelihood:
    return CodedLikelihood.of("x", reports)


def probabilities(reports: ReportTable) -> np.ndarray:
    """Return the likelihood of every report in its own law: (n, size)."""

    @cache
    def row(level: int, y: bytes) -> list[float]:
        law, whole = (
            reports.plan.questions["x"].law(level, Family.CODEWORDS),
            int.from_bytes(y, "little"),
        )
        return [float(law.probability(whole, code)) for code in range(law.size)]

    levels, ys = (reports.data[f"x.{field}"].to_pylist() for field in ("level", "y"))
    return np.array([row(v, y) for v, y in zip(levels, ys, strict=True) if y is not None])


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_height_slope_and_curvature_are_those_of_the_law(mechanism: object) -> None:
    reports = few(plan_of(mechanism))
    likelihood, rows = likelihood_of(reports), probabilities(reports)
    assert likelihood.n == len(rows)
    g = np.array([0.1, 0.6, 0.3])
    here, there = likelihood.at(F), likelihood.at(g)
    gained = np.log(rows @ g).sum() - np.log(rows @ F).sum()
    assert there.value - here.value == pytest.approx(gained)
    scores = rows / (rows @ F)[:, None]
    np.testing.assert_allclose(here.multiplier, scores.mean(axis=0))
    np.testing.assert_allclose(here.curvature, ((scores - 1) ** 2).mean(axis=0))
    np.testing.assert_allclose(likelihood.curvature(F), scores.T @ scores / len(rows))


def test_rows_that_do_not_fit_into_memory_are_worked_out_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reports = few(plan_of(MECHANISMS[2]))
    whole = likelihood_of(reports).at(F)
    monkeypatch.setattr(module, "KEPT", 0)
    monkeypatch.setattr(module, "BLOCK", 10)
    parts = likelihood_of(reports).at(F)
    assert parts.value == pytest.approx(whole.value)
    np.testing.assert_allclose(parts.multiplier, whole.multiplier)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_no_other_frequencies_are_more_likely(mechanism: object) -> None:
    plan = plan_of(mechanism)
    rng = np.random.default_rng(3)
    frame = {"x": rng.choice(3, 3000, p=F), "z": rng.choice(["yes", "no"], 3000)}
    reports = simulate(plan, frame, budgets="levels", share=0.8, seed=4)
    found, rows = frequencies(reports, "x", "mle"), probabilities(reports)
    best = np.log(rows @ found.value).sum()
    assert (found.value >= 0).all()
    assert found.value.sum() == pytest.approx(1)
    for other in rng.dirichlet(np.ones(3), 200):
        mixed = 0.9 * found.value + 0.1 * other
        assert np.log(rows @ mixed).sum() <= best + 1e-3


def test_it_is_no_worse_than_the_linear_estimate() -> None:
    plan = one_attribute({"bloom": {"hashes": 2, "bits": 4}}, 3)
    x = np.random.default_rng(5).choice(3, 20_000, p=F)
    reports = simulate(plan, {"x": x}, budgets="levels", seed=6)
    mle, linear = (frequencies(reports, "x", method) for method in ("mle", "weighted"))
    assert (mle.stderr < linear.stderr).all()
    assert np.abs((mle.value - np.bincount(x) / len(x)) / mle.stderr).max() < 4


def test_a_cell_at_zero_keeps_an_interval() -> None:
    plan = one_attribute({"bloom": {"hashes": 2}}, 4)
    x = np.random.default_rng(7).choice(3, 3000)
    estimate = frequencies(simulate(plan, {"x": x}, budgets="levels", seed=9), "x", "mle")
    assert estimate.value[3] < 0.1
    assert 0 < estimate.stderr[3] < 0.2


def test_one_cohort_alone_does_not_distinguish_all_values() -> None:
    plan = one_attribute(COHORTS, 3)
    law = plan.questions["x"].law(3000, Family.CODEWORDS)
    rows = [{"x": (3000, y)} for y in law.outputs() if y >> law.encoding.bits == 0]
    with pytest.raises(
        EstimateError, match="the codewords of 'x' do not distinguish all its values"
    ):
        frequencies(table_of(plan, rows), "x", "mle")
