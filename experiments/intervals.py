"""Are intervals as wide as the error? Joint tables: ``python -m experiments.intervals DATA``.

The tables were written down before any of them was estimated, and are unlike those on which the
law of intervals was tuned: Dirichlet, ordered, nearly determined and independent tables of 4 to 25
cells, and the twelve of ``experiments.pairs``. Here are real ones, heaps, zeros, a function, tables
with one strong cell in noise, and independent ones. Records are drawn from the table, so its cells
are the truth.
"""

import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

import discretion as ds
from discretion.joints import joint
from discretion.joints.information import plug_in
from discretion.joints.likelihood import Table
from experiments.accuracy import each, table
from experiments.crowds import Vector
from experiments.page import write_section
from papers.data import Dataset, read
from papers.pldp.printed import ABALONE, ADULT, BANK, CAR

SEED = 20261124
TIERS, SHARES = (0.5, 1, 2, 4), (0.4, 0.3, 0.2, 0.1)
MISSING = 1 / 7
SECRET = {"average": 2, "least": 0.25, "most": 4, "step": 0.25}
NORMAL = 2 * 1.959964  # widths of a normal interval of 95 %
BINS: Mapping[str, tuple[float, ...]] = {"rings": (8, 10, 12), "length": (0.4, 0.5, 0.6)}


@dataclass(frozen=True)
class Setting:
    """A table, how many owners there are, and by which methods it is estimated."""

    title: str
    truth: Table
    owners: int
    secret: bool = False

    @property
    def methods(self) -> tuple[str, ...]:
        return ("blind",) if self.secret else ("adaptive", "map")


@dataclass(frozen=True)
class Measured:
    """The intervals of one quantity or of the cells of one method, over all runs."""

    covered: float
    stderr: float
    worst: float  # covered of the cell that is worst
    width: float  # over the normal width of the error


def settings(place: Path) -> list[Setting]:
    """Return all tables, those of data sets first."""
    rng = np.random.default_rng(4)
    abalone = crossed(ABALONE, ("sex", "rings"), place)
    homes = crossed(BANK, ("housing", "loan", "y"), place)
    people = crossed(ADULT, ("sex", "race", "income"), place)
    cars = crossed(CAR, ("safety", "persons", "class"), place)
    sparse, three = rng.dirichlet(np.full(24, 0.5)), rng.dirichlet(np.ones(24))
    heaps = np.outer([8, 1, 1, 6, 1, 1], [9, 1, 1, 1, 9, 1, 1]) * rng.uniform(0.5, 2, (6, 7))
    spike = np.outer([3, 2, 2, 1], [4, 3, 2, 1.0])
    spike[2, 3] *= 4
    function = np.eye(3)[[0, 0, 1, 2, 2]] * np.array([[3], [2], [2], [2], [1]])
    independent = np.outer([4, 3, 2, 1], [5, 3, 2])
    return [
        Setting("Abalone: sex x rings", abalone, 10_000),
        Setting("Bank: housing x loan x y", homes, 10_000),
        Setting("Dirichlet(1/2), 4 x 6", _whole(sparse.reshape(4, 6)), 10_000),
        Setting("heaps, 6 x 7", _whole(heaps), 10_000),
        Setting("one strong cell, 4 x 4", _whole(spike), 5_000),
        Setting("Adult: sex x race x income", people, 20_000),
        Setting("a function, 5 x 3", _whole(function), 10_000),
        Setting("independent, 4 x 3", _whole(independent), 10_000),
        Setting("Dirichlet(1), 4 x 3 x 2", three.reshape(4, 3, 2), 20_000),
        Setting("Car: safety x persons x class", cars, 10_000),
        Setting("Bank: housing x loan x y", homes, 10_000, secret=True),
        Setting("Adult: sex x race x income", people, 20_000, secret=True),
        Setting("Dirichlet(1), 4 x 3 x 2", three.reshape(4, 3, 2), 20_000, secret=True),
        Setting("heaps, 3 x 7 x 2", _whole(heaps.reshape(3, 2, 7)), 10_000, secret=True),
        Setting("function of two, 2 x 3 x 4", _whole(_of_two()), 10_000, secret=True),
        Setting("Car: safety x persons x class", cars, 10_000, secret=True),
    ]


def crossed(dataset: Dataset, names: Sequence[str], place: Path) -> Table:
    """Return the joint frequencies of attributes of a data set; numbers stand in bins."""
    kinds = [{"name": n, "kind": "numeric" if n in BINS else "categorical"} for n in names]
    columns = read(replace(dataset, questions=tuple(kinds)), place)
    codes = []
    for name in names:
        own = columns[name].to_numpy()
        codes.append(
            np.digitize(own, BINS[name])
            if name in BINS
            else np.unique(own.astype(str), return_inverse=True)[1]
        )
    counts = np.zeros([1 + int(own.max()) for own in codes])
    np.add.at(counts, tuple(codes), 1.0)
    return _whole(counts)


def measured(setting: Setting, runs: int, seed: int) -> dict[str, Measured]:
    """Measure the cells of each method, and the mutual information of the first two attributes."""
    found = each(partial(_run, setting), runs, seed)
    cells = {m: [run[m] for run in found] for m in setting.methods}
    cells["mutual information"] = [run["mutual information"] for run in found]
    truth = setting.truth.ravel()
    pair = setting.truth.sum(axis=tuple(range(2, setting.truth.ndim)))
    return {
        name: _summed(np.array(rows), plug_in(pair[None]) if name not in setting.methods else truth)
        for name, rows in cells.items()
    }


def _summed(rows: Table, truth: Vector) -> Measured:
    """Sum up rows (runs, cells, 3) of value, low and high."""
    value, low, high = np.moveaxis(rows, 2, 0)
    held = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    error = np.sqrt(((value - truth) ** 2).mean(axis=0)).mean()
    return Measured(
        float(held.mean()),
        float(held.mean(axis=1).std(ddof=1) / np.sqrt(len(held))),
        float(held.mean(axis=0).min()),
        float((high - low).mean() / (NORMAL * error)),
    )


def _run(setting: Setting, seed: int) -> dict[str, Table]:
    reports, found = crowd(setting, seed), {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ds.InteractionWarning)
        warnings.simplefilter("ignore", ds.DependenceWarning)  # one in a thousand by design
        for method in setting.methods:
            estimate = joint(reports, reports.plan.names, method)
            found[method] = _ends(estimate.value.ravel(), estimate.interval().reshape(-1, 2))
    known = estimate.mutual_information(*reports.plan.names[:2])
    found["mutual information"] = _ends(np.array([known.value]), np.array([known.interval()]))
    return found


def crowd(setting: Setting, seed: int) -> ds.ReportTable:
    """Return reports at unequal levels, a seventh of the values missing; or at secret ones."""
    rng, f = np.random.default_rng([seed, 1]), setting.truth
    codes = np.unravel_index(rng.choice(f.size, setting.owners, p=f.ravel()), f.shape)
    names = [f"a{j}" for j in range(f.ndim)]
    mechanism = "oue" if setting.secret else "subset"
    asked = [
        {"name": name, "kind": "categorical", "values": list(map(str, range(size)))}
        | {"mechanism": mechanism}
        for name, size in zip(names, f.shape, strict=True)
    ]
    missing = 0.0 if setting.secret else MISSING
    records = {
        name: pa.array(own.astype(str), mask=rng.random(setting.owners) < missing)
        for name, own in zip(names, codes, strict=True)
    }
    if setting.secret:
        document = {"name": "table", "attributes": asked, "budget": SECRET, "allocation": "secret"}
        share = (2, f.ndim)
        return ds.simulate(
            ds.Plan.of(document), records, budgets="dirichlet", share=share, seed=seed
        )
    plan = ds.Plan.of({"name": "table", "attributes": asked, "budget": {"levels": list(TIERS)}})
    budgets = {name: rng.choice(TIERS, setting.owners, p=SHARES) for name in names}
    return ds.simulate(plan, records, budgets=budgets, seed=seed)


def _ends(value: Vector, interval: Table) -> Table:
    return np.column_stack([value, interval])


def _of_two() -> Table:
    a, b, c = np.indices((2, 3, 4))
    return np.where(c == a + b, 9.0, 1.0)


def _whole(weights: Table) -> Table:
    return weights / weights.sum()


def main(place: Path, runs: int = 400, seed: int = SEED) -> None:
    """Measure all tables and write the section."""
    rows: list[tuple[str, ...]] = []
    found: dict[str, list[Measured]] = {}
    for setting in settings(place):
        for name, own in measured(setting, runs, seed).items():
            what = f"{name}, secret levels" if setting.secret and name != "blind" else name
            found.setdefault(what, []).append(own)
            covered = f"{own.covered:.1%} ± {own.stderr:.1%}"
            size = f"{setting.owners:,}"
            rows.append(
                (what, setting.title, size, covered, f"{own.worst:.1%}", f"{own.width:.2f}")
            )
            sys.stdout.write(f"{rows[-1]}\n")
            sys.stdout.flush()
    rows.sort(key=lambda row: list(found).index(row[0]))
    means = [
        (
            what,
            f"{np.mean([each.covered for each in own]):.1%}",
            f"{min(each.worst for each in own):.1%}",
            f"{np.mean([each.width for each in own]):.2f}",
        )
        for what, own in found.items()
    ]
    text = (
        f"Made by `python -m experiments.intervals DATA`, seed {seed}, {runs} runs of each table;"
        " levels 0.5, 1, 2 and 4 with a seventh of the values missing, or secret levels of 2 on"
        " average. Covered by 95 % intervals: the mean over cells and runs with its standard error,"
        " and the worst cell. Width: the mean over the normal width of the actual error."
    )
    heads = ("method", "covered", "worst cell", "width / error")
    details = ("method", "table", "owners", *heads[1:])
    write_section(
        "Intervals of joint tables", f"{text}\n\n{table(heads, means)}\n\n{table(details, rows)}"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
