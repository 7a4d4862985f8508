"""The joint distribution of attributes: one question, several methods, one kind of answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import prod
from typing import Protocol

import numpy as np

from discretion.aggregate import Aggregate, Evidence, check_round, including
from discretion.engine import single_threaded
from discretion.errors import EstimateError, InteractionWarning, warn
from discretion.estimate.homogeneity import Homogeneity, warn_if_dependent
from discretion.estimate.legend import Legend
from discretion.estimate.weighting import check_weights
from discretion.family import of
from discretion.joints.allocation import warn_if_unexplained
from discretion.joints.axes import Axis, Bins, checked_names
from discretion.joints.methods import METHODS, Answer
from discretion.joints.result import JointEstimate
from discretion.joints.shards import evidence_of
from discretion.joints.table_evidence import TableEvidence, questions_of
from discretion.numbers.mean import homogeneity_of
from discretion.numbers.number_evidence import NumberEvidence
from discretion.plan import Plan
from discretion.table import Reports
from discretion.table.frame import as_its_caller

MOST_CELLS = 1 << 16
PAPERS = ("lasso", "entropy-split", "em-lopub", "hybrid")  # they know labels only
STRATIFIED = "compare method='stratified'"
INCURABLE = "no method corrects it with these reports"


class TableWeights(Protocol):
    """Weights to known margins, from ``calibrate``."""

    def joint(
        self, data: object, attributes: Sequence[str], method: str, bins: Bins | None = None
    ) -> JointEstimate: ...


@as_its_caller
def joint(
    reports: Reports,
    attributes: Sequence[str],
    method: str = "auto",
    bins: Bins | None = None,
    *,
    weights: TableWeights | None = None,
) -> JointEstimate:
    """Estimate how frequent each combination of values is, with its uncertainty.

    Every report that answers about any of the attributes counts. Assumes that what an owner shares,
    and her budget, does not depend on her values. Where the levels of an attribute contradict that,
    a ``DependenceWarning`` says so. Where secret levels are not spread in any way that the plan
    allows, an ``AllocationWarning`` says so.

    Interactions of three attributes or more are tested at a false discovery rate of 5 %. Those that
    are found are ``let_in``, or ``left_out`` with an ``InteractionWarning``.

    Parameters
    ----------
    reports
        The reports.
    attributes
        Their names.
    method
        ``adaptive`` (``auto``: ``mle`` averaged with ``map``, as the reports advise, with the
        interactions that they call for; of two attributes the shrunk table is itself an average, of
        models of how they may depend), ``mle`` (most likely, unbiased but for the simplex),
        ``map`` (a log-linear model of all pairs, shrunk as the reports advise), ``blind`` (the same
        without the levels, from OUE; ``auto`` for secret plans), ``tensor`` (unbiased moments, in
        one pass), ``stratified`` (the same with every report counting alike: holds also where
        budgets depend on values), ``independent`` (the product of the marginals: the floor to
        beat); and for comparison what papers do: ``lasso``, ``entropy-split``, ``em-lopub``,
        ``hybrid``.
    bins
        Of a number: so many, with about equally many people in each, or their edges. Otherwise they
        are those that the reports resolve, up to nine: the share of each is above three standard
        errors, and edges are multiples of a round unit, where they are resolved best.
    weights
        From ``calibrate``: the table of a population with known margins, by the methods ``tensor``
        (``auto``) or ``stratified``.

    Returns
    -------
    A table of probabilities, which has ``marginal``, ``condition`` and ``event``.

    Examples
    --------
    >>> import discretion as ds
    >>> reports = ds.simulate(ds.census_plan(), ds.census(10_000, seed=1), seed=1)
    >>> table = ds.joint(reports, ["travel", "work"])
    >>> table["bike", "student"].value > table["bike", "retired"].value
    True
    """
    if not isinstance(reports, Reports):
        raise EstimateError(f"a joint table needs reports, got {type(reports).__name__}")
    names = _checked(reports.plan, attributes)
    reports = including(reports, names)
    plan = reports.plan
    if weights is not None:
        check_weights(weights)
        return weights.joint(reports, names, method, bins)
    if method not in ("auto", *METHODS):
        known = ", ".join(("auto", *METHODS))
        raise EstimateError(f"method must be one of {known}, got {method!r}")
    if method == "auto":
        method = "blind" if plan.secret else "adaptive"
    if method in PAPERS and (others := [n for n in names if not plan.questions[n].labels]):
        noun = plan.questions[others[0]].kind.noun
        raise EstimateError(f"{method} takes labels, and {others[0]!r} is {noun}")
    check_round(reports)
    counts = Aggregate.about(reports, names)
    with single_threaded:
        evidence = evidence_of(reports, names, bins, counts, sharing=method == "blind")
        check_cells(evidence.shape)
        answer = METHODS[method](evidence)
        tests = levels_tested(counts, evidence.axes)
    if method != "stratified":
        warn_if_dependent(tests, remedy(evidence))
    _warn(answer)
    return estimate_of(evidence, with_bins_open(evidence, answer), method, tests)


def _checked(plan: Plan, attributes: Sequence[str]) -> tuple[str, ...]:
    names = checked_names(plan, attributes, " (frequencies() takes one)")
    for name in names:
        if not of(plan.questions[name]).tabulated:
            rule = "and tables are of attributes that have a list of values"
            kind, alone = plan.questions[name].kind, "ask for it alone"
            raise EstimateError(f"{name!r} is {kind.noun}, {rule}: {alone}, {kind.functions}")
    labels = (plan.questions[name].labels for name in names)
    check_cells([len(own) for own in labels if own])
    return names


def check_cells(sizes: Sequence[int]) -> None:
    """Refuse a table that is too large."""
    if (cells := prod(sizes)) > MOST_CELLS:
        rule = f"a table of {cells:,} cells is too large (at most {MOST_CELLS:,})"
        if len(sizes) == 2:
            raise EstimateError(f"{rule}: the plan would need wider bins or fewer values")
        raise EstimateError(f"{rule}: ask for pairs, joint(reports, pair, method='map')")


def _warn(answer: Answer) -> None:
    """Say where secret levels are unexplained, and name interactions that are not shown."""
    if answer.ones is not None:
        warn_if_unexplained(answer.ones)
    if left := [each for each in answer.interactions if each.found and not each.expressed]:
        names = ", ".join(f"{each} ({each.errors:.1f} standard errors)" for each in left)
        rule = "beyond what pairs imply, which this table does not show"
        warn(
            f"these attributes depend on each other {rule}: {names}; method='mle' does",
            InteractionWarning,
        )


def with_bins_open(evidence: TableEvidence, answer: Answer) -> Answer:
    """Add to the deviations what reports leave open about numbers within their bins."""
    value, root, other = answer.value, answer.root, answer.unshrunk
    further = [axis.left_open(value, root, i) for i, axis in enumerate(evidence.axes)]
    unshrunk = None if other is None else with_bins_open(evidence, other)
    return replace(answer, root=np.concatenate([root, *further]), unshrunk=unshrunk)


def estimate_of(
    evidence: TableEvidence, answer: Answer, method: str, tests: Mapping[str, Homogeneity]
) -> JointEstimate:
    """Return the estimate; numbers lose the finer bins they were estimated with."""
    names = evidence.names
    sets = [kept for r in range(1, len(names) + 1) for kept in combinations(range(len(names)), r)]
    value, centre, root, other = answer.value, answer.centre, answer.root, answer.unshrunk
    for i, axis in enumerate(evidence.axes):
        value, root = axis.folded(value, i), axis.folded(root, i + 1)
        centre = None if centre is None else axis.folded(centre, i)
    return JointEstimate(
        attributes=names,
        labels=tuple(axis.labels for axis in evidence.axes),
        value=value,
        centre=value if centre is None else centre,
        root=root,
        n=evidence.n,
        method=method,
        basis=answer.basis or method,
        holding={tuple(names[a] for a in axes): evidence.holding(axes) for axes in sets},
        given={},
        homogeneity=tests,
        interactions=answer.interactions,
        unshrunk=None
        if other is None
        else estimate_of(evidence, other, other.basis or method, tests),
        legend=Legend.of(evidence.plan),
    )


def levels_tested(counts: Aggregate, axes: Sequence[Axis]) -> dict[str, Homogeneity]:
    """Test the questions about some axes, each by itself; none whose levels cannot be compared."""
    tests = {name: _test(counts, name) for name in _asked(counts, axes)}
    return {name: test for name, test in tests.items() if test is not None}


def _asked(counts: Aggregate, axes: Sequence[Axis]) -> list[str]:
    return [name for name in questions_of(counts.plan, axes) if name in counts.shared]


def _test(counts: Aggregate, name: str) -> Homogeneity | None:
    if counts.plan.questions[name].numbers:
        return homogeneity_of(NumberEvidence.of(counts, name))
    return Evidence.of(counts, name).homogeneity


def remedy(evidence: TableEvidence) -> str:
    """Say what to do about levels that depend on values: an unbiased table, if there is one."""
    try:
        for name in evidence.questions:
            of(evidence.plan.questions[name]).check_linear()
    except EstimateError:
        return INCURABLE
    return STRATIFIED if evidence.holding(range(len(evidence.axes))) else INCURABLE
