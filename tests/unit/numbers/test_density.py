"""The distribution of a number: exact where counts are, honest where reports say little."""

from collections.abc import Sequence

import numpy as np
import pytest

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector
from discretion.numbers.density import Channel, Density, fit_density
from discretion.numbers.sieve import Sieve, averaged, bins_worth, even_edges, likely_edges, summed
from tests.cases import for_each

POINTS, OUTPUTS = 101, 60
EPSILONS = (0.5, 1.0, 3.0)  # unequal budgets, always
SHARES = np.array([0.5, 0.3, 0.2])
LEVELS = np.array([0.1, 0.25, 0.5, 0.75, 0.9])
PLACES = np.arange(0, POINTS, 10)
ROUNDING = 1e-12
CLOSE = 1e-3  # far below the standard errors here, and what the maximiser leaves open


def window(epsilon: float, points: int = POINTS) -> Matrix:
    """Return P(y | x) of a window a third of the outputs wide: (outputs, points)."""
    span = OUTPUTS // 3
    starts = np.round(np.linspace(0, OUTPUTS - span, points)).astype(int)
    y = np.arange(OUTPUTS)[:, None]
    heights = np.where((y >= starts) & (y < starts + span), np.exp(epsilon), 1.0)
    return heights / heights.sum(axis=0)


def duchi(epsilon: float, points: int = POINTS) -> Matrix:
    up = 0.5 + np.tanh(epsilon / 2) * (np.arange(points) / (points - 1) - 0.5)
    return np.array([1 - up, up])


def expected(probabilities: Sequence[Matrix], f: Vector, n: float) -> list[Channel]:
    """Return channels whose counts are just what their laws promise."""
    return [
        Channel.of(probability, n * s * (probability @ f))
        for probability, s in zip(probabilities, SHARES, strict=True)
    ]


def sampled(probabilities: Sequence[Matrix], f: Vector, n: int, seed: int) -> list[Channel]:
    rng = np.random.default_rng(seed)
    sizes = rng.multinomial(n, SHARES)
    return [
        Channel.of(probability, rng.multinomial(size, probability @ f).astype(float))
        for probability, size in zip(probabilities, sizes, strict=True)
    ]


def skewed(points: int = POINTS) -> Vector:
    x = (np.arange(points) + 0.5) / points
    f = x * (1 - x) ** 4
    return f / f.sum()


WINDOWS = tuple(window(epsilon) for epsilon in EPSILONS)


@pytest.fixture(scope="module")
def density() -> Density:
    return fit_density(sampled(WINDOWS, skewed(), 20_000, seed=7), POINTS)


@pytest.mark.parametrize("points", [2, 3, 9])
def test_expected_counts_give_a_law_back_that_is_in_the_sieve(points: int) -> None:
    """On a small grid every point is a bin, so every law is in it."""
    f = np.arange(1.0, points + 1) / (points * (points + 1) / 2)
    probabilities = [window(epsilon, points) for epsilon in EPSILONS]
    fit = fit_density(expected(probabilities, f, 1e6), points, bins=points)
    np.testing.assert_array_equal(fit.edges, np.arange(points + 1))
    np.testing.assert_allclose(fit.value, f, atol=CLOSE)
    x = np.arange(points)
    assert fit.mean == pytest.approx(x @ f, rel=CLOSE)
    assert fit.variance == pytest.approx(x**2 @ f - (x @ f) ** 2, rel=CLOSE)


def test_expected_counts_of_a_finer_law_put_its_cdf_inside_of_every_interval() -> None:
    fit = fit_density(expected(WINDOWS, skewed(), 1e5), POINTS)
    low, high = fit.cdf_interval(PLACES, confidence=0.5).T
    truth = np.cumsum(skewed())[PLACES]
    assert (low <= truth + CLOSE).all()
    assert (truth <= high + CLOSE).all()


def test_the_cdf_rises_from_zero_to_one_and_its_intervals_hold_it(density: Density) -> None:
    everywhere = density.cdf(np.arange(-1, POINTS + 1))
    assert everywhere[0] == 0.0
    assert everywhere[-1] == pytest.approx(1.0)
    assert (np.diff(everywhere) > -ROUNDING).all()
    low, high = density.cdf_interval(PLACES).T
    value = density.cdf(PLACES)
    rising = np.stack([np.zeros(len(PLACES)), low, value, high, np.ones(len(PLACES))])
    assert (np.diff(rising, axis=0) > -ROUNDING).all()


def test_more_confidence_makes_wider_intervals(density: Density) -> None:
    narrow, wide = (density.cdf_interval([30, 50], confidence=c) for c in (0.8, 0.99))
    assert (wide[:, 0] < narrow[:, 0]).all()
    assert (wide[:, 1] > narrow[:, 1]).all()
    inner, outer = (density.quantile_interval(LEVELS, confidence=c) for c in (0.8, 0.99))
    assert (outer[:, 0] <= inner[:, 0]).all()
    assert (outer[:, 1] >= inner[:, 1]).all()


def test_a_quantile_is_where_the_cdf_reaches_its_level(density: Density) -> None:
    places = density.quantile(LEVELS)
    assert (density.cdf(places) >= LEVELS - CLOSE).all()
    assert (density.cdf(places - 1) < LEVELS).all()


def test_an_interval_ends_where_a_point_may_just_be_the_quantile(density: Density) -> None:
    for level, (first, last) in zip(LEVELS, density.quantile_interval(LEVELS), strict=True):
        middle = int(density.quantile(level)[0])
        assert first <= middle <= last
        assert all(density.may_be_quantile(int(t), level) for t in (first, middle, last))
        assert not density.may_be_quantile(int(first) - 1, level)
        assert not density.may_be_quantile(int(last) + 1, level)


def test_a_heap_at_an_end_is_found_and_is_its_quantile() -> None:
    f = 0.7 * skewed()
    f[0] += 0.3
    fit = fit_density(sampled(WINDOWS, f, 50_000, seed=3), POINTS)
    low, high = fit.cdf_interval([0])[0]
    assert low <= f[0] <= high
    np.testing.assert_array_equal(fit.quantile_interval([0.1])[0], [0, 1])  # 1 reports as 0 does


@for_each("place", range(38, 46))
def test_a_heap_anywhere_in_a_bin_is_not_contradicted(place: int) -> None:
    """With few bins, most are several points wide: where in one of them the heap lies is open."""
    f = 0.6 * skewed()
    f[place] += 0.4
    fit = fit_density(expected(WINDOWS, f, 1e5), POINTS, bins=12)
    low, high = fit.cdf_interval([place - 1, place]).T
    truth = np.cumsum(f)[[place - 1, place]]
    assert (low <= truth).all()
    assert (truth <= high).all()
    first, last = fit.quantile_interval([0.7])[0]
    assert first <= np.searchsorted(np.cumsum(f), 0.7) <= last


def test_standard_errors_shrink_with_the_root_of_the_reports() -> None:
    few, many = (fit_density(expected(WINDOWS, skewed(), n), POINTS, bins=8) for n in (1e4, 1e6))
    assert few.mean_stderr / many.mean_stderr == pytest.approx(10, rel=0.1)
    assert few.variance_stderr / many.variance_stderr == pytest.approx(10, rel=0.1)
    assert few.cdf_stderr([30])[0] / many.cdf_stderr([30])[0] == pytest.approx(10, rel=0.1)


def test_the_profile_agrees_with_the_inverse_information_where_no_bin_is_empty() -> None:
    fit = fit_density(expected(WINDOWS, np.full(POINTS, 1 / POINTS), 1e7), POINTS, bins=6)
    row = (fit.edges[:-1] + fit.edges[1:] - 1) / 2
    assert fit.mean_stderr == pytest.approx(np.sqrt(row @ fit.covariance @ row), rel=0.01)


def test_shares_that_no_report_tells_apart_vary_by_no_more_than_all_people() -> None:
    clipped = tuple(law[:, np.minimum(np.arange(POINTS), POINTS // 2)] for law in WINDOWS)
    fit = fit_density(sampled(clipped, skewed(), 20_000, seed=7), POINTS)
    values = np.linalg.eigvalsh(fit.covariance)
    assert 0.99 < values[-1] <= 1 + CLOSE
    assert values[0] > -CLOSE


def test_two_outputs_determine_the_mean_which_bounds_the_cdf() -> None:
    """Markov: a mean m leaves F(t) anything from 1 - m / (t + 1) up, so that F stays open."""
    probabilities = [duchi(epsilon) for epsilon in EPSILONS]
    fit = fit_density(expected(probabilities, skewed(), 1e6), POINTS)
    mean = np.arange(POINTS) @ skewed()
    assert fit.mean == pytest.approx(mean, abs=3 * fit.mean_stderr)
    assert fit.mean_stderr < 0.3
    (low, high), truth = fit.cdf_interval([60])[0], np.cumsum(skewed())[60]
    assert low < 1 - mean / 61 + 0.05 < truth
    assert high > 0.99
    first, last = fit.quantile_interval([0.5])[0]
    assert last - first > POINTS / 3


@pytest.mark.parametrize("y", [0, OUTPUTS // 2, OUTPUTS - 1])
def test_all_reports_alike(y: int) -> None:
    counts = np.zeros(OUTPUTS)
    counts[y] = 5_000.0
    fit = fit_density(
        [Channel.of(WINDOWS[2], counts), Channel.of(WINDOWS[0], np.zeros(OUTPUTS))], POINTS
    )
    assert fit.reports == 5_000
    assert WINDOWS[2][y, int(fit.mean)] == WINDOWS[2][y].max()
    assert np.isfinite([fit.mean_stderr, fit.variance_stderr]).all()


@for_each("n", [1, 2, 5])
@for_each("points", [2, 3, POINTS])
def test_a_handful_of_reports_leaves_nearly_everything_open(n: int, points: int) -> None:
    probabilities = [window(epsilon, points) for epsilon in EPSILONS]
    f = np.full(points, 1 / points)
    fit = fit_density(sampled(probabilities, f, n, seed=n), points)
    first, last = fit.quantile_interval([0.5])[0]
    assert 0 <= first <= fit.quantile(0.5)[0] <= last <= points - 1
    assert last - first >= points // 3
    assert fit.value.sum() == pytest.approx(1.0)
    assert np.isfinite(fit.covariance).all()


def test_smoothing_makes_neighbours_alike() -> None:
    channels = sampled(WINDOWS, np.full(POINTS, 1 / POINTS), 5_000, seed=5)
    rough, smooth = (fit_density(channels, POINTS, smoothing=s) for s in (0.0, 1_000.0))
    widths = np.diff(rough.edges)[1:-1]
    jumps = [np.abs(np.diff(fit.value[1:-1] / widths)).sum() for fit in (rough, smooth)]
    assert jumps[1] < jumps[0] / 5
    low, high = smooth.cdf_interval([50])[0]
    assert low <= smooth.cdf([50])[0] <= high


def test_no_reports_are_refused() -> None:
    with pytest.raises(EstimateError, match="at least one report"):
        fit_density([Channel.of(WINDOWS[0], np.zeros(OUTPUTS))], POINTS)


def test_a_channel_of_another_grid_is_refused() -> None:
    with pytest.raises(EstimateError, match=r"\(60, 51\), got \(60, 101\)"):
        fit_density([Channel.of(WINDOWS[0], np.ones(OUTPUTS))], 51)


def test_bins_cover_the_grid_with_one_for_each_end() -> None:
    for points in (2, 3, 4, 1_001):
        for edges in (even_edges(points, 16), likely_edges(skewed(points), 16)):
            assert edges[0] == 0
            assert edges[1] == 1
            assert edges[-2] == points - 1
            assert edges[-1] == points
            assert (np.diff(edges) > 0).all()


def test_bins_are_narrow_where_numbers_are_and_average_the_laws_of_their_points() -> None:
    edges = likely_edges(skewed(), 12)
    assert np.diff(edges)[2] < np.diff(edges)[-2]
    probability = averaged([summed(WINDOWS[1])], edges[:-1], edges[1:]).T
    np.testing.assert_allclose(probability.sum(axis=0), 1.0)
    np.testing.assert_allclose(probability[:, 3], WINDOWS[1][:, edges[3] : edges[4]].mean(axis=1))


@pytest.mark.parametrize("t", [-1, 0, 1, 50, 99, 100, 101])
def test_bins_around_a_point_are_parted_with_an_edge_just_after_it(t: int) -> None:
    sieve = Sieve.of(sampled(WINDOWS, skewed(), 5_000, seed=1), POINTS, bins=10)
    edges = sieve.finer(t)
    near = slice(*np.searchsorted(sieve.edges, [edges[0], edges[-1]]))
    assert edges[0] == sieve.edges[near.start] <= max(t, 0)
    assert edges[-1] == sieve.edges[near.stop] > min(t, POINTS - 1)
    assert (np.diff(edges) > 0).all()
    assert np.isin(sieve.edges[near], edges).all()
    assert t + 1 in edges or not 0 <= t < POINTS - 1
    own = np.stack([sieve.edges[:-1], sieve.edges[1:]], axis=1)
    np.testing.assert_allclose(sieve.seen(own).T, sieve.probabilities)


def test_there_are_as_many_bins_as_reports_resolve() -> None:
    quiet, loud = (Channel.of(duchi(e), np.full(2, 500.0)) for e in (0.5, 4.0))
    assert loud.worth == pytest.approx(1_000 * np.tanh(2.0) ** 2)
    assert bins_worth(quiet.worth) < bins_worth(loud.worth)
    assert bins_worth(0.0) == bins_worth(1.0) == 8
