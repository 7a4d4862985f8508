"""How good the default is for tables of two attributes: ``python -m experiments.pairs DATA``.

The twelve tables were written down before the rule between ``mle`` and ``map`` was made. They are
of three data sets and of all kinds: nearly independent and nearly determined, small and large,
labels and numbers in bins, 1,728 and 48,842 owners.
"""

import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

import discretion as ds
from discretion.crowd.records import code_columns
from discretion.joints import joint
from experiments.accuracy import each, table
from experiments.page import write_section
from papers.data import Dataset, read
from papers.pldp.printed import ADULT, BANK, CAR

SEED = 20261151
METHODS = ("auto", "mle", "map")
BINS: Mapping[str, tuple[int, ...]] = {
    "age": (0, 25, 35, 45, 55, 65, 100),
    "hours-per-week": (0, 20, 35, 40, 50, 100),
}
BUDGET = {"average": 2, "least": 0.25, "most": 4, "step": 0.25}


@dataclass(frozen=True)
class Pair:
    """Two attributes of a data set, and how they are asked."""

    dataset: Dataset
    names: tuple[str, str]
    mechanism: str

    @property
    def title(self) -> str:
        return f"{self.dataset.name}: {' x '.join(self.names)}, {self.mechanism}"


TABLES = (
    Pair(ADULT, ("education", "occupation"), "subset"),
    Pair(ADULT, ("marital-status", "relationship"), "oue"),
    Pair(ADULT, ("workclass", "race"), "oue"),
    Pair(ADULT, ("age", "hours-per-week"), "subset"),
    Pair(BANK, ("job", "education"), "oue"),
    Pair(BANK, ("age", "marital"), "subset"),
    Pair(BANK, ("contact", "month"), "subset"),
    Pair(BANK, ("poutcome", "y"), "oue"),
    Pair(CAR, ("buying", "class"), "subset"),
    Pair(CAR, ("safety", "class"), "oue"),
    Pair(CAR, ("persons", "class"), "subset"),
    Pair(CAR, ("lug_boot", "doors"), "oue"),
)


def errors(pair: Pair, place: Path, runs: int, seed: int) -> dict[str, float]:
    """Measure the mean total variation of each method on one table."""
    found = np.mean(each(partial(_errors, pair, records(pair, place)), runs, seed), axis=0)
    return dict(zip(METHODS, found.tolist(), strict=True))


def over_better(found: Mapping[str, float]) -> float:
    """Return the default's error in units of the better of the two methods."""
    return found["auto"] / min(found["mle"], found["map"])


def records(pair: Pair, place: Path) -> pa.Table:
    """Return the two attributes of all records."""
    kinds = [
        {"name": name, "kind": "numeric" if name in BINS else "categorical"} for name in pair.names
    ]
    return read(replace(pair.dataset, questions=tuple(kinds)), place)


def plan_of(pair: Pair, columns: pa.Table) -> ds.Plan:
    """Return a plan that asks for both, with Dirichlet budgets of two on average."""
    questions: list[dict[str, object]] = []
    for name in pair.names:
        kind: dict[str, object] = {"kind": "categorical"}
        if name in BINS:
            kind = {"kind": "numeric", "range": [0, 100], "step": 1, "bins": list(BINS[name])}
        else:
            kind["values"] = sorted(columns[name].unique().to_pylist())
        questions.append({"name": name, "mechanism": pair.mechanism, **kind})
    return ds.Plan.of({"name": pair.title, "attributes": questions, "budget": BUDGET})


def _errors(pair: Pair, columns: pa.Table, seed: int) -> list[float]:
    plan = plan_of(pair, columns)
    codes = code_columns(plan, columns, np.random.default_rng(seed))
    sizes = [attribute.size for attribute in plan.attributes.values()]
    truth = np.zeros(sizes)
    np.add.at(truth, tuple(codes.T), 1 / len(codes))
    reports = ds.simulate(plan, columns, budgets="dirichlet", share=(1, 2), seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ds.DependenceWarning)  # one in a thousand by design
        values = (joint(reports, pair.names, method).value for method in METHODS)
        return [float(np.abs(value - truth).sum() / 2) for value in values]


def main(place: Path, runs: int = 20, seed: int = SEED) -> None:
    """Measure all tables and write the section."""
    rows, ratios = [], []
    for pair in TABLES:
        found = errors(pair, place, runs, seed)
        ratios.append(over_better(found))
        rows.append((pair.title, *(f"{found[m]:.4f}" for m in METHODS), f"{ratios[-1]:.3f}"))
        sys.stdout.write(f"{rows[-1]}\n")
        sys.stdout.flush()
    text = (
        f"Made by `python -m experiments.pairs DATA`: mean total variation over {runs} runs with"
        f" seed {seed}; Dirichlet budgets of 2 on average, owners share one attribute or both. The"
        f" default over the better of the two: {np.mean(ratios):.3f} on average, {max(ratios):.3f}"
        " at most."
    )
    heads = ("table", *METHODS, "auto / better")
    write_section("Tables of two attributes", f"{text}\n\n{table(heads, rows)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
