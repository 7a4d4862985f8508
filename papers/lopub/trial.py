"""One crowd of a sample: every way estimates tables, draws its graph and publishes a model."""

from collections.abc import Iterator, Sequence
from time import process_time

import numpy as np

from discretion.synthesis import Model, dependence, publish
from discretion.synthesis.lopub_model import lopub_model
from discretion.synthesis.plug_in import estimated, plug_in
from discretion.synthesis.rows import synthetic
from discretion.synthesis.utility import by_order, classifiers
from discretion.table import ReportTable
from papers.lopub.crowd import LOOSE, OURS, PAPER, Axes, Sample, Way, spent
from papers.lopub.pruning import (
    Information,
    entropy,
    plugged,
    pruned,
    rates,
    strengths,
    true_entropies,
    true_information,
)
from papers.study import Key, Measurement, distance

ORDERS = (2, 3)
SETS = {2: 20, 3: 10}  # tables of each order that are estimated


def run(sample: Sample, f: float, seed: int, *, classified: bool) -> Iterator[Measurement]:
    """Let the sample report by the paper's filters and by ours, and ask every way."""
    survey, true, average = sample.survey, true_information(sample), spent(f)
    reports = sample.report(Way.EM, average, seed)
    for way in (*PAPER, Way.LOOSE, *OURS):
        at = survey.name, f, way
        own = sample.report(way, average, seed) if way.ours else reports
        start = process_time()
        found: Information
        if way.ours:
            published = publish(own)
            found, model = strengths(published.dependence), published.model
        else:
            graph = plug_in(own, LOOSE if way is Way.LOOSE else survey.phi, way.method)
            found, model = plugged(graph), lopub_model(own, graph)
        seconds = process_time() - start
        yield ("seconds", *at), seconds
        yield from judged(sample, model, at, seed, classified=classified)
        if way is not Way.LOOSE:
            shares = rates(found, true, survey.shape, survey.phi)
            yield from (((share, *at), v) for share, v in shares._asdict().items())
        if way in PAPER:
            yield from _tables(sample, own, way, at, seed)
        if way.ours:
            yield from ((("table seconds", order, *at), seconds) for order in ORDERS)
        if way is Way.EM:
            each = [entropy(estimated(own, [name], way.method)) for name in survey.names]
            yield from counted(sample, f, found, each)


def truth(sample: Sample) -> Iterator[Measurement]:
    """Yield what is true of the records."""
    yield from counted(sample, "truth", true_information(sample), true_entropies(sample))


def counted(
    sample: Sample, source: float | str, found: Information, entropies: Sequence[float]
) -> Iterator[Measurement]:
    """Count as Tables 7 to 9 do."""
    for phi in sample.survey.printed.pruned:
        counts = pruned(found, entropies, sample.survey, phi)._asdict()
        for name, count in counts.items():
            yield ("pruned", sample.survey.name, source, phi, name), count


def shuffled(sample: Sample, f: float, seed: int) -> Iterator[Measurement]:
    """Yield the share of pairs taken to depend where none does: all columns are shuffled.

    By way and phi; ours has no phi, and is asked for any dependence.
    """
    apart, average = sample.shuffled, spent(f)
    survey, nothing = sample.survey, dict.fromkeys(sample.pairs, 0.0)
    reports = apart.report(Way.EM, average, seed)
    for way in PAPER:
        found = plugged(plug_in(reports, survey.phi, way.method))
        for phi in (LOOSE, survey.phi):
            added = rates(found, nothing, survey.shape, phi).added
            yield ("shuffled", survey.name, way, phi), added
    for way in OURS:
        own = dependence(apart.report(way, average, seed))
        share = len(own.edges) / len(own.pairs)
        yield from ((("shuffled", survey.name, way, phi), share) for phi in (LOOSE, survey.phi))


def judged(
    sample: Sample, model: Model, at: Key, seed: int, *, classified: bool
) -> Iterator[Measurement]:
    """Compare a model with the records, and its rows with the rest of them."""
    yield ("edges", *at), len(model.edges)
    distances = by_order(model, sample.records, orders=ORDERS, seed=seed)
    for order, off in zip(ORDERS, distances, strict=True):
        yield ("model", order, *at), off.mean
        if at[-1] in OURS:  # whose tables are read off the model
            yield ("table", order, *at), off.mean
    if classified:
        rows = synthetic(model, len(sample.records), seed)
        for each in classifiers(rows, sample.rest, model.columns, seed):
            yield ("rate", each.kind, *at), each.mean.synthetic
            yield ("real", each.kind, *at), each.mean.real


def _tables(
    sample: Sample, reports: ReportTable, way: Way, at: Key, seed: int
) -> Iterator[Measurement]:
    """Estimate tables by themselves: their mean distance, and the processor time of one."""
    names = sample.survey.names
    for order in ORDERS:
        start = process_time()
        found = {
            axes: estimated(reports, [names[axis] for axis in axes], way.method)
            for axes in sets(len(names), order, seed)
        }
        yield ("table seconds", order, *at), (process_time() - start) / len(found)
        off = [distance(table, sample.truth(axes)) for axes, table in found.items()]
        yield ("table", order, *at), float(np.mean(off))


def sets(attributes: int, order: int, seed: int) -> list[Axes]:
    """Return the attributes of the tables that are estimated, drawn at random."""
    rng, drawn = np.random.default_rng(seed), set[Axes]()
    while len(drawn) < SETS[order]:
        drawn.add(tuple(sorted(rng.choice(attributes, order, replace=False).tolist())))
    return sorted(drawn)
