"""Intervals of quantiles, of the cdf and of the mean cover, whatever the law of the numbers.

Owners have unequal budgets. Counts are drawn from the laws of the reports, so that every run is one
multinomial a level. Levels nearer to 0 or 1 than three times the least standard error that any
mechanism can reach, 1 / (2 sqrt(sum tanh^2(epsilon / 2))), are not promised.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import binom, lognorm

from discretion.estimate.noise import Matrix, Vector
from discretion.mechanism.hybrid import hm
from discretion.mechanism.law import NumberLaw, NumberMechanism
from discretion.mechanism.window import pm, sw, window
from discretion.numbers.density import Channel, Density, fit_density
from discretion.table.outputs import below
from tests.significance import ALPHA

POINTS, OUTPUTS = 1_001, 256
LEVELS = (250, 500, 1_000, 2_000, 4_000)  # thousandths, of a fifth of the owners each
QUANTILES = np.array([0.1, 0.25, 0.5, 0.75, 0.9])
PLACES = np.array([100, 200, 300, 500, 700])
SEED, RUNS = 20261115, 150
LEAST, MOST = 0.93, 0.97  # coverage of an interval that promises 95 %
LEAST_HEAPED = 0.90  # where a quantile is a point that many numbers were rounded to

CASES = [
    ("sw", 3_000),
    ("sw", 20_000),
    ("sw", 100_000),
    ("window", 20_000),
    ("pm", 20_000),
    ("hm", 20_000),
]

Hits = npt.NDArray[np.bool_]


def beta() -> Vector:
    x = (np.arange(POINTS) + 0.5) / POINTS
    return x * (1 - x) ** 4


def peaks() -> Vector:
    x = np.arange(POINTS) / (POINTS - 1)
    left, right = ((x - 0.3) / 0.06) ** 2, ((x - 0.7) / 0.09) ** 2
    return 0.4 / 0.06 * np.exp(-left / 2) + 0.6 / 0.09 * np.exp(-right / 2)


def clipped_end() -> Vector:
    x = (np.arange(POINTS) + 0.5) / POINTS
    rest = 0.7 * x * (1 - x) / np.sum(x * (1 - x))
    return np.append(0.3 + rest[0], rest[1:])


def incomes() -> Vector:
    """Return a lognormal clipped at ten medians; some round to 10 or 20 steps, 5 % have none."""
    smooth = np.diff(lognorm(0.7, scale=(POINTS - 1) / 10).cdf(np.arange(POINTS)), append=1.0)
    f = 0.6 * smooth
    for step, share in ((10, 0.25), (20, 0.15)):
        heaps = np.round(np.arange(POINTS) / step).astype(int) * step
        f = f + share * np.bincount(np.minimum(heaps, POINTS - 1), smooth, POINTS)
    return np.append(0.95 * f[0] + 0.05, 0.95 * f[1:])


SMOOTH: dict[str, Callable[[], Vector]] = {
    "uniform": lambda: np.ones(POINTS),
    "beta": beta,
    "peaks": peaks,
}
HEAPED: dict[str, Callable[[], Vector]] = {"incomes": incomes, "clipped_end": clipped_end}
MECHANISMS: dict[str, NumberMechanism] = {"sw": sw, "window": window, "pm": pm, "hm": hm}


def chance_of(law: NumberLaw) -> Matrix:
    """Return P(y | x) of at most so many joined outputs, none of two pieces."""
    edges = [
        np.linspace(piece.start, piece.stop, min(OUTPUTS, piece.stop - piece.start) + 1)
        for piece in law.pieces
    ]
    return np.diff(below(law, np.unique(np.concatenate(edges).astype(int))), axis=0)


def draw(chances: Sequence[Matrix], f: Vector, n: int, rng: np.random.Generator) -> Density:
    sizes = rng.multinomial(n, np.full(len(chances), 1 / len(chances)))
    channels = [
        Channel(chance, rng.multinomial(size, chance @ f / (chance @ f).sum()).astype(float))
        for chance, size in zip(chances, sizes, strict=True)
    ]
    return fit_density(channels, POINTS)


def covered(mechanism: str, numbers: Vector, n: int) -> dict[str, Hits]:
    """Return which intervals hold the truth: (runs, quantiles), (runs, places), (runs, 1)."""
    rng, f = np.random.default_rng(SEED), numbers / numbers.sum()
    chances = [chance_of(MECHANISMS[mechanism](POINTS, level)) for level in LEVELS]
    cdf, mean = np.cumsum(f), np.arange(POINTS) @ f
    truth = np.searchsorted(cdf, QUANTILES - 1e-12)
    hits: dict[str, list[Hits]] = {"quantiles": [], "cdf": [], "mean": []}
    for _ in range(RUNS):
        fit = draw(chances, f, n, rng)
        hits["quantiles"].append(inside(truth, fit.quantile_interval(QUANTILES)))
        hits["cdf"].append(inside(cdf[PLACES], fit.cdf_interval(PLACES)))
        hits["mean"].append(np.array([abs(fit.mean - mean) < 1.96 * fit.mean_stderr]))
    return {name: np.array(each) for name, each in hits.items()}


def inside(truth: npt.NDArray[Any], intervals: Matrix) -> Hits:
    low, high = intervals.T
    return (low <= truth) & (truth <= high)


def shares(laws: dict[str, Callable[[], Vector]], mechanism: str, n: int) -> dict[str, float]:
    """Return the coverage over all laws of the quantiles, the cdf and the mean; print each."""
    hits = {name: covered(mechanism, numbers(), n) for name, numbers in laws.items()}
    for name, each in hits.items():
        means = {what: own.mean(axis=0).round(2).tolist() for what, own in each.items()}
        print(f"{mechanism} n={n} {name} {means} {RUNS} runs, seed {SEED}")
    kinds = next(iter(hits.values()))
    return {what: float(np.mean([each[what].mean() for each in hits.values()])) for what in kinds}


def band(trials: int, least: float, most: float) -> tuple[float, float]:
    """Return what chance allows around a range of coverages.

    The intervals of a run are dependent, so all of them together count as one trial.
    """
    low, high = binom.ppf(ALPHA / 2, trials, least), binom.ppf(1 - ALPHA / 2, trials, most)
    return float(low / trials), float(high / trials)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism, n", CASES)
def test_intervals_of_smooth_numbers_cover(mechanism: str, n: int) -> None:
    low, high = band(RUNS * len(SMOOTH), LEAST, MOST)
    for what, share in shares(SMOOTH, mechanism, n).items():
        assert low <= share <= high, f"{what}: {share}, not in {low, high}, seed {SEED}"
    assert low > 0.85, "the test would not notice intervals that cover 85 %"


@pytest.mark.slow
@pytest.mark.parametrize("mechanism, n", CASES)
def test_intervals_of_heaped_numbers_cover(mechanism: str, n: int) -> None:
    """More than 95 % is right here: a heap is the quantile of many levels."""
    low, _ = band(RUNS * len(HEAPED), LEAST_HEAPED, 1.0)
    for what, share in shares(HEAPED, mechanism, n).items():
        assert share >= low, f"{what}: {share}, below {low}, seed {SEED}"
