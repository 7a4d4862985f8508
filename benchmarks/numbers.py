"""Numbers: simulated, and their mean estimated, beside NumPy.

Three million owners, one number each with a budget of her own, from a short menu and from a long
one: to simulate and to estimate the mean, beside NumPy, which takes the levels one by one.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from benchmarks.cells import BUDGETS, MENU, MILLION, NOISE, VALUES
from benchmarks.claim import Claim, Section, tell
from benchmarks.measure import Codes, Vector, peak_mb, timed
from discretion import Plan, mean, quantiles, simulate
from discretion.kernel.cache import warm

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


def compared(numbers: Vector, menu: Sequence[int]) -> Iterator[Claim]:
    """Measure both in turns, and yield each step."""
    asked, records = plan(menu), pa.table({NAME: numbers})
    turns = [(ours(asked, records), plain(numbers, menu)) for _ in range(REPEATS)]
    mine, theirs = (np.array(each)[:, :2] for each in zip(*turns, strict=True))
    for step, what in enumerate(("simulate", "mean")):
        title = f"{what}, {len(menu)} levels"
        yield Claim(title, mine[:, step].min(), "NumPy", theirs[:, step].min())
    own, other = (float(each.sum(axis=1).min()) for each in (mine, theirs))
    yield Claim(f"both, {len(menu)} levels", own, "NumPy", other, LEAST_RATIO)


def section() -> Section:
    """Measure memory first, as this process has done nothing else before."""
    warm()
    numbers = incomes()
    ours(plan(MENU), pa.table({NAME: numbers}))
    claims = [Claim.up_to(MOST_MB, "peak memory", peak_mb(), "MB")]
    claims += [claim for menu in MENUS for claim in compared(numbers, menu)]
    reports = simulate(plan(MENU), pa.table({NAME: numbers}), budgets="levels", seed=NOISE)
    seconds, _ = timed(lambda: quantiles(reports, NAME).interval())
    about = (
        f"{OWNERS:,} owners, a number on a grid of {HIGH // STEP + 1} points by the piecewise"
        " mechanism, with 24 levels from 0.25 to 6 and with 79 from 0.1 to 4. Ours goes from"
        " records to a table of reports with ids and to a mean with its interval and the test of"
        " levels; NumPy draws floats into an array, level by level, and has the mean. Both take"
        " turns."
    )
    return Section("Numbers", about, [*claims, Claim("quartiles with intervals", seconds)])


if __name__ == "__main__":
    tell(section())
