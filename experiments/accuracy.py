"""How accurate and how honest the frequencies are: ``python -m experiments.accuracy``.

Each measurement is a function of the number of runs and a seed, so that a test can repeat it small.
"""

import sys
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

import discretion as ds
from experiments.crowds import TIERS, Vector, dirichlet, tiers

SEED = 20261115
PAGE = Path(__file__).parents[1] / "docs" / "results.md"
COVERED = np.array([0.42, 0.20, 0.14, 0.10, 0.07, 0.04, 0.03])  # every cell above 2 %
Flags = npt.NDArray[np.bool_]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of means and its standard error."""

    value: float
    stderr: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ± {self.stderr:.3f}"


def over_limit(mechanism: str, runs: int, seed: int, owners: int = 20_000) -> Ratio:
    """Measure the mle's squared error over the physical limit: six values, uniform, four tiers."""
    errors = np.array(each(partial(_tier_error, mechanism, owners), runs, seed))
    limit = ds.frequency_limit(6, np.resize(TIERS, owners))
    return Ratio(errors.mean() / limit, errors.std(ddof=1) / np.sqrt(runs) / limit)


def over_disclosed(
    methods: tuple[str, ...], size: int, runs: int, seed: int, owners: int = 20_000
) -> list[Ratio]:
    """Measure blind methods' total variation over the disclosed mle's, on the same reports."""
    known, *others = np.array(
        each(partial(_variations, ("mle", *methods), size, owners), runs, seed)
    ).T
    ratios = []
    for blind in others:
        ratio = blind.mean() / known.mean()
        spread = (blind - ratio * known).std(ddof=1)
        ratios.append(Ratio(ratio, spread / np.sqrt(runs) / known.mean()))
    return ratios


def bias(
    methods: tuple[str, ...], runs: int, seed: int, owners: int = 1_000_000
) -> tuple[Vector, Vector]:
    """Measure mean errors under secret allocation, (methods, cells), and their standard errors."""
    errors = np.array(each(partial(_blind_errors, methods, owners), runs, seed))
    return errors.mean(axis=0), errors.std(axis=0, ddof=1) / np.sqrt(runs)


def coverage(
    mechanism: str, methods: tuple[str, ...], runs: int, seed: int, owners: int = 10_000
) -> Vector:
    """Measure how often 95 % intervals hold the truth: (methods, cells)."""
    held = each(partial(_held, mechanism, methods, owners), runs, seed)
    return np.mean(held, axis=0, dtype=float)


def each(run: Callable[[int], Result], runs: int, seed: int) -> list[Result]:
    """Do independent runs, each with a seed of its own, on all cores."""
    seeds = np.random.default_rng(seed).integers(0, 1 << 40, runs).tolist()
    with ProcessPoolExecutor() as pool:
        return list(pool.map(run, seeds, chunksize=max(1, runs // 64)))


def _tier_error(mechanism: str, owners: int, seed: int) -> float:
    truth = np.full(6, 1 / 6)
    estimate = _frequencies(tiers(mechanism, truth, owners, seed), "mle")
    return float(((estimate.value - truth) ** 2).sum())


def _variations(methods: tuple[str, ...], size: int, owners: int, seed: int) -> list[float]:
    truth = np.random.default_rng(seed).dirichlet(np.full(size, 1.5))
    reports = dirichlet("oue", truth, owners, seed)
    values = (_frequencies(reports, method).value for method in methods)
    return [float(np.abs(value - truth).sum() / 2) for value in values]


def _blind_errors(methods: tuple[str, ...], owners: int, seed: int) -> list[Vector]:
    reports = dirichlet("oue", COVERED, owners, seed, secret=True)
    return [_frequencies(reports, method).value - COVERED for method in methods]


def _held(mechanism: str, methods: tuple[str, ...], owners: int, seed: int) -> list[Flags]:
    secret = methods[0] in ("blind", "moment")
    reports = dirichlet(mechanism, COVERED, owners, seed, share=(1, 4), missing=0.1, secret=secret)
    intervals = (_frequencies(reports, method).interval() for method in methods)
    return [(i[:, 0] <= COVERED) & (i[:, 1] >= COVERED) for i in intervals]


def _frequencies(reports: ds.ReportTable, method: str) -> ds.FrequencyEstimate:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ds.DependenceWarning)  # one in a thousand by design
        return ds.frequencies(reports, "a0", method)


def page() -> Iterable[str]:
    """Write docs/results.md, line by line, measuring as it goes."""
    yield f"# Results\n\nMade by `make results` with seed {SEED}; ± is one standard error.\n"
    yield "## Error over the physical limit\n"
    yield "Six values, uniform truth, 20,000 owners, budgets 0.5, 1, 2 and 4 in equal parts, mle:"
    yield "squared error over `frequency_limit`, which no mechanism and estimator can go below,"
    yield "2,500 runs.\n"
    yield "| mechanism | error / limit |\n|---|---|"
    for mechanism in ("subset", "grr", "oue", "sue"):
        yield f"| {mechanism} | {over_limit(mechanism, 2_500, SEED)} |"
    yield "\n## What secrecy costs\n"
    yield "OUE, four attributes, average budget 2 with Dirichlet shares, 20,000 owners, random"
    yield "truths; total variation over the disclosed mle's on the same reports, 2,000 runs.\n"
    methods = ("blind", "moment", "pldp")
    yield "| values | blind | moment | pldp |\n|---|---|---|---|"
    for size in (2, 3, 5, 8, 16):
        ratios = over_disclosed(methods, size, 2_000, SEED)
        yield f"| {size} | {' | '.join(map(str, ratios))} |"
    yield "\n## Bias at a million owners\n"
    yield "The same with the allocation secret, 1,000,000 owners, 24 runs: mean error of each"
    yield f"frequency, in thousandths. Truth: {', '.join(f'{f:g}' for f in COVERED)}.\n"
    yield "| method | mean error | its standard error |\n|---|---|---|"
    for method, mean, stderr in zip(methods, *bias(methods, 24, SEED), strict=True):
        mean, stderr = 1000 * mean, 1000 * stderr
        yield f"| {method} | {', '.join(f'{x:.2f}' for x in mean)} | up to {stderr.max():.2f} |"
    yield "\n## Coverage of 95 % intervals\n"
    yield "10,000 owners, four attributes of which each shares one to four, a tenth of the values"
    yield "missing, Dirichlet budgets, the same truth; 1,000 samples (a cell's standard error is"
    yield "0.7 %).\n"
    yield "| mechanism | method | all cells | lowest cell | highest cell |\n|---|---|---|---|---|"
    open_ = ("mle", "weighted", "stratified")
    cases = [*((m, open_) for m in ("subset", "grr", "sue", "oue")), ("oue", ("blind", "moment"))]
    for mechanism, used in cases:
        for method, cells in zip(used, coverage(mechanism, used, 1_000, SEED), strict=True):
            low, high = cells.min(), cells.max()
            yield f"| {mechanism} | {method} | {cells.mean():.1%} | {low:.1%} | {high:.1%} |"


if __name__ == "__main__":
    lines = []
    for line in page():
        print(line, flush=True)
        lines.append(line)
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"written to {PAGE}", file=sys.stderr)
