"""The intervals cover: 95 % of them hold the truth, for every method that claims it.

Populations are drawn anew for every sample. Owners have unequal budgets, lack some attributes and
keep others to themselves; every cell of the truth is above 2 %.
"""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from scipy.stats import binom

from discretion.crowd import simulate
from discretion.labels import frequencies
from discretion.plan import Plan
from discretion.table import ReportTable
from tests.builders import AVERAGE, Vector, author
from tests.significance import ALPHA

F = np.array([0.42, 0.27, 0.16, 0.10, 0.05])
SAMPLES, OWNERS = 150, 1_500
LABELS = ["0", "1", "2", "3", "4"]

DISCLOSED = ("mle", "weighted", "stratified")
CASES = {
    "subset": ("subset", "disclosed", DISCLOSED),
    "grr": ("grr", "disclosed", DISCLOSED),
    "sue": ("sue", "disclosed", DISCLOSED),
    "oue": ("oue", "disclosed", (*DISCLOSED, "blind", "moment")),
    "secret": ("oue", "secret", ("blind", "moment")),
}

Hits = npt.NDArray[np.bool_]
by_chance_dependent = pytest.mark.filterwarnings(  # in one sample of a thousand
    "ignore::discretion.errors.DependenceWarning"
)


def plan_of(mechanism: str, allocation: str) -> Plan:
    x = {"name": "x", "kind": "categorical", "values": LABELS, "mechanism": mechanism}
    z = {"name": "z", "kind": "categorical", "values": ["yes", "no"], "mechanism": mechanism}
    budget = {**AVERAGE, "most": 3.75}
    return Plan.of(author(attributes=[x, z], budget=budget, allocation=allocation))


def sample(plan: Plan, seed: int) -> tuple[ReportTable, Vector]:
    """Return the reports of owners drawn from F, and the frequencies of those who shared x."""
    rng = np.random.default_rng(seed)
    codes, lacks = rng.choice(5, OWNERS, p=F), rng.random((2, OWNERS)) < 0.15
    z = np.array(["yes", "no"])[rng.choice(2, OWNERS)]
    records = {"x": pa.array(codes, mask=lacks[0]), "z": pa.array(z, mask=lacks[1])}
    own = np.bincount(codes[~lacks[0]], minlength=5) / (~lacks[0]).sum()
    return simulate(plan, records, budgets="dirichlet", seed=seed), own


def covered(case: str, target: str) -> dict[str, dict[float, Hits]]:
    """Return by method and confidence which intervals hold the truth: (samples, cells)."""
    mechanism, allocation, methods = CASES[case]
    plan = plan_of(mechanism, allocation)
    confidences = (0.95, 0.75)
    hits: dict[str, dict[float, list[Hits]]] = {m: {c: [] for c in confidences} for m in methods}
    for seed in range(SAMPLES):
        reports, own = sample(plan, seed)
        truth = F if target == "population" else own
        for method in methods:
            estimate = frequencies(reports, "x", method, target)
            for c in confidences:
                low, high = estimate.interval(c).T
                hits[method][c].append((low <= truth) & (truth <= high))
    return {m: {c: np.array(h) for c, h in by.items()} for m, by in hits.items()}


def in_band(hits: Hits) -> bool:
    """Whether coverage is what chance allows around 95 %.

    The cells of a sample are dependent, so all of them together count as one trial a sample.
    """
    low, high = binom.ppf([ALPHA / 2, 1 - ALPHA / 2], SAMPLES, 0.95) / SAMPLES
    return bool(low <= hits.mean() <= high)


@by_chance_dependent
@pytest.mark.slow
@pytest.mark.parametrize(
    "case, target", [*((case, "population") for case in CASES), ("subset", "owners")]
)
def test_intervals_hold_the_truth_as_often_as_they_say(case: str, target: str) -> None:
    for method, hits in covered(case, target).items():
        context = f"{method}: {hits[0.95].mean(axis=0)}, {SAMPLES} samples, seeds from 0"
        assert in_band(hits[0.95]), context
        assert not in_band(hits[0.75]), f"the test would not notice other intervals; {context}"
