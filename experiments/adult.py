"""Joint tables of Adult: ``python -m experiments.adult DATA`` writes a section of docs/results.md.

Ten attributes, of which each table has two, three or four; its owners share all of them, with
Dirichlet budgets of two on average, and disclose their levels.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa

from discretion import Plan, joint, simulate
from discretion.crowd.records import code_columns
from experiments.page import write_section
from papers.data import read
from papers.pldp.printed import ADULT

NAMES = ("workclass", "education", "marital-status", "occupation", "relationship", "race", "sex")
NUMBERS = {"age": (0, 25, 35, 45, 55, 65, 100), "hours-per-week": (0, 20, 35, 40, 50, 100)}
ATTRIBUTES = (*NAMES, "income", *NUMBERS)
SETS = 20  # tables of three and of four attributes, drawn once with the seed below
SEED = 9100
MOST: Mapping[str, Mapping[int, float]] = {
    "oue": {2: 0.055, 3: 0.090, 4: 0.145},
    "subset": {2: 0.044, 3: 0.070, 4: 0.115},
}


def records(place: Path) -> pa.Table:
    """Return the ten attributes of all records."""
    kinds = [
        {"name": name, "kind": "numeric" if name in NUMBERS else "categorical"}
        for name in ATTRIBUTES
    ]
    return read(replace(ADULT, questions=tuple(kinds)), place)


def sets(k: int) -> list[tuple[str, ...]]:
    """Return all pairs, or the drawn sets of more attributes."""
    every = list(combinations(ATTRIBUTES, k))
    if k == 2:
        return every
    chosen = np.random.default_rng(5).choice(len(every), SETS, replace=False)
    return [every[i] for i in chosen]


def plan_of(table: pa.Table, names: Sequence[str], mechanism: str) -> Plan:
    """Return a plan that asks for these attributes."""
    questions = []
    for name in names:
        question: dict[str, object] = {"name": name, "mechanism": mechanism}
        if name in NUMBERS:
            edges = list(NUMBERS[name])
            question |= {"kind": "numeric", "range": [0, 100], "step": 1, "bins": edges}
        else:
            question |= {"kind": "categorical", "values": sorted(table[name].unique().to_pylist())}
        questions.append(question)
    budget = {"average": 2, "least": 0.01, "most": 2 * len(names), "step": 0.01}
    return Plan.of({"name": "adult", "attributes": questions, "budget": budget})


def distance(
    table: pa.Table, names: Sequence[str], mechanism: str, method: str, seed: int
) -> float:
    """Return the total variation between the estimate and the table of the records."""
    plan = plan_of(table, names, mechanism)
    columns = table.select(list(names))
    estimate = joint(simulate(plan, columns, budgets="dirichlet", seed=seed), names, method)
    codes = code_columns(plan, columns, np.random.default_rng(seed))
    truth = np.zeros(estimate.value.shape)
    np.add.at(truth, tuple(codes.T), 1 / len(codes))
    return float(np.abs(estimate.value - truth).sum() / 2)


def main(place: Path) -> None:
    """Measure all tables and write the section."""
    table = records(place)
    rows = ["| | k = 2 | k = 3 | k = 4 |", "|---|---|---|---|"]
    for mechanism, bars in MOST.items():
        cells = []
        for k, most in bars.items():
            found = [
                distance(table, names, mechanism, "map", SEED + i)
                for i, names in enumerate(sets(k))
            ]
            mean = float(np.mean(found))
            verdict = "met" if mean <= most else "**missed**"
            cells.append(f"{mean:.4f} ≤ {most:.3f}: {verdict}")
            sys.stdout.write(f"{mechanism} {k}: {mean:.4f}\n")
            sys.stdout.flush()
        rows.append(f"| `{mechanism}` | {' | '.join(cells)} |")
    text = (
        "Made by `python -m experiments.adult DATA`: mean total variation of `map`, a run a table,"
        f" {table.num_rows:,} owners who share all k attributes with Dirichlet budgets of 2 each."
        f" All pairs of {', '.join(ATTRIBUTES)}, and {SETS} sets of three and of four."
    )
    write_section("Joint tables of Adult", "\n\n".join([text, "\n".join(rows)]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
