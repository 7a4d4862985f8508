"""Intervals of quantiles, of the cdf and of the mean cover, whatever the law of the numbers.

Owners have unequal budgets. Counts are drawn from the laws of the reports, so that every run is one
multinomial a level. Coverage is the average over the deciles. Levels nearer to 0 or 1 than three
times the least standard error that any mechanism can reach, 1 / (2 sqrt(sum tanh^2(epsilon / 2))),
are not promised. Margins of chance are those of the runs of a case, at ALPHA: about 2 to 3 %.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.special import ndtri
from scipy.stats import binom, chi2, lognorm

from discretion.estimate.noise import Matrix, Vector
from discretion.mechanism.geometric import laplace
from discretion.mechanism.hybrid import hm
from discretion.mechanism.law import NumberLaw
from discretion.mechanism.window import pm, sw, window
from discretion.numbers.density import Channel, Density, fit_density
from discretion.table.outputs import below
from tests.significance import ALPHA

POINTS, OUTPUTS = 1_001, 256
LEVELS = (250, 500, 1_000, 2_000, 4_000)  # thousandths, of a fifth of the owners each
QUANTILES = np.arange(1, 10) / 10
PLACES = np.array([100, 200, 300, 500, 700])
SEED, RUNS = 20261116, 50
LEAST, MOST = 0.93, 0.97  # coverage of an interval that promises 95 %
RAGGED = 1  # deciles of a run of which the interval and the point itself say different things
LEAST_SINGLE = 0.85  # of one decile, which a heap may just reach

CASES = [
    ("sw", 3_000),
    ("sw", 20_000),
    ("sw", 100_000),
    ("window", 20_000),
    ("pm", 20_000),
    ("hm", 3_000),
    ("hm", 20_000),
    ("laplace", 20_000),
]

Hits = npt.NDArray[np.bool_]
Laws = dict[str, Callable[[], Vector]]


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


def rounded() -> Vector:
    """Return a lognormal of which everyone gave the nearest 50 steps."""
    smooth = np.diff(lognorm(0.5, scale=POINTS / 4).cdf(np.arange(POINTS)), append=1.0)
    heaps = np.round(np.arange(POINTS) / 50).astype(int) * 50
    f: Vector = np.bincount(heaps, smooth, POINTS).astype(np.float64)
    return f


SMOOTH: Laws = {
    "uniform": lambda: np.ones(POINTS),
    "beta": beta,
    "peaks": peaks,
}
HEAPED: Laws = {"incomes": incomes, "clipped_end": clipped_end}
ROUNDED: Laws = {"rounded": rounded}
MECHANISMS: dict[str, Callable[[int, int], NumberLaw]] = {
    "sw": sw,
    "window": window,
    "pm": pm,
    "hm": hm,
    "laplace": laplace,
}


def matrix_of(law: NumberLaw) -> Matrix:
    """Return P(y | x) of at most so many joined outputs, none of two pieces."""
    edges = [
        np.linspace(piece.start, piece.stop, min(OUTPUTS, piece.stop - piece.start) + 1)
        for piece in law.pieces or [range(law.n_outputs)]
    ]
    return np.diff(below(law, np.unique(np.concatenate(edges).astype(int))), axis=0)


def draw(probabilities: Sequence[Matrix], f: Vector, n: int, rng: np.random.Generator) -> Density:
    sizes = rng.multinomial(n, np.full(len(probabilities), 1 / len(probabilities)))
    channels = [
        Channel.of(
            probability,
            rng.multinomial(size, probability @ f / (probability @ f).sum()).astype(float),
        )
        for probability, size in zip(probabilities, sizes, strict=True)
    ]
    return fit_density(channels, POINTS)


def covered(mechanism: str, numbers: Vector, n: int) -> dict[str, Hits]:
    """Return which intervals hold the truth: (runs, quantiles), (runs, places), (runs, 1)."""
    rng, f = np.random.default_rng(SEED), numbers / numbers.sum()
    probabilities = [matrix_of(MECHANISMS[mechanism](POINTS, level)) for level in LEVELS]
    cdf, mean = np.cumsum(f), np.arange(POINTS) @ f
    truth = np.searchsorted(cdf, QUANTILES - 1e-12)
    hits: dict[str, list[Hits]] = {"quantiles": [], "cdf": [], "mean": []}
    for run in range(RUNS):
        fit = draw(probabilities, f, n, rng)
        hits["quantiles"].append(may_be_quantiles(fit, truth))
        if run == 0:
            low, high = fit.quantile_interval(QUANTILES).T
            held = (low <= truth) & (truth <= high)
            assert (held != hits["quantiles"][0]).sum() <= RAGGED
        hits["cdf"].append(may_be_cdf(fit, cdf[PLACES]))
        hits["mean"].append(np.array([abs(fit.mean - mean) < 1.96 * fit.mean_stderr]))
    return {name: np.array(each) for name, each in hits.items()}


def may_be_quantiles(fit: Density, truth: npt.NDArray[Any]) -> Hits:
    """Return whether each decile may be itself, without looking for the ends of its interval.

    That is hardly ever something else than being in it: draws make the ends a little ragged.
    """
    asked = zip(truth, QUANTILES, strict=True)
    return np.array([fit.may_be_quantile(int(t), float(level)) for t, level in asked])


def may_be_cdf(fit: Density, truth: Vector) -> Hits:
    most = chi2.ppf(0.95, 1)
    return np.array([fit.ask(t).lack(p) <= most for t, p in zip(PLACES, truth, strict=True)])


def all_covered(laws: Laws, mechanism: str, n: int) -> dict[str, Hits]:
    """Return the hits of all laws together; print the shares of each."""
    hits = {name: covered(mechanism, numbers(), n) for name, numbers in laws.items()}
    for name, each in hits.items():
        means = {what: own.mean(axis=0).round(2).tolist() for what, own in each.items()}
        average = each["quantiles"].mean()
        print(f"{mechanism} n={n} {name} {average:.3f} {means} {RUNS} runs, seed {SEED}")
    kinds = next(iter(hits.values()))
    return {what: np.concatenate([each[what] for each in hits.values()]) for what in kinds}


def average(hits: Hits) -> tuple[float, float]:
    """Return the coverage averaged over the intervals of a run, and what chance adds or takes.

    The intervals of a run are dependent, so that the average of each run is one draw.
    """
    runs = hits.mean(axis=1)
    margin = -float(ndtri(ALPHA / 2)) * float(runs.std()) / np.sqrt(len(runs))
    return float(runs.mean()), margin


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize("mechanism, n", CASES)
def test_intervals_of_smooth_numbers_cover(mechanism: str, n: int) -> None:
    """Those of the cdf may cover more: they are made for a heap at the point that is asked for."""
    hits = all_covered(SMOOTH, mechanism, n)
    for what, most in (("quantiles", MOST), ("cdf", 1.0), ("mean", MOST)):
        share, margin = average(hits[what])
        assert LEAST - margin <= share <= most + margin, f"{what}: {share} +- {margin}, seed {SEED}"
    assert average(hits["quantiles"])[1] < 0.03, "the test would not notice 90 %"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize("mechanism, n", CASES)
def test_intervals_of_heaped_numbers_cover(mechanism: str, n: int) -> None:
    """More than 95 % is right here: a heap is the quantile of many levels."""
    for what, hits in all_covered(HEAPED, mechanism, n).items():
        share, margin = average(hits)
        assert share >= LEAST - margin, f"{what}: {share} +- {margin}, seed {SEED}"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize("mechanism, n", CASES)
def test_intervals_of_rounded_numbers_cover(mechanism: str, n: int) -> None:
    """Reports blur heaps to both sides, so that a level which one just reaches is hard to hold."""
    hits = all_covered(ROUNDED, mechanism, n)["quantiles"]
    share, margin = average(hits)
    assert share >= LEAST - margin, f"{share} +- {margin}, seed {SEED}"
    held, least = hits.sum(axis=0), binom.ppf(ALPHA, len(hits), LEAST_SINGLE)
    assert (held >= least).all(), f"{held} of {len(hits)} runs, at least {least}, seed {SEED}"
