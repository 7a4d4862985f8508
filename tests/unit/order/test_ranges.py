"""Ranges, quantiles and means of what is reported by intervals, at unequal levels."""

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.errors import DiscretionError, EstimateError, KindError
from discretion.order.evidence import OrderEvidence
from discretion.plan import Plan
from discretion.table import ReportTable

N = 6000
SEED = 20
WIDE = 4.5  # standard errors that a fixed seed may be off by


def survey(**fields: object) -> Plan:
    income = {"name": "income", "kind": "numeric", "range": [0, 1000], "step": 0.5}
    mood = {"name": "mood", "kind": "ordinal", "values": [f"m{i}" for i in range(20)]}
    first = {**income, "mechanism": "hierarchy", **fields}
    return Plan.of(
        {"name": "order", "attributes": [first, mood], "budget": {"levels": [0.5, 1, 2, 4]}}
    )


def crowd() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(SEED)
    income = np.where(rng.random(N) < 0.3, 500, np.clip(rng.gamma(3, 90, N).round(), 0, 1000))
    return income, rng.binomial(19, 0.3, N)


@pytest.fixture(scope="module")
def reports() -> ReportTable:
    income, mood = crowd()
    income = np.where(np.arange(N) % 10 == 0, np.nan, income)  # a tenth lacks it
    frame = pa.table({"income": income, "mood": [f"m{i}" for i in mood]})
    return ds.simulate(survey(), frame, budgets="levels", seed=SEED)


def test_ranges_hold_what_is_in_them(reports: ReportTable) -> None:
    income, _ = crowd()
    pairs = [(0, 250), (499, 501), ("250.5", 498.5), (None, 700), (800, None), (0, 1000)]
    found = ds.ranges(reports, "income", pairs)
    ends = [(0, 250), (499, 501), (250.5, 498.5), (0, 700), (800, 1000), (0, 1000)]
    truth = np.array([((income >= low) & (income <= high)).mean() for low, high in ends])
    assert [tuple(pair) for pair in found.ranges] == ends
    for estimate in (found, found.linear):
        error = estimate.stderr[:-1]
        assert (np.abs(estimate.value[:-1] - truth[:-1]) < WIDE * error).all()
        np.testing.assert_allclose(np.sqrt(np.diag(estimate.covariance)), estimate.stderr)
        low, high = estimate.interval().T
        kept = np.clip(estimate.value, 0, 1)
        assert (low <= kept).all()
        assert (kept <= high + 1e-12).all()
    assert found.value[-1] == pytest.approx(1)
    assert found.linear.stderr[-1] == pytest.approx(0, abs=1e-6)
    assert (found.stderr[[0, 2]] < found.linear.stderr[[0, 2]]).all()
    assert found.n < N


def test_texts_name_ranges_and_labels_are_in_order(reports: ReportTable) -> None:
    _, mood = crowd()
    found = ds.ranges(reports, "mood", ["..m3", "m4..m7", "m8.."])
    truth = np.array([(mood <= 3).mean(), ((mood >= 4) & (mood <= 7)).mean(), (mood >= 8).mean()])
    assert list(found.ranges) == [("m0", "m3"), ("m4", "m7"), ("m8", "m19")]
    assert (np.abs(found.value - truth) < WIDE * found.linear.stderr).all()
    rows = found.document()["ranges"]
    assert rows[0]["from"] == "m0"
    low, high = rows[0]["linear"]["low"], rows[0]["linear"]["high"]
    assert low is not None
    assert high is not None
    assert low <= high
    assert "m4 to m7" in str(found)
    whole = ds.ranges(reports, "mood")
    assert len(whole.ranges) == 10
    assert whole.value.sum() == pytest.approx(1)


def test_mean_quantiles_and_cdf_come_from_the_same_reports(reports: ReportTable) -> None:
    income, _ = crowd()
    mean = ds.mean(reports, "income")
    assert abs(mean.value - income.mean()) < WIDE * mean.stderr
    quantiles = ds.quantiles(reports, "income", [0.1, 0.5, 0.9])
    low, high = quantiles.interval(0.999).T
    truth = np.quantile(income, [0.1, 0.5, 0.9])
    assert (low <= truth).all()
    assert (truth <= high).all()
    assert quantiles.document()["method"] == "empirical bayes"
    points = [-5, 0, 250, 499.75, 500, 5000]
    cdf = ds.cdf(reports, "income", points)
    below = [(income <= point).mean() for point in points]
    low, high = cdf.interval(0.999).T
    assert (low <= below).all()
    assert (below <= high + 1e-12).all()
    assert cdf.value[0] == 0
    assert cdf.value[-1] == pytest.approx(1)
    counted = ds.Aggregate.of(reports)
    assert (
        ds.ranges(counted, "income", [(0, 250)]).value
        == ds.ranges(reports, "income", [(0, 250)]).value
    )


def test_cells_of_several_points_are_divided_evenly() -> None:
    income, _ = crowd()
    plan = survey(mechanism={"hierarchy": {"depths": 5}})
    frame = pa.table({"income": income, "mood": ["m0"] * N})
    table = ds.simulate(plan, frame, budgets="levels", seed=SEED)
    evidence = OrderEvidence.of(table, "income")
    assert len(evidence.leaves) == evidence.family.tree.nodes[-1] == 32
    cuts = np.arange(0, 65)
    first = evidence.leaves[0]
    np.testing.assert_allclose(evidence.below(cuts), first * cuts / 64)
    found = ds.ranges(evidence, "income", [(0, 250)])
    assert abs(found.value[0] - (income <= 250).mean()) < WIDE * found.linear.stderr[0]


@pytest.mark.parametrize("wrong", [[(5, 1)], ["5"], [(1, 2, 3)], [], [("a", "b")], ["m5..m2"]])
def test_what_is_no_range_is_refused(reports: ReportTable, wrong: list[object]) -> None:
    name = "mood" if wrong == ["m5..m2"] else "income"
    with pytest.raises(EstimateError, match="range"):
        ds.ranges(reports, name, wrong)  # type: ignore[arg-type]


def test_what_such_reports_cannot_say_is_refused_by_name(reports: ReportTable) -> None:
    for ask in (
        lambda: ds.frequencies(reports, "mood"),
        lambda: ds.joint(reports, ["mood", "income"]),
        lambda: ds.variance(reports, "income"),
    ):
        with pytest.raises(DiscretionError, match=r"mood|income"):
            ask()
    with pytest.raises(EstimateError, match="no single number"):
        ds.mean(reports, "mood")
    labels = ds.simulate(
        Plan.of(
            {
                "name": "few",
                "attributes": [{"name": "mood", "kind": "ordinal", "values": ["a", "b"]}],
                "budget": {"levels": [1]},
            }
        ),
        pa.table({"mood": ["a", "b"] * 50}),
        seed=1,
    )
    with pytest.raises(KindError):
        ds.ranges(labels, "mood", [("a", "b")])
