"""Junction trees with random tables, and the whole joint of each by brute force."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.crowd import simulate
from discretion.plan import Plan
from discretion.synthesis.likelihoods import Likelihoods
from discretion.synthesis.soft_evidence import SoftEvidence
from discretion.synthesis.tree import Pair, Tree
from discretion.table import ReportTable
from tests.unit.joints.crowds import crowd, dependent, plan_of

Vector = npt.NDArray[np.float64]
Table = npt.NDArray[np.float64]

SIZES = (3, 4, 2, 3)
NUMBER = {"name": "x", "kind": "numeric", "range": [0, 10], "step": 0.5, "mechanism": "sw"}
EDGES = (0, 2, 5, 10)
MIXED = plan_of(SIZES, ("grr", "oue", "subset", "sue"))
BUNDLED = plan_of(SIZES, "subset", bundles=[["b", "a"], ["b", "c"]])
SECRET = plan_of(SIZES, "oue", secret=True)
PLANS = {"mixed": MIXED, "bundled": BUNDLED, "secret": SECRET}


def numbered() -> Plan:
    """Three labels and a number."""
    labels = [
        {"name": name, "kind": "categorical", "values": [f"{name}{i}" for i in range(size)]}
        for name, size in zip("abc", SIZES, strict=False)
    ]
    budget = {"levels": [0.5, 1, 3]}
    return Plan.of({"name": "n", "attributes": [*labels, NUMBER], "budget": budget})


def numbered_crowd(n: int, seed: int, missing: float = 0.2) -> ReportTable:
    """Return reports with a number that follows the first label, at unequal levels."""
    rng = np.random.default_rng((seed, 5))
    codes = [rng.integers(0, size, n) for size in SIZES[:3]]
    x = np.clip(rng.normal(2 + 2.5 * codes[0], 1.5), 0, 10)
    columns: dict[str, Any] = {
        name: np.array([f"{name}{i}" for i in range(3 if name == "a" else 4)])[own]
        for name, own in zip("abc", codes, strict=True)
    }
    frame = {
        name: pa.array(own, mask=rng.random(n) < missing)
        for name, own in {**columns, "x": np.rint(2 * x) / 2}.items()
    }
    return simulate(numbered(), frame, budgets="levels", seed=seed)


def reports_of(kind: str, n: int, seed: int = 1, missing: float = 0.25) -> ReportTable:
    """Return reports with unequal budgets and gaps: labels, bundles, secret levels or a number."""
    if kind == "number":
        return numbered_crowd(n, seed, missing)
    return crowd(PLANS[kind], dependent(SIZES), n, seed, missing=missing)


def evidence_of(reports: ReportTable) -> SoftEvidence:
    """Return what reports say about all attributes."""
    bins = {"x": EDGES} if "x" in reports.plan.attributes else None
    return SoftEvidence.of(reports, list(reports.plan.attributes), bins)


def likelihoods_of(evidence: SoftEvidence) -> Likelihoods:
    """Return all signals at once."""
    return evidence.shards.fold(lambda likelihoods: likelihoods, _joined)


def _joined(one: Likelihoods, other: Likelihoods) -> Likelihoods:
    return Likelihoods(
        np.concatenate([one.values, other.values], axis=1),
        np.concatenate([one.strata, other.strata], axis=1),
        tuple(np.concatenate(bits) for bits in zip(one.bits, other.bits, strict=True)),
    )


def placed(table: Table, axes: Sequence[int], shape: Sequence[int]) -> Table:
    """Return a table of some axes, in any order, so that it broadcasts over all."""
    wide = [shape[a] if a in axes else 1 for a in range(len(shape))]
    return table.transpose(np.argsort(axes)).reshape(wide)


def summed(whole: Table, axes: Sequence[int]) -> Table:
    """Return the marginal of some axes, in this order."""
    operands = [whole, list(range(whole.ndim)), list(axes)]
    return np.asarray(np.einsum(*operands))  # type: ignore[call-overload]


def whole_of(tree: Tree, tables: Vector) -> Table:
    """Return the product of the tables of all cliques: every cell of the joint."""
    whole = np.ones(tree.shape)
    for own, clique in zip(tree.slices(), tree.cliques, strict=True):
        whole = whole * placed(tables[own].reshape(tree.sizes(clique)), clique, tree.shape)
    return whole


def flat_of(tree: Tree, whole: Table) -> Vector:
    """Return the marginals of all cliques, flat and one after the other."""
    return np.concatenate([summed(whole, clique).ravel() for clique in tree.cliques])


TREES: dict[str, tuple[tuple[int, ...], list[Pair]]] = {
    "one": ((3,), []),
    "apart": ((3, 2, 4), []),
    "chain": ((3, 4, 2, 3), [(0, 1), (1, 2), (2, 3)]),
    "star": ((2, 3, 3, 2), [(0, 2), (1, 2), (2, 3)]),
    "ring": ((2, 3, 2, 3), [(0, 1), (1, 2), (2, 3), (0, 3)]),
    "parts": ((2, 3, 2, 3, 2), [(0, 3), (1, 4), (1, 2), (2, 4)]),
    "all": ((2, 3, 2), [(0, 1), (1, 2), (0, 2)]),
}


def tree_of(name: str) -> Tree:
    shape, edges = TREES[name]
    return Tree.of(shape, edges)
