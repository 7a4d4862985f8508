"""One trial of the PLDP study: a crowd reports once, and every method estimates the same joints.

The reports are made once with disclosed levels and once with the same random numbers under a plan
that keeps them secret: the same reports to the bit, without the levels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from discretion.crowd import simulate
from discretion.crowd.records import code_columns
from discretion.errors import EstimateError
from discretion.estimate.noise import simplex
from discretion.joints import joint
from discretion.joints.methods import METHODS
from discretion.labels import frequencies
from discretion.plan import Plan
from discretion.table import ReportTable
from papers.data import Dataset
from papers.study import Cells, Measurement, distance

SINGLE = "pldp"  # the paper's formula for one attribute
PLDP = ("lasso", "entropy-split")
LOPUB = ("em-lopub", "hybrid")
PAPERS = (SINGLE, *PLDP, *LOPUB)  # each set of attributes is a question of its own to them
STEP = 0.001


class Way(NamedTuple):
    """A method, and whether it goes without the levels."""

    method: str
    secret: bool

    def __str__(self) -> str:
        return f"{self.method}, {'secret' if self.secret else 'disclosed'}"


OURS, KNOWN = Way("blind", True), Way("map", False)
APART = Way("independent", True)
WAYS = (
    OURS,
    Way("tensor", True),
    APART,
    *(Way(method, True) for method in (SINGLE, *PLDP)),
    KNOWN,
    Way("mle", False),
    Way("tensor", False),
    Way("independent", False),
    *(Way(method, False) for method in LOPUB),
)


@dataclass(frozen=True)
class Setting:
    """Who reports how many of the first attributes, with which average budget for each."""

    name: str
    attributes: int
    share: int | tuple[int, int]
    average: float = 2.0

    def plan(self, dataset: Dataset, *, secret: bool) -> Plan:
        """Return a plan with OUE on the finest menu; one attribute may get all of an allowance."""
        most = self.share if isinstance(self.share, int) else self.share[1]
        budget = {"average": self.average, "least": STEP, "most": self.average * most, "step": STEP}
        return Plan.of(
            {
                "name": f"{dataset.name} {self.name}",
                "attributes": list(dataset.questions[: self.attributes]),
                "budget": budget,
                "allocation": "secret" if secret else "disclosed",
            }
        )


def available(ways: Sequence[Way]) -> tuple[Way, ...]:
    """Return the ways whose method there is."""
    return tuple(way for way in ways if way.method in (SINGLE, *METHODS))


def run(
    dataset: Dataset, records: pa.Table, setting: Setting, seed: int, ways: Sequence[Way]
) -> Iterator[Measurement]:
    """Let the crowd report, and yield each way's distance by k, from one to all attributes."""
    crowds = {
        secret: crowd(dataset, records, setting, seed, secret=secret) for secret in (False, True)
    }
    truth = true_table(crowds[True].plan, records)
    for way in ways:
        for k, off in enumerate(distances(crowds[way.secret], way.method, truth), 1):
            yield (dataset.name, setting.name, way, k), off


def crowd(
    dataset: Dataset, records: pa.Table, setting: Setting, seed: int, *, secret: bool
) -> ReportTable:
    """Return the reports of everyone in the records."""
    plan = setting.plan(dataset, secret=secret)
    return simulate(plan, records, budgets="dirichlet", share=setting.share, seed=seed)


def true_table(plan: Plan, records: pa.Table) -> Cells:
    """Return the shares of the records in the cells of all attributes."""
    codes = code_columns(plan, records, np.random.default_rng(0))  # bins and labels toss no coin
    counts = np.zeros([attribute.size for attribute in plan.attributes.values()])
    np.add.at(counts, tuple(codes.T), 1.0)
    return counts / len(codes)


def distances(reports: ReportTable, method: str, truth: Cells) -> Iterator[float]:
    """Yield for each k the mean over all sets of k attributes."""
    names = tuple(reports.plan.attributes)
    whole = None if method in PAPERS else joint(reports, names, method).value
    for k in range(1, len(names) + 1):
        found = []
        for axes in combinations(range(len(names)), k):
            if whole is None:
                table = _paper(reports, [names[axis] for axis in axes], method)
            else:
                table = on_simplex(margin(whole, axes))
            found.append(distance(table, margin(truth, axes)))
        yield float(np.mean(found))


def _paper(reports: ReportTable, names: Sequence[str], method: str) -> Cells:
    """Return a table as a paper's method gives it, or not a number where it gives none."""
    if len(names) == 1 and method == SINGLE:
        return frequencies(reports, names[0], SINGLE).value
    if len(names) == 1:
        return on_simplex(frequencies(reports, names[0]).value)
    try:
        if method != SINGLE:
            return joint(reports, names, method).value
    except EstimateError:  # no report holds all these attributes
        pass
    return np.full([reports.plan.questions[name].attribute.size for name in names], nan)


def margin(table: Cells, axes: Sequence[int]) -> Cells:
    """Sum over all axes but these."""
    return table.sum(axis=tuple(axis for axis in range(table.ndim) if axis not in axes))


def on_simplex(table: Cells) -> Cells:
    """Return the nearest table of probabilities, the same if it is one."""
    return simplex(table.ravel()).reshape(table.shape) if table.min() < 0 else table
