"""The test of two crowds has its size where budgets differ between them, and its intervals cover.

Pearson's test on raw outputs is run beside it, to show that the crowds would fool it.
"""

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import discretion as ds
from discretion.family.counts import Tally
from discretion.plan import Plan
from discretion.table import ReportTable
from tests.tallies import counted_as

SEED, RUNS = 20261118, 2_000
LEAST, MOST = 0.035, 0.065  # rejections at 5 %
COVERED, COVERED_MOST = 0.93, 0.97
FORECAST = 0.06  # of the power
TRAVEL = ["car", "bus", "train", "bike", "walk"]
VALUES = [f"v{i}" for i in range(10)]
SHARES = np.array([0.3, 0.2, 0.15, 0.1, 0.08, 0.06, 0.05, 0.03, 0.02, 0.01])
FIRST, SECOND = ([0.5, 0.5, 1.0, 2.0], 1500), ([1.0, 2.0, 4.0, 4.0], 2500)  # levels and owners
PLAN = Plan.of(
    {
        "name": "arms",
        "attributes": [
            {"name": "v", "kind": "categorical", "values": VALUES},
            {"name": "x", "kind": "numeric", "range": [0, 100], "step": 1},
        ],
        "budget": {"levels": [0.5, 1, 2, 4]},
    }
)


def arm(levels: list[float], n: int, rng: np.random.Generator) -> ReportTable:
    v = np.array(VALUES)[rng.choice(len(VALUES), n, p=SHARES)]
    x = np.clip(rng.normal(40, 20, n).round(), 0, 100)
    missing = rng.random((2, n)) < 0.1
    records = pa.table({"v": pa.array(v, mask=missing[0]), "x": pa.array(x, mask=missing[1])})
    budgets = pa.table({name: rng.choice(levels, n) for name in ("v", "x")})
    return ds.simulate(PLAN, records, budgets=budgets, seed=int(rng.integers(1 << 30)))


def pearson(first: ReportTable, second: ReportTable) -> float:
    counts = (counted_as(ds.Aggregate.of(side), "v", Tally).values() for side in (first, second))
    table = [sum(tally.supports for tally in own) for own in counts]
    return float(stats.chi2_contingency(table).pvalue)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.DependenceWarning")
def test_the_power_is_what_was_forecast() -> None:
    """400 pairs of crowds of the size that is needed for 80 %."""
    rng, effect, runs = np.random.default_rng(SEED + 1), 0.05, 400
    plan = ds.census_plan()
    shares = np.array([0.4, 0.2, 0.2, 0.1, 0.1])
    shift = np.where(np.arange(5) == 3, effect, -effect * shares / (1 - shares[3]))
    by_label = dict(zip(TRAVEL, shift.tolist(), strict=True))
    n = ds.needed(plan, "travel", effect=by_label, guess=shares.tolist(), share=2).owners
    census = ds.census(n, seed=1)
    at = census.column_names.index("travel")
    found = 0
    for _ in range(runs):
        sides = []
        for law in (shares, shares + shift):
            travel = pa.array(np.array(TRAVEL)[rng.choice(5, n, p=law)])
            records = census.set_column(at, "travel", travel)
            seed = int(rng.integers(1 << 30))
            sides.append(ds.simulate(plan, records, budgets="dirichlet", share=2, seed=seed))
        found += ds.compare(sides[0], sides[1], "travel").pvalue < 0.05
    print(f"seed {SEED + 1}: {n:,} owners on each side, power {found / runs:.4f}, forecast 0.8")
    assert abs(found / runs - 0.8) < FORECAST


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.DependenceWarning")  # one of a thousand warns
def test_the_tests_have_their_size_and_the_differences_cover_zero() -> None:
    rng = np.random.default_rng(SEED)
    rejected = dict.fromkeys(("labels", "means", "fits", "raw outputs"), 0)
    covered = np.zeros((RUNS, 11), np.bool_)
    for run in range(RUNS):
        first, second = arm(*FIRST, rng), arm(*SECOND, rng)
        labels, means = ds.compare(first, second, "v"), ds.compare(first, second, "x")
        found = {
            "labels": labels.pvalue,
            "means": means.pvalue,
            "fits": ds.fits(first, "v", SHARES.tolist()).pvalue,
            "raw outputs": pearson(first, second),
        }
        for name, p in found.items():
            rejected[name] += p < 0.05
        low, high = np.vstack([labels.interval(), means.interval()]).T
        covered[run] = (low <= 0) & (high >= 0)
    rates = {name: times / RUNS for name, times in rejected.items()}
    means = covered.mean(axis=0)
    print(f"seed {SEED}: rejected {rates}; covered {means.mean():.4f}, worst {means.min():.4f}")
    assert rates["raw outputs"] > 0.9
    for name in ("labels", "means", "fits"):
        assert LEAST <= rates[name] <= MOST, name
    assert COVERED <= means[:10].mean() <= COVERED_MOST
    assert COVERED <= means[10] <= COVERED_MOST
