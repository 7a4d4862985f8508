"""The size of weighted tests: ``python -m experiments.calibrated_tests [--runs N] [--first N]``.

Two crowds of the made survey of ``experiments.calibration``: respondents who selected themselves by
age and work, with levels .5, 1, 2 and 4, and a random sample with levels 1, 2 and 3. Both are
calibrated to the known margins. There is nothing to be found, so a test at 5 % should reject in 5 %
of the runs: ``compare`` of labels and of means, and ``fits`` with the true shares. Each run has a
seed of its own, so runs can be taken in parts (``--first``) and added up.
"""

import argparse
import warnings
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

import discretion as ds
from discretion.plan import Plan
from experiments.calibration import MISSING, Population, Vector, made

SEED, RUNS, RESPONDENTS, SIZE = 20261127, 1_000, 10_000, 0.05
OTHER = [1, 2, 3]  # levels of the random sample


def pvalues(population: Population, seed: tuple[int, int]) -> Iterator[tuple[str, float]]:
    """Yield the p-value of each test in one run."""
    rng, label = np.random.default_rng(seed), population.label
    chosen = respondents(population, population.plan, population.chances(), rng)
    drawn = respondents(population, population.asked_at(OTHER), None, rng)
    margins = {name: population.shares(name) for name in ("age", "work")}
    weights = [ds.calibrate(each, margins) for each in (chosen, drawn)]
    yield "compare, labels", ds.compare(chosen, drawn, label, weights=weights).pvalue
    yield "compare, means", ds.compare(chosen, drawn, population.number, weights=weights).pvalue
    yield "fits", ds.fits(chosen, label, population.shares(label), weights=weights[0]).pvalue


def respondents(
    population: Population, plan: Plan, chances: Vector | None, rng: np.random.Generator
) -> ds.ReportTable:
    """Return the reports of people who were drawn with these chances, with replacement."""
    size = len(population.columns["age"])
    who = rng.choice(size, RESPONDENTS, p=chances)
    records = {
        name: pa.array(column[who], mask=rng.random(RESPONDENTS) < MISSING)
        for name, column in population.columns.items()
    }
    return ds.simulate(plan, records, budgets="levels", seed=int(rng.integers(1 << 31)))


def main() -> None:
    """Print how often each test finds something, and go on printing as runs come in."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--first", type=int, default=0, help="Number of the first run.")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    population, found = made(), dict[str, list[bool]]()
    for run in range(given.first, given.first + given.runs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ds.DependenceWarning)  # found by chance in one of 20
            for what, pvalue in pvalues(population, (given.seed, run)):
                found.setdefault(what, []).append(pvalue < SIZE)
        if (run + 1) % 50 == 0 or run == given.first + given.runs - 1:
            said = "; ".join(f"{what} {sum(own)} of {len(own)}" for what, own in found.items())
            print(f"seed {given.seed}, runs {given.first} to {run}: {said}", flush=True)


if __name__ == "__main__":
    main()
