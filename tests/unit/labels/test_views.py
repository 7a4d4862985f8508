"""Frequencies of attributes that are reported in views: every view that holds them counts."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from discretion.aggregate import Aggregate, Evidence
from discretion.crowd import simulate
from discretion.labels import frequencies
from discretion.robustness import margin
from discretion.robustness.weights import weights
from discretion.table import ReportFolder, ReportTable
from tests.plans import viewed_commuters

SEED = 20261119
N = 20_000
SHARES = {"mode": [0.4, 0.2, 0.2, 0.1, 0.1], "home": [0.7, 0.3]}


@pytest.fixture(scope="module")
def reports() -> ReportTable:
    """Owners at four levels, a fifth of whom lack their age."""
    rng, plan = np.random.default_rng(SEED), viewed_commuters()
    mode = rng.choice(5, N, p=SHARES["mode"])
    home = rng.random(N) < np.array([0.1, 0.2, 0.6, 0.5, 0.4])[mode]
    ages = np.where(rng.random(N) < 0.2, np.nan, rng.integers(16, 100, N))
    records = {
        "mode": np.array(plan.attributes["mode"].labels)[mode],
        "home": np.where(home, "country", "town"),
        "age": pa.array(ages, from_pandas=True),
        "temperature": rng.random(N),
    }
    return simulate(plan, pa.table(records), budgets="levels", seed=SEED)


@pytest.mark.parametrize("method", ["mle", "weighted", "stratified"])
def test_every_view_counts_and_errors_are_as_stated(reports: ReportTable, method: str) -> None:
    found = frequencies(reports, "mode", method)
    holding = [name for name in reports.shared if "mode" in reports.plan.questions[name].parts]
    assert len(holding) == 6
    assert found.n == sum(Evidence.of(reports, name).n for name in holding)
    z = (found.value - SHARES["mode"]) / found.stderr
    assert np.abs(z).max() < 4, SEED
    alone = frequencies(reports, "mode+home", "weighted")
    cells = alone.covariance.reshape(5, 2, 5, 2).sum(axis=(1, 3))
    assert (found.stderr < 0.75 * np.sqrt(np.diag(cells))).all()


def test_counts_and_files_give_the_same_as_the_reports(
    reports: ReportTable, tmp_path: Path
) -> None:
    whole = frequencies(reports, "home", "weighted")
    counts = frequencies(Aggregate.of(reports), "home")
    np.testing.assert_allclose(counts.value, whole.value)
    for i, half in enumerate((slice(0, N // 2), slice(N // 2, None))):
        part = ReportTable(reports.plan, reports.data[half], simulated=True)
        part.write(tmp_path / f"{i}.parquet")
    folder = frequencies(ReportFolder.open(tmp_path), "home", "mle")
    np.testing.assert_allclose(folder.value, frequencies(reports, "home", "mle").value, atol=1e-6)


def test_homogeneity_weights_and_manipulation_bounds_count_views(reports: ReportTable) -> None:
    test = frequencies(reports, "home").homogeneity
    assert test is not None
    assert test.pvalue > 1e-6, SEED
    own = weights(reports, "home")
    assert [each.level for each in own] == [500, 1000, 2000, 4000]
    assert sum(each.share for each in own) == pytest.approx(1)
    bound = margin(reports, "home", 0.01)
    assert bound.level == 4000
    assert 0 < bound.value.max() < margin(reports, "mode+home", 0.01).value.max() * 10
