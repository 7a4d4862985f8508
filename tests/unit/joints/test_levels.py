"""Levels that depend on values: every estimate from several attributes notices and says so."""

import warnings
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.errors import DependenceWarning, EstimateError
from discretion.joints import joint
from discretion.joints.joint import INCURABLE
from discretion.table import ReportTable
from tests.unit.joints.crowds import Table, crowd, dependent, plan_of, records

LEVELS = {"levels": [1.0, 4.0]}
F = dependent((2, 3))
SURE = 5.0  # standard errors


def cautious(
    n: int = 20_000, seed: int = 3, mechanism: str = "subset", *, alone: bool = False
) -> ReportTable:
    """Owners of a0 report it with little budget, and so do those of b0, with exceptions."""
    plan = plan_of((2, 3), mechanism, budget=LEVELS)
    frame, rng = records(plan, F, n, seed), np.random.default_rng((seed, 2))
    budgets = {}
    for name in ("a", "b"):
        first = np.array([value == f"{name}0" for value in frame[name].to_pylist()])
        careful = rng.random(n) < np.where(first, 0.9, 0.1)
        budgets[name] = np.where(careful, 1.0, 4.0)
    share = 1 if alone else "all"
    return ds.simulate(plan, frame, budgets=pa.table(budgets), share=share, seed=seed)


ASKED: dict[str, Callable[[ReportTable], object]] = {
    "joint": lambda reports: joint(reports, ("a", "b")),
    "map": lambda reports: joint(reports, ("a", "b"), "map"),
    "dependence": ds.dependence,
    "publish": lambda reports: ds.publish(reports, 10, seed=1),
}


@pytest.mark.parametrize("asked", ASKED)
def test_levels_that_depend_on_values_are_named_with_a_remedy(asked: str) -> None:
    with pytest.warns(DependenceWarning, match="a, b: owners' budgets .*'stratified'") as caught:
        ASKED[asked](cautious(4_000))
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("asked", ASKED)
def test_honest_levels_are_not_mentioned(asked: str) -> None:
    reports = crowd(plan_of((2, 3)), F, 4_000, 3, missing=0.3)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DependenceWarning)
        ASKED[asked](reports)


def test_a_table_keeps_the_tests_and_says_so() -> None:
    with pytest.warns(DependenceWarning):
        table = joint(cautious(4_000), ("a", "b"))
    assert set(table.homogeneity) == {"a", "b"}
    assert max(test.pvalue for test in table.homogeneity.values()) < 1e-6
    assert "levels depend on values: a, b" in str(table)


def off(table: Table, stderr: Table) -> float:
    return float(np.abs((table - F) / stderr).max())


def test_a_stratified_table_is_right_there_and_does_not_warn() -> None:
    reports = cautious(100_000)
    with pytest.warns(DependenceWarning):
        pooled = joint(reports, ("a", "b"), "tensor")
    assert off(pooled.value, pooled.stderr) > 2 * SURE
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = joint(reports, ("a", "b"), "stratified")
    assert off(found.value, found.stderr) < SURE
    assert found.value.sum() == pytest.approx(1)


def test_the_stratified_table_of_folders_is_that_of_tables(tmp_path: object) -> None:
    reports = cautious(2_000)
    reports.write(f"{tmp_path}/part.parquet")
    folder = ds.ReportFolder.open(f"{tmp_path}")
    found = joint(folder, ("a", "b"), "stratified").value
    np.testing.assert_allclose(found, joint(reports, ("a", "b"), "stratified").value, atol=1e-12)


@pytest.mark.parametrize("seed", [135, 137])
def test_few_rows_that_stand_for_many_reports_are_maximised(seed: int) -> None:
    """Their rounding does not average out: steps must not be refused for it."""
    with pytest.warns(DependenceWarning):
        assert joint(cautious(seed=seed), ("a", "b"), "mle").value.min() > 0


def test_what_cannot_be_repaired_is_said() -> None:
    """No report is about both attributes: there is no unbiased table of them."""
    with pytest.warns(DependenceWarning, match=INCURABLE):
        joint(cautious(4_000, alone=True), ("a", "b"), "map")


def test_secret_levels_have_no_strata() -> None:
    reports = crowd(plan_of((2, 3), "oue", secret=True), F, 500, 1)
    assert not joint(reports, ("a", "b")).homogeneity
    with pytest.raises(EstimateError, match="stratified needs disclosed levels"):
        joint(reports, ("a", "b"), "stratified")


def test_the_quality_report_says_so_first() -> None:
    with pytest.warns(DependenceWarning):
        quality = ds.publish(cautious(4_000), 10, seed=1).quality()
    said = "Owners' budgets depend on their values of a and b (adjusted p < 0.0001)"
    assert said in str(quality)
    assert "budgets depend on their values of a and b" in quality.to_html()
    assert set(quality.document()["dependence"]["homogeneity"]) == {"a", "b"}
