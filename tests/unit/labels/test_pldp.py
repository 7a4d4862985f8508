"""The paper's estimator, by hand, and its bias where budgets differ."""

import numpy as np
import pytest
from scipy.stats import norm

from discretion.aggregate import Aggregate, Evidence
from discretion.errors import EstimateError
from discretion.family.counts import Tally
from discretion.labels import frequencies
from discretion.labels.pldp import average_level
from discretion.plan import Family, Plan
from discretion.table import ReportTable
from tests.builders import (
    AVERAGE,
    MODE,
    PET,
    TOTAL,
    answered,
    author,
    bits,
    crowd,
    disclosed,
    secret_survey,
    table_of,
)
from tests.significance import ALPHA
from tests.tallies import counted_as
from tests.unit.estimate.exact import on_simplex

OUE = [{**question, "mechanism": "oue"} for question in (MODE, PET)]


def test_equation_16_mended_by_hand() -> None:
    """(c / n - q) / (1/2 - q) with q = 1 / (e^2 + 1), whatever the owners chose around it."""
    plan = Plan.of(author(attributes=OUE, budget=AVERAGE))
    rows = [{"pet": (level, y)} for level, y in ((250, 1), (2000, 3), (2000, 1), (1750, 4))]
    estimate = frequencies(table_of(plan, [*rows, {"mode": (500, 0)}]), "pet", "pldp")
    q = 1 / (np.exp(2) + 1)
    np.testing.assert_allclose(estimate.value, (np.array([3, 1, 1]) / 4 - q) / (0.5 - q))
    assert estimate.value.sum() != pytest.approx(1)
    assert estimate.n == 4


def test_its_covariance_is_that_of_owners_who_all_had_the_average() -> None:
    """By enumeration of one report; no contrast is taken, so the sum of the values varies too."""
    plan = Plan.of(author(attributes=OUE, budget=AVERAGE))
    ys = [0b001] * 5 + [0b010] * 3 + [0b100] * 2 + [0b000] * 2
    rows = [{"pet": (250 if i % 2 else 2000, y)} for i, y in enumerate(ys)]
    estimate = frequencies(table_of(plan, [*rows, {"mode": (500, 0)}]), "pet", "pldp")
    f, law = on_simplex(estimate.value), plan.questions["pet"].law(2000, Family.SETS)
    q = float(law.inclusion.other)
    mean, second = np.zeros(3), np.zeros((3, 3))
    for y in law.outputs():
        probability = sum(fx * float(law.probability(y, x)) for x, fx in enumerate(f))
        z = (bits(y, 3) - q) / (0.5 - q)
        mean, second = mean + probability * z, second + probability * np.outer(z, z)
    np.testing.assert_allclose(mean, f)
    np.testing.assert_allclose(estimate.covariance, (second - np.outer(f, f)) / 12, atol=1e-12)


def reports_by_level(reports: ReportTable, name: str) -> dict[int, int]:
    return Evidence.of(reports, name).reports_by_level


def test_its_bias_is_as_predicted_however_many_owners_there_are() -> None:
    """(1 - f)(mean q - q(avg)) / (1/2 - q(avg)): q is convex, so the bias is upwards."""
    levels, n = np.array([0.25, 1.0, 2.0, 4.75]), 200_000
    plan = disclosed("oue", 4, levels=levels.tolist())  # the mean level is 2
    f = np.array([0.4, 0.3, 0.2, 0.1])
    codes = np.random.default_rng(95).choice(4, n, p=f)
    reports = answered(plan, codes, seed=95)
    sent = reports_by_level(reports, "x")
    assert average_level(plan, sent) == pytest.approx(2000, abs=20)
    shares = np.array(list(sent.values())) / sum(sent.values())
    q_average = 1 / (np.exp(average_level(plan, sent) / 1000) + 1)
    bias = (1 - f) * (shares @ (1 / (np.exp(levels) + 1)) - q_average) / (0.5 - q_average)
    estimate = frequencies(reports, "x", "pldp")
    stderr = 1.5 * estimate.stderr  # unequal budgets are noisier than the average
    reach = norm.isf(ALPHA / 8)
    assert (bias > 20 * stderr).all()
    error = estimate.value - f
    assert (np.abs(error - bias) < reach * stderr).all(), f"{error} against {bias}, seed 95"


def test_the_average_is_the_plans_where_it_has_one() -> None:
    plan = Plan.of(author(attributes=OUE, budget={**AVERAGE, "average": 2.1}))
    assert average_level(plan, reports_by_level(crowd(plan, 50, seed=1), "pet")) == 2100


def test_else_it_is_the_mean_of_the_levels_that_were_sent() -> None:
    plan = disclosed("oue", 3)
    rows = [{"x": (500, 1)}, {"x": (500, 0)}, {"x": (3000, 2)}, {"z": (3000, 1)}]
    assert average_level(plan, reports_by_level(table_of(plan, rows), "x")) == 1333


def test_secret_levels_without_a_stated_average_have_none() -> None:
    plan = Plan.of(author(attributes=OUE, budget=TOTAL, allocation="secret"))
    with pytest.raises(EstimateError, match="pldp needs a plan with an average budget"):
        average_level(plan, reports_by_level(crowd(plan, 50, seed=1), "pet"))


def test_a_secret_plan_can_be_compared_too() -> None:
    plan = secret_survey()
    reports = crowd(plan, 400, seed=96)
    tally = counted_as(Aggregate.of(reports), "pet", Tally)[0]
    q = 1 / (np.exp(2) + 1)
    estimate = frequencies(reports, "pet", "pldp")
    np.testing.assert_allclose(estimate.value, (tally.supports / tally.n - q) / (0.5 - q))
