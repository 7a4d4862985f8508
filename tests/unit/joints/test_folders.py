"""Joint tables of a folder are those of the table that was written to it."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from discretion.crowd import simulate
from discretion.errors import EstimateError
from discretion.joints import joint
from discretion.joints.build import likelihood_of
from discretion.joints.shards import ShardedEvidence, evidence_of
from discretion.joints.table_evidence import Evidence
from discretion.plan import Plan
from discretion.robustness.joint_bound import joint_margin
from discretion.table import ReportFolder, ReportTable
from tests.builders import AVERAGE
from tests.folders import in_folder
from tests.unit.joints.crowds import crowd, dependent, plan_of
from tests.unit.table.test_folder import of_rounds

SIZES = (3, 4)
SINGLE = 2e-4  # sums in single precision, in another order, and climbs that end a step earlier
FLAT = 5e-3  # where a tenth of a nat, at which a climb may end, is that far: bins of noisy numbers
close = partial(np.testing.assert_allclose, rtol=1e-5, atol=1e-6)
FEW = pytest.mark.parametrize("few", [True, False], ids=["counted", "in shards"])


@pytest.fixture
def unlike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let three different reports be too many to be counted."""
    monkeypatch.setattr("discretion.table.distinct.MOST", 3)


def reports_of(
    mechanism: str | tuple[str, str], *, secret: bool = False, n: int = 900
) -> ReportTable:
    return crowd(plan_of(SIZES, mechanism, secret=secret), dependent(SIZES), n, seed=6)


@FEW
@pytest.mark.parametrize("mechanism", ["grr", "oue", "subset"])
def test_a_likelihood_is_that_of_all_reports(
    mechanism: str, few: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if not few:
        request.getfixturevalue("unlike")
    table = reports_of(mechanism)
    evidence = evidence_of(in_folder(table, tmp_path), ("a", "b"))
    assert isinstance(evidence, Evidence if few else ShardedEvidence)
    whole, parts = likelihood_of(Evidence.of(table, ("a", "b"))), likelihood_of(evidence)
    f = np.random.default_rng(1).dirichlet(np.ones(12))
    assert parts.n == whole.n
    assert parts.slope(f)[0] == pytest.approx(whole.slope(f)[0], rel=1e-6)
    close(parts.slope(f)[1], whole.slope(f)[1])
    close(parts.information(f), whole.information(f), rtol=1e-4)
    slopes = np.random.default_rng(2).normal(size=(12, 5))
    close(parts.information_along(f, slopes), whole.information_along(f, slopes), rtol=1e-3)


@FEW
@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1)])
def test_evidence_counts_who_answers_what(
    axes: tuple[int, ...], few: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if not few:
        request.getfixturevalue("unlike")
    table = reports_of("grr")
    whole = Evidence.of(table, ("a", "b"))
    found = evidence_of(in_folder(table, tmp_path), ("a", "b"))
    assert found.n == whole.n
    assert found.holding(axes) == whole.holding(axes)
    assert found.answering(axes) == whole.answering(axes)


@FEW
@pytest.mark.parametrize("method", ["mle", "map", "independent", "em-lopub", "lasso"])
def test_tables_are_those_of_the_table(
    method: str, few: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if not few:
        request.getfixturevalue("unlike")
    table = reports_of(("oue", "subset"))
    expected, found = (joint(r, ["a", "b"], method) for r in (table, in_folder(table, tmp_path)))
    np.testing.assert_allclose(found.value, expected.value, atol=SINGLE)
    assert (found.n, found.holding) == (expected.n, expected.holding)


@FEW
def test_secret_tables_are_those_of_the_table(
    few: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if not few:
        request.getfixturevalue("unlike")
    plan = plan_of((3, 4, 2), "oue", secret=True)
    table = crowd(plan, dependent((3, 4, 2)), 1200, seed=6, share=(1, 3))
    expected, found = (joint(r, ["a", "b"]) for r in (table, in_folder(table, tmp_path)))
    np.testing.assert_allclose(found.value, expected.value, atol=SINGLE)


def test_moments_are_unbiased_alike_and_shards_estimate_their_spread_alike(tmp_path: Path) -> None:
    """The value is the same sum; the deviations are those of other random parts of the reports."""
    table = reports_of("subset", n=6000)
    folder = in_folder(table, tmp_path, shard=1500)
    expected, found = (joint(r, ["a", "b"], "tensor") for r in (table, folder))
    np.testing.assert_allclose(found.value, expected.value, atol=1e-12)
    np.testing.assert_allclose(found.stderr, expected.stderr, rtol=0.25)


def test_bundles_and_numbers_are_estimated_too(tmp_path: Path) -> None:
    bundled = plan_of(SIZES, "grr", bundles=[["a", "b"]])
    table = crowd(bundled, dependent(SIZES), 900, seed=6)
    expected, found = (joint(r, ["a", "b"]) for r in (table, in_folder(table, tmp_path / "b")))
    np.testing.assert_allclose(found.value, expected.value, atol=SINGLE)
    age = {"name": "age", "kind": "numeric", "range": [0, 50], "step": 1}
    sex = {"name": "sex", "kind": "categorical", "values": ["f", "m"]}
    plan = Plan.of({"name": "n", "attributes": [age, sex], "budget": AVERAGE})
    rng = np.random.default_rng(2)
    records = {"age": rng.integers(0, 50, 2000), "sex": rng.choice(["f", "m"], 2000)}
    table = simulate(plan, records, budgets="dirichlet", seed=3)
    pair = [joint(r, ["age", "sex"]) for r in (table, in_folder(table, tmp_path / "n"))]
    assert pair[0].labels == pair[1].labels
    np.testing.assert_allclose(pair[1].value, pair[0].value, atol=FLAT)


@FEW
def test_margins_are_those_of_the_table(
    few: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if not few:
        request.getfixturevalue("unlike")
    table = reports_of("oue")
    expected, found = (joint_margin(r, ["a", "b"]) for r in (table, in_folder(table, tmp_path)))
    close(found.up, expected.up)
    close(found.down, expected.down)


def test_what_a_folder_cannot_answer_is_said(tmp_path: Path) -> None:
    folder = in_folder(of_rounds(reports_of("grr"), 0, 3), tmp_path)
    with pytest.raises(EstimateError, match=r"one round, got 0, 3: use of_round\(\)"):
        joint(folder, ["a", "b"])
    with pytest.raises(EstimateError, match="nobody shared 'a'"):
        joint(folder.of_round(7), ["a", "b"])


def test_wide_reports_are_not_gathered(tmp_path: Path) -> None:
    plan = plan_of((40, 40), "oue")
    table = crowd(plan, dependent((40, 40)), 300, seed=1)
    folder: ReportFolder = in_folder(table, tmp_path)
    assert isinstance(evidence_of(folder, ("a", "b")), ShardedEvidence)
