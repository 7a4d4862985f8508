"""Intervals of means cover, of the people and of the owners themselves; bounds of extremes too.

Owners have budgets from 0.1 to 4, a tenth of all numbers is missing, and reports come from
``simulate``. Every run has other people, so that the truth is a population's; of the owners it is
the mean of those who reported.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from scipy import stats

import discretion as ds
from discretion.plan import Plan

SEED, RUNS, OWNERS = 20261115, 1_000, 2_000
LEAST, MOST = 0.93, 0.97  # coverage of an interval that promises 95 %
LEAST_BOUND = 0.94  # of a bound to one side that promises 95 %
GRID = {"kind": "numeric", "range": [0, 10], "step": 0.5}  # 21 points
RANGES = [[0, 5], [2, 8]]
MENU = [0.1, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]
BETA = stats.beta(2, 5)
CHANCES = np.diff(BETA.cdf((np.arange(22) - 0.5).clip(0, 20) / 20), append=1.0)[:21]
POINTS = np.arange(21) / 2
TRUTH = float(POINTS @ CHANCES)

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A plan about the number ``x``, and how its owners spend."""

    plan: dict[str, Any]
    budgets: object = "levels"  # or "dirichlet"
    ranges: str = "whole"
    method: str = "auto"
    skewed: bool = True  # else at both ends
    resolves_spread: bool = True  # whether reports tell how much the numbers spread


def alone(mechanism: str, **grid: Any) -> dict[str, Any]:
    x = {"name": "x", **GRID, "mechanism": mechanism, **grid}
    return {"name": "c", "attributes": [x, LABEL], "budget": {"levels": MENU}}


def bundle(**options: Any) -> dict[str, Any]:
    numbers = [{"name": name, **GRID} for name in ("x", "y", "w")]
    bundles = [{"attributes": ["x", "y", "w"], **options}]
    return {"name": "c", "attributes": [*numbers, LABEL], "bundles": bundles} | {
        "budget": {"levels": MENU}
    }


def sampled() -> dict[str, Any]:
    numbers = [{"name": name, **GRID} for name in ("x", "y", "w")]
    budget = {"total": 4, "spread": 4, "step": 0.05}
    return {"name": "c", "attributes": numbers, "share": {"sample": 2}, "budget": budget}


LABEL = {"name": "z", "kind": "categorical", "values": ["no", "yes"]}
DECODED = {
    "duchi": Case(alone("duchi"), resolves_spread=False),
    "duchi at the ends": Case(alone("duchi"), skewed=False, resolves_spread=False),
    "window": Case(alone("window")),
    "window at the ends": Case(alone("window"), skewed=False),
    "window, unweighted": Case(alone("window"), method="unweighted"),
    "hm": Case(alone("hm")),
    "optimal": Case(alone("optimal")),
    "bundle of two levels": Case(bundle(levels=2)),
    "bundle of three levels": Case(bundle(levels=3)),
    "bundle by duchi": Case(bundle(mechanism="duchi")),
    "two of three": Case(sampled(), budgets="dirichlet"),
}
LIKELY = {
    "ranges, window": Case(alone("window", ranges=RANGES), ranges="menu"),
    "ranges, sw": Case(alone("sw", ranges=RANGES), ranges="menu"),
    "ranges, duchi": Case(alone("duchi", ranges=RANGES), ranges="menu", resolves_spread=False),
    "laplace": Case(alone("laplace")),
    "window": Case(alone("window"), method="likelihood"),
}


def drawn(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    """Return a crowd's records: numbers from the population, each missing at times."""
    probabilities = CHANCES if case.skewed else np.eye(21)[[0, 20]].sum(axis=0) / 2
    names = [each["name"] for each in case.plan["attributes"]]
    frame: dict[str, Any] = {}
    for name in names:
        if name == "z":
            frame[name] = rng.choice(["no", "yes"], OWNERS)
        else:
            x = rng.choice(POINTS, OWNERS, p=probabilities)
            lacking = 0.0 if name != "x" and "share" in case.plan else 0.1  # all draw something
            frame[name] = pa.array(x, mask=rng.random(OWNERS) < lacking)
    return frame


def coverage(case: Case) -> dict[str, float]:
    """Return how often intervals hold the truth, and the mean of the errors in standard errors."""
    plan, truth = Plan.of(case.plan), TRUTH if case.skewed else 5.0
    z: dict[str, list[float]] = {"population": [], "owners": []}
    for run in range(RUNS):
        frame = drawn(case, np.random.default_rng((SEED, run)))
        reports = ds.simulate(
            plan, frame, budgets=case.budgets, ranges=case.ranges, seed=SEED + run
        )
        own = owners_mean(reports, plan, frame)
        for target, true in (("population", truth), ("owners", own)):
            if true is not None:
                found = ds.mean(reports, "x", case.method, target)
                z[target].append((found.unclipped - true) / found.stderr)
    shares = {
        target: float(np.mean(np.abs(own) < 1.959964)) for target, own in z.items() if len(own)
    }
    return shares | {"off": float(np.mean(z["population"]))}


def owners_mean(reports: ds.ReportTable, plan: Plan, frame: dict[str, Any]) -> float | None:
    """Return the mean of those who reported it; None where rows are not those of the frame."""
    if len(reports) != OWNERS:
        return None
    shared = np.zeros(OWNERS, bool)
    for name in plan.names:
        if "x" in plan.questions[name].parts:
            shared |= np.asarray(reports.data[f"{name}.y"].is_valid())
    return float(np.asarray(frame["x"].fill_null(0))[shared].mean())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize("case", DECODED.values(), ids=DECODED)
def test_intervals_of_means_cover(case: Case, request: pytest.FixtureRequest) -> None:
    """Where two points tell no spread, the owners' own mean has an interval that is too wide."""
    found = coverage(case)
    print(f"\n{request.node.callspec.id}: {found}, {RUNS} runs, seed {SEED}")
    assert LEAST <= found["population"] <= MOST, found
    assert LEAST <= found["owners"] <= (MOST if case.resolves_spread else 1.0), found
    assert abs(found["off"]) < 4.5 / np.sqrt(RUNS), found  # weights from the data do not bias


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize("case", LIKELY.values(), ids=LIKELY)
def test_intervals_of_means_by_likelihood_cover(case: Case, request: pytest.FixtureRequest) -> None:
    found = coverage(case)
    print(f"\n{request.node.callspec.id}: {found}, {RUNS} runs, seed {SEED}")
    assert LEAST <= found["population"] <= MOST, found
    assert LEAST <= found["owners"] <= (MOST if case.resolves_spread else 1.0), found


EXTREMES: dict[str, Callable[..., ds.ExtremeEstimate]] = {
    "minimum": ds.minimum,
    "maximum": ds.maximum,
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")
@pytest.mark.parametrize("mechanism", ["sw", "window", "hm"])
@pytest.mark.parametrize("what", EXTREMES)
def test_bounds_of_extremes_cover(what: str, mechanism: str) -> None:
    """Of the true quantile at the level that the reports resolve, whatever that came out as.

    On a grid of 201 points: on a coarse one, bounds are rounded to the safe side.
    """
    points = np.arange(201) / 20
    cdf = BETA.cdf((points + 0.025).clip(0, 10) / 10)
    plan, hits, levels = Plan.of(alone(mechanism, step=0.05)), [], []
    for run in range(RUNS):
        rng = np.random.default_rng((SEED, run))
        x = points[np.searchsorted(cdf, rng.random(OWNERS))]
        frame = {"x": pa.array(x, mask=rng.random(OWNERS) < 0.1), "z": ["no"] * OWNERS}
        reports = ds.simulate(plan, frame, budgets="levels", seed=SEED + run)
        found = EXTREMES[what](reports, "x")
        truth = points[np.searchsorted(cdf, found.level - 1e-12)]
        hits.append(found.limit() <= truth if what == "minimum" else truth <= found.limit())
        levels.append(found.level)
    share = float(np.mean(hits))
    print(
        f"\n{what} by {mechanism}: covers {share:.4f}, levels {np.min(levels):.3f} to "
        f"{np.max(levels):.3f}, {RUNS} runs, seed {SEED}"
    )
    assert share >= LEAST_BOUND
