"""CALM's steps after collection: unbiased tables of all pairs, made consistent and non-negative."""

from itertools import combinations

import numpy as np

import discretion as ds
from discretion.aggregate import Aggregate, Evidence
from discretion.estimate.noise import simplex
from papers.views.people import Array, Pair

TURNS = 20  # of consistency and non-negativity


def calm(reports: ds.ReportTable) -> dict[Pair, Array]:
    """Return the tables of all pairs from reports of pairs, the pairs that CALM would choose."""
    counts, count = Aggregate.of(reports), len(reports.plan.attributes)
    tables: dict[Pair, Array] = {}
    for one, other in combinations(range(count), 2):
        sizes = [reports.plan.attributes[f"x{i}"].size for i in (one, other)]
        value = Evidence.of(counts, f"x{one}+x{other}").pooled().value
        tables[one, other] = value.reshape(sizes)
    for _ in range(TURNS):
        for i in range(count):
            _agree(tables, i)
        tables = {pair: simplex(own.ravel()).reshape(own.shape) for pair, own in tables.items()}
    return tables


def _agree(tables: dict[Pair, Array], attribute: int) -> None:
    """Give all tables of an attribute the mean of its margins."""
    own = [pair for pair in tables if attribute in pair]
    margins = {pair: tables[pair].sum(axis=1 - pair.index(attribute)) for pair in own}
    mean = np.mean(list(margins.values()), axis=0)
    for pair in own:
        axis = pair.index(attribute)
        gap = (mean - margins[pair]) / tables[pair].shape[1 - axis]
        tables[pair] = tables[pair] + (gap if axis else gap[:, None])
