"""Which attributes depend on each other: strengths, edges, and what nobody can tell."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from discretion.crowd import simulate
from discretion.errors import DiscretionError, EstimateError
from discretion.plan import Plan
from discretion.synthesis.dependence import Dependence, Pair, _test, dependence
from discretion.synthesis.score_statistic import Sample, ScoreStatistic
from discretion.table import ReportTable
from tests.builders import table_of
from tests.cases import for_each
from tests.plans import bundled_numbers
from tests.unit.joints.crowds import Table, crowd, dependent, labels, plan_of, records
from tests.unit.synthesis.trees import reports_of

SIZES = (3, 4, 2)
PLAN = plan_of(SIZES)
OPEN = {"levels": [8, 12, 20]}


def information(f: Table) -> float:
    product = np.outer(f.sum(axis=1), f.sum(axis=0))
    return float((f * np.log(f / product)).sum())


def two_and_one(strength: float = 1.5) -> Table:
    """Return a table in which a and b depend on each other, and c on nothing."""
    return np.multiply.outer(dependent(SIZES[:2], strength=strength), np.array([0.3, 0.7]))


def named(found: Dependence) -> dict[tuple[str, str], Pair]:
    return {pair.names: pair for pair in found.pairs}


@pytest.mark.parametrize("secret", [False, True], ids=["disclosed", "secret"])
def test_the_pair_that_depends_is_the_edge(secret: bool) -> None:
    plan = plan_of(SIZES, "oue", secret=secret)
    found = dependence(crowd(plan, two_and_one(), 30_000, seed=1))
    assert [pair.names for pair in found.edges] == [("a", "b")]
    pairs = named(found)
    assert list(pairs) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert pairs["a", "b"].p < 1e-6
    assert [pairs[names].df for names in pairs] == [6, 2, 3]
    assert set(found.graph.edges) == {("a", "b")}
    assert set(found.graph.nodes) == set("abc")
    assert found.graph.edges["a", "b"]["strength"] == pairs["a", "b"].strength


def test_the_statistic_is_pearsons_where_reports_are_open() -> None:
    """Levels of twenty, all alike: chi-square of the contingency table, but for n / (n - 1)."""
    plan = plan_of((3, 4), "grr", budget={"levels": [10, 20]})
    f = dependent((3, 4), strength=0.1)
    frame = records(plan, f, 2_000, seed=1)
    levels = pa.table({name: [20.0] * 2_000 for name in "ab"})
    (pair,) = dependence(simulate(plan, frame, budgets=levels, seed=1)).pairs
    counts = np.zeros((3, 4))
    codes = [np.array([labels(n, 4).index(v) for v in frame[n].to_pylist()]) for n in "ab"]
    np.add.at(counts, tuple(codes), 1)
    expected = stats.chi2_contingency(counts, correction=False)
    assert pair.statistic == pytest.approx(expected.statistic * 1999 / 2000, rel=1e-3)
    assert pair.df == expected.dof
    assert pair.p == pytest.approx(expected.pvalue, rel=0.1)
    assert pair.n == 2_000


@pytest.mark.parametrize("budget", [OPEN, {"levels": [1, 2, 4]}], ids=["open", "noisy"])
def test_the_strength_is_the_mutual_information_where_that_is_small(budget: Any) -> None:
    f = dependent((3, 4), strength=0.35)
    plan = plan_of((3, 4), budget=budget)
    (pair,) = dependence(crowd(plan, f, 200_000, 2, budgets="levels")).pairs
    assert pair.strength == pytest.approx(information(f), rel=0.25)


def test_noise_alone_has_little_strength() -> None:
    plan = plan_of((5, 5))
    f = np.full((5, 5), 1 / 25)
    strengths = [dependence(crowd(plan, f, 5_000, seed)).pairs[0].strength for seed in range(20)]
    assert np.median(strengths) < 0.01
    assert min(strengths) == 0


def test_a_bundle_is_evidence_of_its_own_pair() -> None:
    plan = plan_of(SIZES, "subset", bundles=[["b", "a"]])
    found = dependence(crowd(plan, two_and_one(), 5_000, seed=1, missing=0.0))
    pairs = named(found)
    assert pairs["a", "b"].n == 5_000
    assert [pair.names for pair in found.edges] == [("a", "b")]
    apart = dependence(crowd(PLAN, two_and_one(), 5_000, seed=1, missing=0.0))
    assert pairs["a", "b"].statistic > 2 * named(apart)["a", "b"].statistic


def test_a_number_stands_in_bins() -> None:
    found = named(dependence(reports_of("number", 4_000), bins={"x": [0, 2, 5, 10]}))
    assert found["a", "x"].p < 1e-6
    assert found["a", "x"].df == 4
    assert min(found["b", "x"].p, found["c", "x"].p) > 1e-3


def test_attributes_that_nobody_reports_together_show_no_dependence() -> None:
    for secret in (False, True):
        plan = plan_of(SIZES, "oue", secret=secret)
        rows: list[dict[str, tuple[int, int]]] = [{"a": (1000, 1)}, {"b": (2000, 1)}] * 20
        found = dependence(table_of(plan, rows))
        assert found.attributes == ("a", "b")
        (pair,) = found.pairs
        assert (pair.n, pair.p, pair.strength, pair.statistic) == (0, 1.0, 0.0, 0.0)
        assert found.edges == ()


@for_each("secret", [False, True])
@for_each("n", [1, 2, 3, 8])
def test_a_few_reports_show_next_to_nothing(n: int, secret: bool) -> None:
    plan = plan_of(SIZES, "oue", secret=secret)
    for seed in range(5):
        found = dependence(crowd(plan, two_and_one(), n, seed, missing=0.0))
        assert all(0.001 < pair.p <= 1 for pair in found.pairs)
        assert all(np.isfinite(pair.strength) for pair in found.pairs)


def test_one_attribute_has_no_pairs() -> None:
    found = dependence(table_of(PLAN, [{"a": (1000, 1)}]))
    assert found.attributes == ("a",)
    assert found.pairs == found.edges == ()
    assert found.to_frame().num_rows == 0


def test_p_values_are_adjusted_over_all_pairs() -> None:
    found = dependence(crowd(plan_of((3, 2, 4, 2)), dependent((3, 2, 4, 2)), 5_000, seed=3))
    p = [pair.p for pair in found.pairs]
    expected = stats.false_discovery_control(p)
    assert [pair.adjusted for pair in found.pairs] == pytest.approx(expected.tolist())
    assert any(pair.adjusted > pair.p for pair in found.pairs)


def test_a_smaller_rate_finds_fewer_edges_and_the_strongest_come_first() -> None:
    reports = crowd(plan_of((3, 3, 3, 3)), dependent((3, 3, 3, 3), strength=0.7), 20_000, seed=3)
    many, few = dependence(reports, rate=0.5), dependence(reports, rate=1e-12)
    assert set(few.edges) < set(many.edges)
    strengths = [pair.strength for pair in many.edges]
    assert strengths == sorted(strengths, reverse=True)
    assert (few.rate, many.rate) == (1e-12, 0.5)


def test_names_choose_attributes_and_their_order() -> None:
    reports = crowd(PLAN, two_and_one(), 3_000, seed=1)
    (pair,) = dependence(reports, ["c", "a"]).pairs
    assert pair.names == ("c", "a")
    other = named(dependence(reports))["a", "c"]
    assert pair.p == pytest.approx(other.p, rel=1e-3)


def test_what_values_are_called_does_not_matter() -> None:
    """Other labels, in another order: the test is the same."""
    f = two_and_one(0.3)
    frame = records(PLAN, f, 3_000, seed=1, missing=0.2)
    turned = plan_of(SIZES)
    found = named(dependence(simulate(PLAN, frame, budgets="dirichlet", seed=1)))
    codes = {"b0": "b2", "b1": "b0", "b2": "b3", "b3": "b1", None: None}
    swapped = frame.set_column(1, "b", pa.array([codes[v] for v in frame["b"].to_pylist()]))
    other = named(dependence(simulate(turned, swapped, budgets="dirichlet", seed=1)))
    assert found["a", "c"].p == pytest.approx(other["a", "c"].p, rel=1e-3)


def test_a_frame_has_a_row_for_each_pair() -> None:
    found = dependence(crowd(PLAN, two_and_one(), 20_000, seed=2))
    frame = found.to_frame().to_pylist()
    assert [row["edge"] for row in frame] == [True, False, False]
    assert frame[0]["strength"] == found.pairs[0].strength
    assert set(frame[0]) == {*Pair.__slots__, "edge"}


def test_directions_without_information_are_left_out() -> None:
    flat = ScoreStatistic(np.array([3.0, 1e-6]), np.diag([4.0, 1e-12]), 100)
    statistic, df, p, strength, _ = _test(flat)
    assert statistic == pytest.approx(9 / 4)
    assert df == 1
    assert p == pytest.approx(stats.chi2.sf(9 / 4, 1))
    assert 0 < strength < (3 / 4) ** 2 / 2  # the huge estimate of the other one is not in it


def test_the_strength_of_what_is_well_estimated_is_half_the_squares() -> None:
    theta, information = np.array([0.1, -0.3, 0.2]), np.array([1e5, 4e5, 2e5])
    well = ScoreStatistic(information * theta, np.diag(information), 10**6)
    assert _test(well)[3] == pytest.approx((theta**2).sum() / 2, rel=1e-2)
    assert (
        _test(ScoreStatistic(np.sqrt(information), np.diag(information), 10**6))[3] == 0
    )  # as noise alone would be


def test_a_sampled_covariance_asks_for_more() -> None:
    """Hotelling's law against the t-test that it is in one direction."""
    rng = np.random.default_rng(1)
    added = rng.normal(0.5, 1, 12)
    score = ScoreStatistic(
        added.sum(keepdims=True), 11 * np.cov(added)[None, None], 12, sampled=True
    )
    statistic = added.sum() ** 2 / (11 * np.var(added, ddof=1))
    t = stats.ttest_1samp(added, 0)
    assert t.statistic**2 == pytest.approx(statistic * 11 / 12)
    assert _test(score)[0] == pytest.approx(statistic)
    few = ScoreStatistic(np.ones(3), np.eye(3), 4, sampled=True)
    assert _test(few)[2] == 1.0  # as many reports as directions, or so


def test_rare_values_widen_the_law() -> None:
    """One report that is most of the score is no proof."""
    left, right = np.array([[3.0], [0.1], [-0.1]], np.float32), np.ones((3, 1), np.float32)
    light = ScoreStatistic(np.array([3.0]), np.array([[1.0]]), 3)
    heavy = ScoreStatistic(
        np.array([3.0]), np.array([[1.0]]), 3, samples=(Sample(left, right, np.ones(3)),)
    )
    assert _test(light)[2] == pytest.approx(stats.chi2.sf(9, 1))
    scale = 1 + (81.0002 - 1) / 2
    assert _test(heavy)[2] == pytest.approx(stats.chi2.sf(9 / scale, 1 / scale), rel=0.01)


def test_numbers_that_are_reported_for_their_means_alone_are_left_out() -> None:
    plan = bundled_numbers()
    rng = np.random.default_rng(1)
    frame = {name: rng.integers(0, 3, 200) for name in "abc"}
    reports = simulate(plan, frame, seed=1)
    assert reports.shared == ["c", "a+b"]
    assert dependence(reports).attributes == ("c",)
    with pytest.raises(EstimateError, match="bundles of numbers alone"):
        dependence(reports, ["a", "c"])


def rounds_of(reports: ReportTable) -> ReportTable:
    """Return the reports twice, as if of two rounds."""
    later = reports.data.set_column(1, "round", pa.array([1] * len(reports), pa.int32()))
    return ReportTable(reports.plan, pa.concat_tables([reports.data, later]))


@pytest.mark.parametrize("rate", [0, 1, float("nan"), -0.1])
def test_a_rate_must_lie_between_zero_and_one(rate: float) -> None:
    with pytest.raises(EstimateError, match="between 0 and 1, got"):
        dependence(table_of(PLAN, [{"a": (1000, 1)}]), rate=rate)


@pytest.mark.parametrize(
    "attributes, message",
    [
        (["a"], "two attributes or more"),
        ("ab", "two attributes or more"),
        ([], "two attributes or more"),
        (["a", "a"], "different attributes, got a, a"),
        (["a", "z"], "z"),
        (["a", "c"], "nobody shared 'c'"),
    ],
)
def test_attributes_that_are_refused(attributes: Sequence[str], message: str) -> None:
    reports = table_of(PLAN, [{"a": (1000, 1), "b": (1000, 1)}] * 3)
    with pytest.raises(DiscretionError, match=message):
        dependence(reports, attributes)


def test_pairs_too_large_for_a_covariance_are_refused_before_any_work() -> None:
    reports = table_of(plan_of((92, 92)), [{"a": (1000, 1), "b": (1000, 1)}])
    with pytest.raises(EstimateError, match="'a' with 92 values and 'b' with 92 are too large"):
        dependence(reports)


def test_numbers_of_which_only_the_mean_is_estimated_are_refused_by_name() -> None:
    number = {"name": "x", "kind": "numeric", "range": [0, 10], "step": 1, "mechanism": "duchi"}
    label = {"name": "a", "kind": "categorical", "values": ["no", "yes"]}
    plan = Plan.of({"name": "means", "attributes": [number, label], "budget": OPEN})
    reports = simulate(plan, {"x": [1, 2, 3], "a": ["no", "yes", "no"]}, seed=1)
    for attributes in (None, ["x", "a"]):
        with pytest.raises(EstimateError, match="duchi estimates the mean of 'x' only"):
            dependence(reports, attributes)


def test_reports_that_are_refused() -> None:
    reports = crowd(PLAN, two_and_one(), 10, seed=1)
    with pytest.raises(EstimateError, match="needs reports, got Table"):
        dependence(reports.data)
    with pytest.raises(EstimateError, match="of one round, got 0, 1"):
        dependence(rounds_of(reports))
    with pytest.raises(EstimateError, match="no reports about labels"):
        dependence(ReportTable(PLAN, reports.data.slice(0, 0)))
    bundled = plan_of(SIZES, "subset", bundles=[["a", "b"]])
    with pytest.raises(EstimateError, match=r"'a\+b' is a bundle"):
        dependence(crowd(bundled, two_and_one(), 10, seed=1), ["a+b", "c"])
    with pytest.raises(EstimateError, match="bins are for numbers"):
        dependence(reports, bins={"a": 3})
