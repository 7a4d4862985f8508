"""One crowd of a sample: every way estimates tables, draws its graph and publishes a model."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import process_time
from typing import NamedTuple

import numpy as np

from discretion.synthesis import Model, dependence, publish
from discretion.synthesis.papers import lopub_model, plug_in
from discretion.synthesis.papers.dependence import estimated
from discretion.synthesis.rows import synthetic
from discretion.synthesis.utility import Classified, by_order, classifiers
from discretion.table import ReportTable
from papers.lopub_crowd import (
    LOOSE,
    OURS,
    PAPER,
    Axes,
    Sample,
    Way,
    spent,
)
from papers.lopub_data import Survey
from papers.lopub_pruning import (
    Information,
    Rates,
    entropy,
    plugged,
    pruned,
    rates,
    strengths,
    true_information,
)
from papers.lopub_published import Pruned
from papers.trial import distance

ORDERS = (2, 3)
SETS = {2: 20, 3: 10}  # tables of each order that are estimated


class Estimate(NamedTuple):
    """Tables of one order by one estimator: their mean distance, and the processor time of one."""

    distance: float
    seconds: float


class Quality(NamedTuple):
    """A model of the whole record: how far its tables are, how good for classifiers."""

    distances: tuple[float, ...]  # by ORDERS
    edges: int
    seconds: float  # of processors, from reports to the model
    classified: tuple[Classified, ...]


@dataclass(frozen=True)
class Trial:
    """What one crowd told."""

    survey: str
    f: float
    seed: int
    rows: int
    estimates: Mapping[tuple[Way, int], Estimate]  # by order
    models: Mapping[Way, Quality]
    rates: Mapping[Way, Rates]
    pruned: Mapping[float, Pruned]  # by phi, from the tables of EM


def run(sample: Sample, f: float, seed: int, *, classified: bool) -> Trial:
    """Let the sample report by the paper's filters and by ours, and ask every way."""
    survey, true, average = sample.survey, true_information(sample), spent(f)
    reports = sample.report(Way.EM, average, seed)
    told: dict[Way, Information] = {}
    models: dict[Way, Quality] = {}
    for way in (*PAPER, Way.LOOSE):
        start = process_time()
        graph = plug_in(reports, LOOSE if way is Way.LOOSE else survey.phi, way.method)
        model = lopub_model(reports, graph)
        seconds = process_time() - start
        told[way] = plugged(graph)
        models[way] = judged(sample, model, seconds, seed, classified=classified)
    for way in OURS:
        own = sample.report(way, average, seed)
        start = process_time()
        published = publish(own)
        seconds = process_time() - start
        told[way] = strengths(published.dependence)
        models[way] = judged(sample, published.model, seconds, seed, classified=classified)
    return Trial(
        survey.name,
        f,
        seed,
        len(sample.records),
        {
            (way, order): _tables(sample, reports, way, order, seed)
            for way in PAPER
            for order in SETS
        },
        models,
        {way: rates(told[way], true, survey.shape, survey.phi) for way in (*PAPER, *OURS)},
        _pruned(survey, reports, told[Way.EM]),
    )


def mistaken(sample: Sample, f: float, seed: int) -> dict[tuple[Way, float], float]:
    """Return the share of pairs taken to depend where none does: all columns are shuffled.

    By way and phi; ours has no phi, and is asked for any dependence.
    """
    apart, average = sample.shuffled, spent(f)
    survey, nothing = sample.survey, dict.fromkeys(sample.pairs, 0.0)
    reports, shares = apart.report(Way.EM, average, seed), dict[tuple[Way, float], float]()
    for way in PAPER:
        told = plugged(plug_in(reports, survey.phi, way.method))
        for phi in (LOOSE, survey.phi):
            shares[way, phi] = rates(told, nothing, survey.shape, phi).added
    for way in OURS:
        found = dependence(apart.report(way, average, seed))
        shares[way, 0.0] = len(found.edges) / len(found.pairs)
    return shares


def judged(sample: Sample, model: Model, seconds: float, seed: int, *, classified: bool) -> Quality:
    """Compare a model with the records, and its rows with the rest of them."""
    distances = by_order(model, sample.records, orders=ORDERS, seed=seed)
    kinds: tuple[Classified, ...] = ()
    if classified:
        rows = synthetic(model, len(sample.records), seed)
        kinds = classifiers(rows, sample.rest, model.columns, seed)
    return Quality(tuple(d.mean for d in distances), len(model.edges), seconds, kinds)


def _tables(sample: Sample, reports: ReportTable, way: Way, order: int, seed: int) -> Estimate:
    found, names, start = {}, sample.survey.names, process_time()
    for axes in sets(len(names), order, seed):
        found[axes] = estimated(reports, [names[axis] for axis in axes], way.method)
    seconds = (process_time() - start) / len(found)
    off = [distance(table, sample.truth(axes)) for axes, table in found.items()]
    return Estimate(float(np.mean(off)), seconds)


def sets(attributes: int, order: int, seed: int) -> list[Axes]:
    """Return the attributes of the tables that are estimated, drawn at random."""
    rng, drawn = np.random.default_rng(seed), set[Axes]()
    while len(drawn) < SETS[order]:
        drawn.add(tuple(sorted(rng.choice(attributes, order, replace=False).tolist())))
    return sorted(drawn)


def _pruned(survey: Survey, reports: ReportTable, told: Information) -> dict[float, Pruned]:
    entropies = [entropy(estimated(reports, [name], Way.EM.method)) for name in survey.names]
    return {phi: pruned(told, entropies, survey, phi) for phi in survey.degrees}
