"""Numbers: ``python -m benchmarks.numbers`` writes a section of docs/results.md.

Three million owners, one number each with a budget of her own, from a short menu and from a long
one: to simulate and to estimate the mean, beside NumPy, which takes the levels one by one.
"""

import sys
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from benchmarks.bars import judged
from benchmarks.cells import BUDGETS, MENU, MILLION, NOISE, VALUES
from benchmarks.measure import Codes, Vector, peak_mb, timed
from discretion import Plan, mean, quantiles, simulate
from discretion.kernel.cache import warm
from experiments.page import write_section

OWNERS = 3 * MILLION
NAME, HIGH, STEP = "income", 200_000, 500
MENUS = (MENU, tuple(range(100, 4001, 50)))  # thousandths of epsilon
REPEATS = 5
LEAST_RATIO, MOST_MB = 3.0, 1000.0


def incomes() -> Vector:
    """Return the true numbers: skewed, at most the upper end of the range."""
    rng = np.random.default_rng(VALUES)
    return np.minimum(rng.lognormal(10.6, 0.6, OWNERS), HIGH)


def plan(menu: Sequence[int]) -> Plan:
    """Ask for the number by the piecewise mechanism, which NumPy can do as well."""
    question = {"name": NAME, "kind": "numeric", "range": [0, HIGH], "step": STEP}
    levels = [level / 1000 for level in menu]
    return Plan.of(
        {
            "name": "numbers",
            "attributes": [{**question, "mechanism": "pm"}],
            "budget": {"levels": levels},
        }
    )


def ours(asked: Plan, records: pa.Table) -> tuple[float, float, float]:
    """Return the seconds to simulate and to estimate, and the mean."""
    simulating, reports = timed(lambda: simulate(asked, records, budgets="levels", seed=NOISE))
    estimating, found = timed(lambda: mean(reports, NAME))
    return simulating, estimating, found.value


def plain(numbers: Vector, menu: Sequence[int]) -> tuple[float, float, float]:
    """Return the same of NumPy: the piecewise mechanism on floats, level by level."""
    rng = np.random.default_rng(NOISE)
    epsilons = np.array(menu) / 1000

    def perturb() -> tuple[Codes, Vector]:
        level = np.random.default_rng(BUDGETS).integers(0, len(menu), OWNERS)
        x, reports = 2 * numbers / HIGH - 1, np.empty(OWNERS)
        for i, epsilon in enumerate(epsilons):
            rows = np.flatnonzero(level == i)
            reports[rows] = piecewise(x[rows], float(epsilon), rng)
        return level, reports

    def estimate(level: Codes, reports: Vector) -> float:
        means, weights = np.empty(len(menu)), np.empty(len(menu))
        for i in range(len(menu)):
            own = reports[level == i]
            means[i], weights[i] = own.mean(), len(own) / own.var()
        return float((weights @ means / weights.sum() + 1) * HIGH / 2)

    perturbing, (level, reports) = timed(perturb)
    estimating, found = timed(lambda: estimate(level, reports))
    return perturbing, estimating, found


def piecewise(x: Vector, epsilon: float, rng: np.random.Generator) -> Vector:
    """Perturb numbers on [-1, 1] at one epsilon (Wang et al. 2019)."""
    half = np.exp(epsilon / 2)
    c = (half + 1) / (half - 1)
    left = (c + 1) / 2 * x - (c - 1) / 2
    inside = left + (c - 1) * rng.random(len(x))
    outside = (c + 1) * rng.random(len(x)) - c
    outside += (c - 1) * (outside > left)
    return np.where(rng.random(len(x)) < half / (half + 1), inside, outside)


def compared(numbers: Vector, menu: Sequence[int]) -> Iterator[str]:
    """Measure both in turns, and yield a row of the table for each step."""
    asked, records = plan(menu), pa.table({NAME: numbers})
    turns = [(ours(asked, records), plain(numbers, menu)) for _ in range(REPEATS)]
    mine, theirs = (np.array(each)[:, :2] for each in zip(*turns, strict=True))
    steps = {"simulate": 0, "mean": 1}
    for what, step in steps.items():
        yield _row(f"{what}, {len(menu)} levels", mine[:, step].min(), theirs[:, step].min())
    yield _row(
        f"both, {len(menu)} levels", *(e.sum(axis=1).min() for e in (mine, theirs)), barred=True
    )


def _row(what: str, own: float, other: float, *, barred: bool = False) -> str:
    ratio = other / own
    bar = judged(f"≥ {LEAST_RATIO:g}", ratio >= LEAST_RATIO) if barred else ""
    return f"| {what} | {own:.2f} s | {other:.2f} s | {ratio:.1f} | {bar} |"


def memory(numbers: Vector) -> str:
    """Return a row with the peak of this process, which has done nothing else before."""
    base = peak_mb()
    ours(plan(MENU), pa.table({NAME: numbers}))
    bar = judged(f"≤ {MOST_MB:g}", peak_mb() <= MOST_MB)
    return f"| peak memory (before: {base:,.0f} MB) | {peak_mb():,.0f} MB | | | {bar} |"


def main() -> None:
    """Measure and write the section."""
    warm()
    numbers = incomes()
    peak = memory(numbers)
    rows = [row for menu in MENUS for row in compared(numbers, menu)]
    reports = simulate(plan(MENU), pa.table({NAME: numbers}), budgets="levels", seed=NOISE)
    seconds, _ = timed(lambda: quantiles(reports, NAME).interval())
    last = f"| quartiles with intervals | {seconds:.1f} s | | | |"
    head = ["| | ours | NumPy | ratio | bar |", "|---|---|---|---|---|"]
    table = "\n".join([*head, *rows, peak, last])
    text = (
        f"Made by `python -m benchmarks.numbers`: {OWNERS:,} owners, a number on a grid of"
        f" {HIGH // STEP + 1} points by the piecewise mechanism, with 24 levels from 0.25 to 6 and"
        " with 79 from 0.1 to 4. Ours goes from records to a table of reports with ids and to a"
        " mean with its interval and the test of levels; NumPy draws floats into an array, level by"
        " level, and has the mean. Both take turns."
    )
    write_section("Numbers: speed", f"{text}\n\n{table}")
    sys.stdout.write(table + "\n")


if __name__ == "__main__":
    main()
