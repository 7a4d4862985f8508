"""Runs of minutes: a yes/no attribute by earnings, in bins that nobody named."""

from functools import cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest

import discretion as ds
from discretion.plan import Plan
from discretion.table import ReportTable

Vector = npt.NDArray[np.float64]
RUNS, OWNERS, SEED = 200, 50_000, 31_000
HIGH, STEP = 250_000, 1_000
HAND = [0, 20_000, 60_000, HIGH]
LOW_COVERAGE, HIGH_COVERAGE = 0.93, 0.97
CAUTIOUS = 0.98  # of cells: the profile of a number's distribution allows what reports hardly tell
PLAN = Plan.of(
    {
        "name": "earnings",
        "attributes": [
            {"name": "pay", "kind": "numeric", "range": [0, HIGH], "step": STEP},
            {"name": "member", "kind": "categorical", "values": ["yes", "no"]},
        ],
        "budget": {"levels": [0.5, 1, 2, 4.5]},  # 2 on average
    }
)


def people(n: int, seed: int) -> tuple[Vector, npt.NDArray[np.bool_]]:
    """Draw earnings like those of a labour survey: skewed, heaped, and a few far out."""
    rng = np.random.default_rng((seed, 21))
    pay = np.exp(rng.normal(10.65, 0.62, n)) * np.where(rng.random(n) < 0.02, 4, 1)
    heap = np.where(rng.random(n) < 0.4, 5 * STEP, STEP)
    pay = np.clip(np.rint(pay / heap) * heap, 0, HIGH)
    return pay, rng.random(n) < 0.55 - 0.35 / (1 + np.exp(-(pay - 45_000) / 15_000))


@cache
def everybody() -> tuple[Vector, npt.NDArray[np.bool_]]:
    return people(2_000_000, 1)


def crowd(seed: int) -> ReportTable:
    pay, member = people(OWNERS, seed)
    rng = np.random.default_rng((seed, 22))
    columns = {
        "pay": pa.array(pay, mask=rng.random(OWNERS) < 0.05),
        "member": pa.array(np.where(member, "yes", "no"), mask=rng.random(OWNERS) < 0.05),
    }
    return ds.simulate(PLAN, pa.table(columns), budgets="levels", seed=seed)


def truth(labels: tuple[str, ...]) -> Vector:
    """Return the shares of bins (rows) and answers (columns), in bins with these labels."""
    pay, member = everybody()
    edges = [float(label.strip("[])").split(",")[0]) for label in labels]
    which = np.searchsorted(edges, pay, side="right") - 1
    both = [np.bincount(which[own], minlength=len(edges)) for own in (member, ~member)]
    return np.column_stack(both) / len(pay)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
def test_bins_that_nobody_named_are_as_good_as_those_named_by_hand() -> None:
    covered: dict[str, list[Vector]] = {}
    widths: dict[str, list[float]] = {}
    widest, counts = [], []
    for seed in range(SEED, SEED + RUNS):
        reports = crowd(seed)
        for name, bins in (("unnamed", None), ("by hand", {"pay": HAND})):
            groups = ds.frequencies(reports, "member", by="pay", bins=bins)
            cells = ds.joint(reports, ["pay", "member"], bins=bins)
            shares = truth(groups.groups)
            rows = shares / shares.sum(axis=1, keepdims=True)
            for what, ends, true in (
                ("rows", groups.interval(), rows),
                ("cells", cells.interval(), truth(cells.labels[0])),
            ):
                low, high = np.moveaxis(ends, -1, 0)
                widths.setdefault(f"{what} {name}", []).append(float(np.nanmean(high - low)))
                held = ((low <= true) & (true <= high)).astype(float)
                covered.setdefault(f"{what} {name}", []).append(held[~np.isnan(low)])
            if bins is None:
                widest.append(float(np.nanmax(np.diff(groups.interval()))))
                counts.append(len(groups.groups))
    coverage = {what: float(np.concatenate(own).mean()) for what, own in covered.items()}
    mean = {what: float(np.mean(own)) for what, own in widths.items()}
    print(
        f"\nseeds {SEED} to {SEED + RUNS - 1}: coverage {coverage}, mean widths {mean}, widest row "
        f"{max(widest):.3f}, bins {min(counts)} to {max(counts)}"
    )
    assert max(widest) < 1
    assert mean["rows unnamed"] <= mean["rows by hand"]
    assert LOW_COVERAGE <= coverage["rows unnamed"] <= HIGH_COVERAGE
    for what in ("cells unnamed", "cells by hand"):
        assert LOW_COVERAGE <= coverage[what] <= CAUTIOUS, what
