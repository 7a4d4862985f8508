"""How often levels are said to depend on values: rarely where they do not, nearly always if so."""

import warnings
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest

import discretion as ds
from discretion.errors import DependenceWarning
from discretion.table import ReportTable

SEED = 20261118
RUNS = 200
FALSE_ALARMS, NOTICED = 0.08, 0.95
N = 3_000
SIZES = {"a": 2, "b": 5, "c": 12}  # of which the last has rare values
PLAN = ds.Plan.of(
    {
        "name": "levels",
        "attributes": [
            *(
                {"name": name, "kind": "categorical", "values": [f"{v}" for v in range(size)]}
                for name, size in SIZES.items()
            ),
            {"name": "x", "kind": "numeric", "range": [0, 50], "step": 1, "mechanism": "window"},
        ],
        "budget": {"levels": [0.5, 1, 2, 4]},
    }
)
MENU = np.array([0.5, 1.0, 2.0, 4.0])
ASKED: dict[str, Callable[[ReportTable], object]] = {
    "joint": lambda reports: ds.joint(reports, ["a", "b", "c"], "tensor"),
    "joint with bins": lambda reports: ds.joint(reports, ["a", "x"], "tensor", {"x": 3}),
    "dependence": ds.dependence,
    "variance": lambda reports: ds.variance(reports, "x"),
    "minimum": lambda reports: ds.minimum(reports, "x"),
    "maximum": lambda reports: ds.maximum(reports, "x"),
}


def reports_of(seed: int, follow: float) -> ReportTable:
    """Draw owners whose levels follow their values, in that share of them, and lack some values."""
    rng = np.random.default_rng((SEED, seed))
    latent = rng.random(N)
    codes = {
        name: (size * (0.4 * latent + 0.6 * rng.random(N)) ** 2).astype(int)
        for name, size in SIZES.items()
    }
    codes["x"] = (50 * rng.beta(2, 5, N)).astype(int)
    ends = {**{name: size - 1 for name, size in SIZES.items()}, "x": 50}
    frame, budgets = {}, {}
    for name, own in codes.items():
        budgets[name] = chosen(own / ends[name], follow, rng)
        values = own.astype(float) if name == "x" else own.astype(str)
        frame[name] = pa.array(values, mask=rng.random(N) < 0.3)
    return ds.simulate(PLAN, pa.table(frame), budgets=pa.table(budgets), seed=seed)


def chosen(
    place: npt.NDArray[np.float64], follow: float, rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Choose a high level for a high value, in that share of owners, and any in the others."""
    any_level = rng.choice(4, N, p=[0.4, 0.3, 0.2, 0.1])
    by_value = np.minimum((8 * place).astype(int), 3)
    return np.asarray(MENU[np.where(rng.random(N) < follow, by_value, any_level)])


def warned(work: Callable[[ReportTable], object], reports: ReportTable) -> bool:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work(reports)
    return any(issubclass(each.category, DependenceWarning) for each in caught)


def shares(follow: float) -> dict[str, float]:
    found = dict.fromkeys(ASKED, 0)
    for run in range(RUNS):
        reports = reports_of(run, follow)
        for name, work in ASKED.items():
            found[name] += warned(work, reports)
    return {name: count / RUNS for name, count in found.items()}


@pytest.mark.slow
def test_honest_crowds_rarely_warn() -> None:
    found = shares(0.0)
    print(f"seed {SEED}, n {N}, {RUNS} honest runs, share that warns: {found}")
    assert max(found.values()) <= FALSE_ALARMS


@pytest.mark.slow
def test_crowds_whose_levels_follow_their_values_warn() -> None:
    found = shares(0.8)
    print(f"seed {SEED}, n {N}, {RUNS} dependent runs, share that warns: {found}")
    assert min(found.values()) >= NOTICED
