"""How accurate and how honest the frequencies are: ``python -m experiments.accuracy``.

Each measurement is a function of the number of runs and a seed, so that a test can repeat it small.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
import numpy.typing as npt

import discretion as ds
from experiments.bound import own_bound
from experiments.crowds import TIERS, Vector, dirichlet, tiers
from experiments.page import write_section

SEED = 20261115
COVERED = np.array([0.42, 0.20, 0.14, 0.10, 0.07, 0.04, 0.03])  # every cell above 2 %
BLIND = ("blind", "moment", "pldp")
OPEN = ("mle", "weighted", "stratified")
COVERAGE_CASES = (
    *((mechanism, OPEN) for mechanism in ("subset", "grr", "sue", "oue")),
    ("oue", ("blind", "moment")),
)
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


def over_bound(mechanism: str, runs: int, seed: int, owners: int = 20_000) -> Ratio:
    """Measure the mle's squared error over what the mechanism allows: the same crowds."""
    errors = np.array(each(partial(_tier_error, mechanism, owners), runs, seed))
    bound = own_bound(mechanism, 6, TIERS, owners)
    return Ratio(errors.mean() / bound, errors.std(ddof=1) / np.sqrt(runs) / bound)


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


def sections() -> Iterator[tuple[str, str]]:
    """Measure everything; yield each section of the page, its title and its text."""
    yield "Error over the physical limit", limit_section()
    yield "What secrecy costs", secrecy_section()
    yield "Bias at a million owners", bias_section()
    yield "Coverage of 95 % intervals", coverage_section()


def limit_section() -> str:
    """Compare the mle with the limit, for every mechanism."""
    rows = [(name, over_limit(name, 2_500, SEED)) for name in ("subset", "grr", "oue", "sue")]
    return f"""
`make results`, seed {SEED}; ± is one standard error. Six values, uniform truth, 20,000 owners,
budgets 0.5, 1, 2 and 4 in equal parts, mle, 2,500 runs: squared error over `frequency_limit`, which
no mechanism and no estimator can go below.

{table(("mechanism", "error / limit"), rows)}"""


def secrecy_section() -> str:
    """Compare what is learnt without the levels with what is learnt from them."""
    rows = [(size, *over_disclosed(BLIND, size, 2_000, SEED)) for size in (2, 3, 5, 8, 16)]
    return f"""
`make results`, seed {SEED}; ± is one standard error. OUE, four attributes, average budget 2 with
Dirichlet shares, 20,000 owners, random truths, 2,000 runs: total variation over the disclosed
mle's on the same reports.

{table(("values", *BLIND), rows)}"""


def bias_section() -> str:
    """Show whose errors do not vanish with the number of owners."""
    rows = [
        (method, ", ".join(f"{1000 * x:.2f}" for x in mean), f"up to {1000 * stderr.max():.2f}")
        for method, mean, stderr in zip(BLIND, *bias(BLIND, 24, SEED), strict=True)
    ]
    return f"""
`make results`, seed {SEED}. The same with the allocation secret and 1,000,000 owners, 24 runs: mean
error of each frequency in thousandths. Truth: {", ".join(f"{f:g}" for f in COVERED)}.

{table(("method", "mean error", "its standard error"), rows)}"""


def coverage_section() -> str:
    """Count how often intervals hold the truth, for every mechanism and method."""
    rows = []
    for mechanism, methods in COVERAGE_CASES:
        for method, cells in zip(methods, coverage(mechanism, methods, 1_000, SEED), strict=True):
            shares = (f"{x:.1%}" for x in (cells.mean(), cells.min(), cells.max()))
            rows.append((mechanism, method, *shares))
    return f"""
`make results`, seed {SEED}. 10,000 owners, four attributes of which each shares one to four, a
tenth of the values missing, Dirichlet budgets, the same truth, 1,000 samples (a cell's standard
error is 0.7 %).

{table(("mechanism", "method", "all cells", "lowest cell", "highest cell"), rows)}"""


def table(heads: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Write a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


if __name__ == "__main__":
    for title, text in sections():
        print(f"## {title}\n{text}\n", flush=True)
        write_section(title, text)
