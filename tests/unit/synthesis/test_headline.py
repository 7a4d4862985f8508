"""Headline figures of a number in bins cover the truth wherever in its bin each number lies."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from scipy import stats

from discretion.crowd import simulate
from discretion.plan import Plan
from discretion.schema import Numeric
from discretion.synthesis.agreement import Unbiased, UnbiasedTables
from discretion.synthesis.headline import EVEN, Z95, Figure, figures, of_codes
from discretion.synthesis.model import Clique, Column, Model
from discretion.synthesis.soft_evidence import SoftEvidence
from tests.significance import ALPHA

EDGES = (0, 10, 20, 40)
SHARES = np.array([0.2, 0.4, 0.4])
PLACES = ("first", "last", "even")
MISSING = 0.3

Vector = npt.NDArray[np.float64]


def number(edges: tuple[int, ...] | None = EDGES) -> Numeric:
    return Numeric("hours", 0, 40, 1, 0, edges)


def column() -> Column:
    spread = np.zeros((3, 41))
    for row, (start, stop) in enumerate(((0, 10), (10, 20), (20, 41))):
        spread[row, start:stop] = 1 / (stop - start)
    return Column("hours", number().labels, tuple(range(41)), spread)


def placed(bins: npt.NDArray[np.int64], place: str, rng: np.random.Generator) -> Vector:
    """Numbers in these bins: all at the lower end of theirs, at the upper end, or evenly spread."""
    first, last = np.array(EDGES[:-1]), np.array([9, 19, 40])
    if place == "even":
        return rng.integers(first[bins], last[bins] + 1).astype(float)
    return (first if place == "first" else last)[bins].astype(float)


def by_kind(found: Iterable[Figure]) -> dict[str, Figure]:
    return {figure.what: figure for figure in found}


def test_the_mean_in_bins_lies_between_the_ends_of_the_bins_by_hand() -> None:
    root = np.array([[0.03, -0.03, 0.0], [0.0, 0.04, -0.04]])
    found = by_kind(of_codes(number(), column(), SHARES, Unbiased(SHARES, root, 100)))["mean"]
    assert found.estimate == pytest.approx(SHARES @ (4.5, 14.5, 30))
    assert found.model == found.estimate
    low = 0.2 * 0 + 0.4 * 10 + 0.4 * 20 - Z95 * np.hypot(0.3, 0.4)
    high = 0.2 * 10 + 0.4 * 20 + 0.4 * 40 + Z95 * np.hypot(0.3, 0.8)
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.assumes == EVEN
    assert found.holds


def test_no_mean_is_beyond_the_range() -> None:
    root = np.array([[0.5, 0.0, -0.5]])
    found = by_kind(of_codes(number(), column(), SHARES, Unbiased(SHARES, root, 100)))["mean"]
    assert (found.low, found.high) == (0, 40)


@pytest.mark.parametrize(
    "shares, error, ends",
    [
        ((0.2, 0.4, 0.4), 0.01, (10, 20)),  # the second bin has it
        ((0.49, 0.3, 0.21), 0.01, (0, 20)),  # that, or the one before
        ((0.3, 0.19, 0.51), 0.01, (10, 40)),
        ((0.3, 0.4, 0.3), 0.3, (0, 40)),
        ((-0.1, 0.2, 0.9), 0.01, (20, 40)),  # estimates may be below zero
        ((0.9, -0.3, 0.4), 0.01, (0, 10)),  # and so the sums may fall
    ],
)
def test_the_median_is_in_one_of_the_bins_that_reports_do_not_exclude(
    shares: tuple[float, ...], error: float, ends: tuple[float, float]
) -> None:
    root = error * np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]])
    own = Unbiased(np.array(shares), root, 100)
    found = by_kind(of_codes(number(), column(), SHARES, own))["median"]
    assert (found.low, found.high) == ends
    assert found.low <= found.estimate <= found.high
    assert found.assumes == EVEN


def test_the_share_above_an_edge_needs_no_assumption() -> None:
    root = np.array([[0.03, -0.03, 0.0], [0.0, 0.04, -0.04]])
    found = by_kind(of_codes(number(), column(), SHARES, Unbiased(SHARES, root, 100)))["share"]
    assert found.label == "20 or more"  # 40 %, which is nearer to one half than 80 %
    assert (found.model, found.estimate) == pytest.approx((0.4, 0.4))
    assert (found.low, found.high) == pytest.approx((0.4 - Z95 * 0.04, 0.4 + Z95 * 0.04))
    assert found.assumes is None


def test_reports_about_the_points_of_a_grid_leave_nothing_open() -> None:
    grid = Numeric("x", 0, 2, 1, 0)
    root = np.array([[0.03, -0.03, 0.0]])
    points = Column("x", grid.labels, (0, 1, 2))
    found = by_kind(of_codes(grid, points, SHARES, Unbiased(SHARES, root, 100)))
    assert list(found) == ["mean", "median"]
    assert found["mean"].estimate == pytest.approx(1.2)
    assert found["mean"].high - found["mean"].estimate == pytest.approx(Z95 * 0.03)
    assert found["mean"].estimate - found["mean"].low == pytest.approx(Z95 * 0.03)
    assert (found["median"].low, found["median"].estimate, found["median"].high) == (1, 1, 1)
    assert found["mean"].assumes is found["median"].assumes is None


@pytest.mark.parametrize(
    "tilt, points, median",
    [
        (1e-4, (0, 10, 20), 10.0),  # just above half are below 20, all at the lower ends
        (-1e-4, (10, 20, 40), 40.0),  # just below half are, all at the upper ends
        (1e-4, (4.5, 14.5, 30), 19.9),  # evenly spread
    ],
)
def test_intervals_cover_mean_and_median_by_a_known_law(
    tilt: float, points: tuple[float, ...], median: float
) -> None:
    """Estimates scatter by a known covariance, about the shares for which a median is hardest.

    At an end of the bins only one end of an interval can fail: 97.5 % of them cover. Fewer would
    break the promise, and more would be a waste.
    """
    rng, runs = np.random.default_rng(11), 1500
    root = 0.02 * rng.normal(size=(4, 3))
    root -= root.mean(axis=1, keepdims=True)
    shares = np.array([0.25, 0.25 + tilt, 0.5 - tilt])
    truth = {"mean": float(shares @ points), "median": median}
    covered, own_number, own_column = dict.fromkeys(truth, 0), number(), column()
    for noise in rng.normal(size=(runs, 4)) @ root:
        own = Unbiased(shares + noise, root, 100)
        found = by_kind(of_codes(own_number, own_column, shares, own))
        for kind, value in truth.items():
            covered[kind] += found[kind].low <= value <= found[kind].high
    for kind, hits in covered.items():
        inside = kind == "mean" and points[0] == 4.5
        expected = 1.0 if inside else 0.975
        assert stats.binomtest(hits, runs, expected).pvalue > ALPHA, (kind, hits)


def crowd_figures(place: str, seed: int, owners: int) -> tuple[dict[str, Figure], Vector]:
    """Figures from simulated reports with unequal levels and gaps, and the numbers behind them."""
    plan = Plan.of(
        {
            "name": "bins",
            "attributes": [
                {"name": "hours", "kind": "numeric", "range": [0, 40], "step": 1, "bins": EDGES},
                {"name": "car", "kind": "categorical", "values": ["no", "yes"]},
            ],
            "budget": {"average": 3, "least": 0.5, "most": 9},
        }
    )
    rng = np.random.default_rng((seed, 3))
    numbers = placed(rng.choice(3, owners, p=SHARES), place, rng)
    hours = pa.array(numbers, mask=rng.random(owners) < MISSING)
    records = pa.table({"hours": hours, "car": np.array(["no", "yes"])[rng.choice(2, owners)]})
    reports = simulate(plan, records, budgets="dirichlet", seed=seed)
    tables = UnbiasedTables(reports, SoftEvidence.of(reports, ("hours",)).axes)
    model = Model((column(),), (Clique((0,), SHARES, None, ()),))
    return by_kind(figures(model, tables)), numbers


def truths(place: str) -> dict[str, float]:
    """Mean, median and share from 20 on of the population."""
    points = {"first": (0, 10, 20), "last": (9, 19, 40), "even": (4.5, 14.5, 30)}[place]
    medians = {"first": 10.0, "last": 19.0, "even": 17.0}
    return {"mean": float(SHARES @ points), "median": medians[place], "share": 0.4}


@pytest.mark.parametrize("place", PLACES)
def test_figures_of_simulated_reports_cover_the_truth(place: str) -> None:
    found, _ = crowd_figures(place, 1, 3000)
    for kind, truth in truths(place).items():
        assert found[kind].low <= truth <= found[kind].high, (kind, truth, found[kind])


def test_the_share_above_an_edge_is_unbiased() -> None:
    """Crowds with unequal levels and gaps: the mean of the estimates is the truth."""
    errors = []
    for seed in range(16):
        found, numbers = crowd_figures("even", seed, 400)
        errors.append(found["share"].estimate - float((numbers >= 20).mean()))
    assert abs(np.mean(errors)) < 5 * np.std(errors, ddof=1) / np.sqrt(len(errors)), errors


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_intervals_of_simulated_reports_cover_in_95_of_100_crowds(place: str) -> None:
    runs = 400
    print(f"\nseeds 0 to {runs - 1}, numbers {place}")
    covered = dict.fromkeys(("mean", "median", "share"), 0)
    for seed in range(runs):
        found, _ = crowd_figures(place, seed, 2000)
        for kind, truth in truths(place).items():
            covered[kind] += found[kind].low <= truth <= found[kind].high
    print(covered)
    for kind, hits in covered.items():
        assert stats.binomtest(hits, runs, 0.95, "less").pvalue > ALPHA, (kind, hits)
