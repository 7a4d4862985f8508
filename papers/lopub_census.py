"""The central comparison: all pairs of Adult's fifteen attributes, at one budget for a record.

LoPub publishes the table of a pair as its expectation maximisation leaves it. How long it runs
matters more than anything else: it fits noise in the end. So it is stopped by the paper's rule,
after few passes, and when nothing more is gained; the best of these counts as LoPub's.
"""

from collections.abc import Mapping
from enum import StrEnum
from time import process_time
from typing import NamedTuple

import numpy as np

from discretion.crowd import simulate
from discretion.joints.build import likelihood_of
from discretion.joints.em import ascend
from discretion.joints.evidence import Evidence
from discretion.joints.papers import em_lopub
from discretion.synthesis import publish
from papers.lopub_crowd import HASHES, Axes, Sample, Way, filters
from papers.trial import Table, distance

TOTALS = (30.0, 12.0)  # of a record
PASSES, GAIN = 300, 0.02  # at most, and nats: what counts as nothing more

Tables = Mapping[Axes, Table]


class Line(StrEnum):
    """Who publishes the pairs."""

    FOUR = "LoPub, 4 hashes"
    ONE = "LoPub, 1 hash"
    EVEN = "ours, equal split"
    PERSONAL = "ours, personal budgets"

    @property
    def ours(self) -> bool:
        return self in (Line.EVEN, Line.PERSONAL)


class Stop(StrEnum):
    """When LoPub's EM is stopped."""

    RULE = "by the paper's rule"
    TEN = "after 10 passes"
    TWENTY = "after 20 passes"
    FORTY = "after 40 passes"
    LATE = "when nothing more is gained"


EARLY = {Stop.TEN: 10, Stop.TWENTY: 20, Stop.FORTY: 40}


class Run(NamedTuple):
    """The mean total variation over all pairs, for each stop or for the one answer of ours."""

    distances: Mapping[Stop | None, float]
    seconds: float  # of processors


def run(sample: Sample, line: Line, total: float, seed: int) -> Run:
    """Let everybody report with this budget, and compare what is published about pairs."""
    average = total / len(sample.survey.fields)
    if line.ours:
        way = Way.EVEN if line is Line.EVEN else Way.PERSONAL
        reports = sample.report(way, average, seed)
        start = process_time()
        model = publish(reports).model
        names = sample.survey.names
        tables = {axes: model.marginal([names[axis] for axis in axes]) for axes in sample.pairs}
        seconds = process_time() - start
        return Run({None: mean_distance(sample, tables)}, seconds)
    plan = filters(sample.survey, average, HASHES if line is Line.FOUR else 1)
    reports = simulate(plan, sample.records, seed=seed)
    start = process_time()
    found: dict[Stop, dict[Axes, Table]] = {stop: {} for stop in Stop}
    for axes in sample.pairs:
        evidence = Evidence.of(reports, [sample.survey.names[axis] for axis in axes])
        for stop, table in pair_tables(evidence).items():
            found[stop][axes] = table
    seconds = process_time() - start
    return Run({stop: mean_distance(sample, own) for stop, own in found.items()}, seconds)


def pair_tables(evidence: Evidence) -> dict[Stop, Table]:
    """Return the table of attributes as LoPub's EM has it when it is stopped, from uniform on."""
    likelihood, found = likelihood_of(evidence), {Stop.RULE: em_lopub(evidence)}
    f, done = np.full(evidence.cells, 1 / evidence.cells), 0
    for stop, passes in EARLY.items():
        f, done = ascend(likelihood, f, 0.0, passes - done).f, passes
        found[stop] = f.reshape(evidence.shape)
    late = ascend(likelihood, f, 0.0, PASSES - done, GAIN)
    return {**found, Stop.LATE: late.f.reshape(evidence.shape)}


def mean_distance(sample: Sample, tables: Tables) -> float:
    """Return the mean total variation of tables from the true ones."""
    return float(np.mean([distance(table, sample.pairs[axes]) for axes, table in tables.items()]))


def unrelated(sample: Sample) -> float:
    """Return the mean distance of the products of the true marginals."""
    products = {
        axes: np.outer(table.sum(axis=1), table.sum(axis=0)) for axes, table in sample.pairs.items()
    }
    return mean_distance(sample, products)
