"""Crowds with dependent attributes, unequal budgets and gaps, and the exact likelihood of each."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.crowd import simulate
from discretion.plan import Family, Plan
from discretion.table import ReportTable
from tests.builders import AVERAGE

Vector = npt.NDArray[np.float64]
Table = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]
NAMES = "abcdefgh"


def plan_of(
    sizes: Sequence[int],
    mechanisms: Sequence[str] | str = "subset",
    *,
    secret: bool = False,
    budget: Mapping[str, Any] = AVERAGE,
    bundles: Sequence[Sequence[str]] = (),
) -> Plan:
    """Return a plan whose attributes a, b, ... have so many values."""
    kinds = [mechanisms] * len(sizes) if isinstance(mechanisms, str) else mechanisms
    attributes = [
        {"name": name, "kind": "categorical", "values": labels(name, size), "mechanism": kind}
        for name, size, kind in zip(NAMES[: len(sizes)], sizes, kinds, strict=True)
    ]
    document: dict[str, Any] = {"name": "crowd", "attributes": attributes, "budget": dict(budget)}
    if bundles:
        document["bundles"] = [list(bundle) for bundle in bundles]
    if secret:
        document["allocation"] = "secret"
    return Plan.of(document)


def labels(name: str, size: int) -> list[str]:
    return [f"{name}{code}" for code in range(size)]


def dependent(sizes: Sequence[int], seed: int = 1, strength: float = 1.0) -> Table:
    """Return a table in which all pairs depend: an ordinal tie of neighbouring attributes."""
    rng = np.random.default_rng(seed)
    logs = np.zeros(tuple(sizes))
    scores = np.meshgrid(*(np.linspace(-1, 1, size) for size in sizes), indexing="ij")
    for one, other in pairwise(scores):
        logs += strength * one * other
    for axis, size in enumerate(sizes):
        own = rng.normal(0, 0.4, size)
        logs += own.reshape([-1 if i == axis else 1 for i in range(len(sizes))])
    f = np.exp(logs)
    return f / f.sum()


def records(plan: Plan, f: Table, n: int, seed: int, missing: float = 0.0) -> pa.Table:
    """Return records drawn from a table over the plan's attributes, each value lacking at times.

    Their stream is not the one of a simulation with the same seed: budgets must not follow values.
    """
    rng = np.random.default_rng((seed, 1))
    codes = np.unravel_index(rng.choice(f.size, n, p=f.ravel()), f.shape)
    return pa.table(
        {
            name: pa.array(np.array(labels(name, size))[own], mask=rng.random(n) < missing)
            for name, size, own in zip(plan.attributes, f.shape, codes, strict=True)
        }
    )


def crowd(
    plan: Plan,
    f: Table,
    n: int,
    seed: int,
    *,
    missing: float = 0.2,
    budgets: object = "dirichlet",
    share: object = "all",
) -> ReportTable:
    """Return reports with personal budgets and partial records."""
    return simulate(
        plan, records(plan, f, n, seed, missing), budgets=budgets, share=share, seed=seed
    )


def exact_rows(reports: ReportTable, names: Sequence[str]) -> Matrix:
    """Return P(report | cell) of all reports (n, cells), one at a time, by the laws themselves.

    A question that is not answered, or not about these attributes alone, is a factor of one;
    whoever answers none of them is left out.
    """
    plan, data = reports.plan, reports.data.to_pylist()
    shape = tuple(plan.questions[name].attribute.size for name in names)
    questions = [q for q in plan.names if set(plan.questions[q].parts) <= set(names)]
    found = []
    for row in data:
        answered = [q for q in questions if row[f"{q}.y"] is not None]
        if not answered:
            continue
        factors = [_factor(plan, q, row[f"{q}.level"], row[f"{q}.y"], names) for q in answered]
        found.append(np.prod(np.broadcast_arrays(np.ones(shape), *factors), axis=0).ravel())
    return np.array(found)


def _factor(plan: Plan, question: str, level: int, y: bytes, names: Sequence[str]) -> Table:
    law, value = plan.questions[question].law(level, Family.SETS), int.from_bytes(y, "little")
    likelihood = np.array([float(law.probability(value, x)) for x in range(law.size)])
    return placed(likelihood, plan, question, names)


def placed(values: Vector, plan: Plan, question: str, names: Sequence[str]) -> Table:
    """Return values by code of an attribute or a bundle as a table that broadcasts over all."""
    parts = plan.questions[question].parts
    table = values.reshape([plan.questions[part].attribute.size for part in parts])
    order = np.argsort([names.index(part) for part in parts])
    wide = [plan.questions[name].attribute.size if name in parts else 1 for name in names]
    return table.transpose(order).reshape(wide)


def total_variation(value: Table, truth: Table) -> float:
    return float(np.abs(value - truth).sum() / 2)
