"""Quantiles, the cdf and histograms: in the number's units, on its grid, with their edges."""

from typing import Any

import numpy as np
import pytest

import discretion as ds
from discretion.errors import EstimateError, SmoothingWarning
from discretion.numbers.distribution import BINS
from tests.cases import for_each
from tests.unit.numbers.crowds import GRID, crowd, numbers, plan_of, skewed

ROUNDING = 1e-9
SURE = 0.9999  # a confidence at which an interval of one run must hold the truth
SHIFTED = {"kind": "numeric", "range": [-2.4, 3.6], "step": 0.3}  # 21 points as well
LEVELS = np.array([0.1, 0.25, 0.5, 0.75, 0.9])


def shifted(n: int, seed: int) -> tuple[ds.ReportTable, Any]:
    """Return reports about numbers from -2.4 to 3.6, and these."""
    x = -2.4 + 0.3 * 2 * numbers(n, seed)
    return crowd(plan_of("sw", grid=SHIFTED), x, seed), x


def truth_at(x: Any, levels: Any) -> Any:
    return np.quantile(x, levels, method="inverted_cdf")


# Quantiles


def test_quantiles_are_points_of_the_grid_in_its_units() -> None:
    reports, x = shifted(20_000, seed=3)
    found = ds.quantiles(reports, "x", LEVELS)
    steps = (found.value + 2.4) / 0.3
    np.testing.assert_allclose(steps, np.rint(steps), atol=ROUNDING)
    assert (np.diff(found.value) >= 0).all()
    low, high = found.interval(SURE).T
    truth = truth_at(x, LEVELS)
    assert ((low <= truth + ROUNDING) & (truth <= high + ROUNDING)).all()
    assert ((low <= found.value) & (found.value <= high)).all()
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) >= 0).all()
    assert (low[0], high[-1]) > (-2.4 - ROUNDING, -2.4)


def test_quartiles_unless_others_are_asked_for_in_any_order() -> None:
    reports = skewed("sw")
    np.testing.assert_array_equal(ds.quantiles(reports, "x").at, [0.25, 0.5, 0.75])
    one, several = ds.quantiles(reports, "x", 0.9), ds.quantiles(reports, "x", [0.9, 0.1])
    assert one.value.shape == (1,)
    assert one.interval().shape == (1, 2)
    assert several.value[0] == one.value[0] > several.value[1]


def test_more_confidence_is_wider() -> None:
    found = ds.quantiles(skewed("sw"), "x", LEVELS)
    narrow, wide = found.interval(0.5), found.interval(0.999)
    assert (wide[:, 0] <= narrow[:, 0]).all()
    assert (narrow[:, 1] <= wide[:, 1]).all()
    assert (np.diff(wide) > np.diff(narrow)).any()


@for_each(
    "levels, message",
    [
        ([0.0], "levels must lie between 0 and 1, got"),
        ([0.5, 1.0], "levels must lie between 0 and 1, got"),
        (-0.1, "levels must lie between 0 and 1, got -0.1"),
        ([0.5, float("inf")], "levels must lie between 0 and 1"),
        ([0.5, float("nan")], "levels must be one or more numbers, got"),
        ([], r"levels must be one or more numbers, got \[\]"),
        ([[0.1, 0.2]], "levels must be one or more numbers, got"),
        ("half", "levels must be numbers, got 'half'"),
        ([0.1, [0.2, 0.3]], "levels must be numbers, got"),
    ],
)
def test_levels_that_no_quantile_has_are_refused(levels: Any, message: str) -> None:
    with pytest.raises(EstimateError, match=message):
        ds.quantiles(skewed("sw"), "x", levels)


# The cdf


def test_the_cdf_is_the_share_up_to_and_including_a_number() -> None:
    """At a grid point its own owners count; just below, they do not."""
    reports, x = shifted(20_000, seed=4)
    points = np.array([-5.0, -2.4, -1.8, -1.8 - 1e-6, -1.65, 0.0, 3.6, 9.0])
    found = ds.cdf(reports, "x", points)
    truth = (x[:, None] <= points + ROUNDING).mean(axis=0)
    low, high = found.interval(SURE).T
    assert ((low <= truth + ROUNDING) & (truth <= high + ROUNDING)).all()
    assert (found.value[0], found.value[-2], found.value[-1]) == pytest.approx((0, 1, 1))
    assert found.value[2] == found.value[4] > found.value[3]  # between points it stays
    inside = (low - ROUNDING <= found.value) & (found.value <= high + ROUNDING)
    assert inside.all()
    every = ds.cdf(reports, "x", np.arange(-2.4, 3.7, 0.3)).value
    assert (np.diff(every) > -ROUNDING).all()


def test_the_cdf_and_quantiles_are_of_one_distribution() -> None:
    reports = skewed("sw")
    quantiles = ds.quantiles(reports, "x", LEVELS)
    assert (ds.cdf(reports, "x", quantiles.value).value >= LEVELS - 1e-6).all()
    assert (ds.cdf(reports, "x", quantiles.value - 0.5).value < LEVELS).all()


@pytest.mark.parametrize("points", [[], [float("nan")], "low", [[1.0], [2.0]]])
def test_points_that_are_no_numbers_are_refused(points: Any) -> None:
    with pytest.raises(EstimateError, match="points must be"):
        ds.cdf(skewed("sw"), "x", points)


def test_the_cdf_reaches_beyond_all_numbers() -> None:
    found = ds.cdf(skewed("sw"), "x", [-np.inf, np.inf])
    np.testing.assert_allclose(found.value, [0, 1], atol=ROUNDING)


# Histograms


def test_bins_are_half_open_and_the_last_one_is_closed() -> None:
    """Half of all numbers are 5, half are 10, which are edges; hardly any noise."""
    plan = plan_of("sw", (8,))
    reports = crowd(plan, np.tile([5.0, 10.0], 5_000), seed=1)
    near = 0.03
    two = ds.histogram(reports, "x", bins=[0, 5, 10])
    np.testing.assert_allclose(two.value, [0, 1], atol=near)
    three = ds.histogram(reports, "x", bins=[0, 4.5, 5, 5.5, 9.5, 10])
    np.testing.assert_allclose(three.value, [0, 0, 0.5, 0, 0.5], atol=2 * near)
    part = ds.histogram(reports, "x", bins=[4, 6])
    np.testing.assert_allclose(part.value, [0.5], atol=near)
    closed = ds.histogram(reports, "x", bins=[4, 5])
    np.testing.assert_allclose(closed.value, [0.5], atol=near)


@pytest.mark.parametrize("bins", [None, 1, 2, 5, 20, [0, 1, 2.5, 10], np.int64(4)])
def test_a_histogram_holds_the_truth_and_sums_to_one(bins: Any) -> None:
    reports, x = skewed("sw", 20_000), numbers(20_000, seed=5)
    found = ds.histogram(reports, "x", bins)
    assert found.value.shape == (len(found.edges) - 1,)
    assert found.value.sum() == pytest.approx(1)
    low, high = found.interval(SURE).T
    truth = np.histogram(x, found.edges)[0] / len(x)
    assert ((low <= truth + ROUNDING) & (truth <= high + ROUNDING)).all()
    assert ((low - ROUNDING <= found.value) & (found.value <= high + ROUNDING)).all()
    assert (found.edges[0], found.edges[-1]) == (0, 10)
    np.testing.assert_allclose(found.density @ np.diff(found.edges), 1)
    if isinstance(bins, int | np.integer):
        np.testing.assert_allclose(np.diff(found.edges), 10 / int(bins))


@for_each("n", [20, 400, 4_000, 40_000, 200_000])
@for_each("points", [3, 21, 1_001])
def test_automatic_bins_are_as_many_as_a_person_reads(n: int, points: int) -> None:
    grid = {"kind": "numeric", "range": [0, points - 1], "step": 1}
    x = np.rint(numbers(n, 5) / 10 * (points - 1))
    found = ds.histogram(crowd(plan_of("sw", grid=grid), x, seed=5), "x")
    assert 1 <= len(found.value) <= BINS
    assert (np.diff(found.edges) > 0).all()
    assert (found.edges[0], found.edges[-1]) == (0, points - 1)


@for_each(
    "bins, message",
    [
        (0, "bins must be 1 to 20 on this grid, got 0"),
        (21, "bins must be 1 to 20 on this grid, got 21"),
        (True, "bins must be a number, or two or more rising edges, got True"),
        (2.5, "bins must be a number, or two or more rising edges, got 2.5"),
        ([3], "bins must be a number, or two or more rising edges"),
        ([0, 5, 5], "bins must be a number, or two or more rising edges"),
        ([5, 0], "bins must be a number, or two or more rising edges"),
        ([0, float("inf")], "bins must be a number, or two or more rising edges"),
        ([], "bins must be one or more numbers"),
        ([0, float("nan")], "bins must be one or more numbers"),
        ("few", "bins must be numbers, got 'few'"),
    ],
)
def test_bins_that_are_none_are_refused(bins: Any, message: str) -> None:
    with pytest.raises(EstimateError, match=message):
        ds.histogram(skewed("sw"), "x", bins)


def test_smoothing_draws_a_smoother_density() -> None:
    """Not at its ends, where it would smear what lies there."""
    fine = plan_of("sw", grid={"kind": "numeric", "range": [0, 10], "step": 0.05})
    reports = crowd(fine, numbers(4_000, seed=5), seed=5)
    rough = ds.histogram(reports, "x")
    with pytest.warns(
        SmoothingWarning, match="x: smoothing smears the ends of the range and heaps"
    ):
        smooth = ds.histogram(reports, "x", smoothing=1_000.0)
    np.testing.assert_array_equal(rough.edges, smooth.edges)
    assert smooth.value.sum() == pytest.approx(1)
    jumps = [np.abs(np.diff(each.density[1:-1], 2)).sum() for each in (rough, smooth)]
    assert jumps[1] < jumps[0]
    assert np.abs(rough.value - smooth.value).max() > 0.001


def test_an_aggregate_gives_the_same_distribution() -> None:
    reports = skewed("hm")
    aggregate = ds.Aggregate.from_json(reports.plan, ds.Aggregate.of(reports).to_json())
    for question in (ds.quantiles, ds.histogram, ds.minimum, ds.maximum):
        assert str(question(aggregate, "x")) == str(question(reports, "x"))
    assert str(ds.cdf(aggregate, "x", [2, 4])) == str(ds.cdf(reports, "x", [2, 4]))


@for_each("mechanism", ["duchi", "sw", "optimal", "laplace"])
@for_each("n", [1, 2, 7])
def test_a_handful_of_reports_leaves_much_open(mechanism: str, n: int) -> None:
    reports = crowd(plan_of(mechanism), numbers(n, seed=n), seed=n, missing=0.0)
    first, last = ds.quantiles(reports, "x", [0.5]).interval()[0]
    assert 0 <= first < last <= 10
    low, high = ds.cdf(reports, "x", [5]).interval()[0]
    assert 0 <= low < high <= 1 + ROUNDING
    assert ds.histogram(reports, "x").value.sum() == pytest.approx(1)


def test_reports_in_narrower_ranges_inform_the_distribution_too() -> None:
    x = numbers(30_000, seed=12)
    plan = plan_of("sw", grid={**GRID, "ranges": [[0, 5], [2, 8]]})
    reports = crowd(plan, x, seed=12, ranges="menu")
    low, high = ds.quantiles(reports, "x", LEVELS).interval(SURE).T
    truth = truth_at(x, LEVELS)
    assert ((low <= truth) & (truth <= high)).all()
