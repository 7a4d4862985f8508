"""The frequencies of one attribute: one question, several methods, one kind of answer."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from discretion.aggregate import Aggregate, Data, Evidence
from discretion.errors import EstimateError
from discretion.estimate.estimate import check_choice
from discretion.estimate.homogeneity import warn_if_dependent
from discretion.estimate.legend import Legend
from discretion.estimate.linear import stratified
from discretion.estimate.mle import fit
from discretion.estimate.noise import Vector, simplex
from discretion.estimate.result import FrequencyEstimate
from discretion.estimate.spread import AroundOwners, Known, Spread
from discretion.estimate.weighting import check_weights
from discretion.family import of
from discretion.labels.blind import blind, moment
from discretion.labels.pldp import pldp
from discretion.schema.holding import Holding
from discretion.sets import set_frequencies
from discretion.sets.shares import cut_of
from discretion.table import Reports
from discretion.table.frame import as_its_caller
from discretion.texts import Apart, check_no_candidates, text_frequencies

MLE_CELLS = 200_000_000  # reports times codes up to which ``auto`` takes the mle
MLE_CODES = 1024  # the time of its standard errors grows with the square of the codes
TARGETS = ("population", "owners")
REMEDY = "compare method='stratified'"


class LabelWeights(Protocol):
    """Weights to known margins, from ``calibrate``."""

    def frequencies(self, data: object, attribute: str, method: str) -> FrequencyEstimate: ...


def frequencies(
    data: Data,
    attribute: str,
    method: str = "auto",
    target: str = "population",
    cap: float | None = None,
    candidates: Sequence[str] | None = None,
    *,
    applicable: bool = False,
    weights: LabelWeights | None = None,
) -> FrequencyEstimate:
    """Estimate frequencies of everybody, as ``discretion.frequencies`` does without groups."""
    if weights is not None:
        other = {"target": target != "population", "cap": cap is not None}
        check_weights(weights, **other, candidates=candidates is not None)
        found = weights.frequencies(data, attribute, method)
        return found.applicable() if applicable else found
    if isinstance(data, Reports | Aggregate) and of(data.plan.questions[attribute]).open:
        if applicable:
            raise EstimateError(f"{attribute!r} is a text, which applies to everybody")
        return _of_text(data, attribute, candidates, method, target, cap)
    check_no_candidates(attribute, candidates)
    evidence = Evidence.of(data, attribute)
    check_choice("target", target, TARGETS)
    if evidence.family.several:
        if cap is not None or applicable:
            rule = "a cap and applicable are for labels"
            raise EstimateError(
                f"{rule}, and {attribute!r} is {evidence.family.question.kind.noun}"
            )
        return set_frequencies(evidence, attribute, method, target)
    check_choice("method", method, ("auto", *METHODS))
    labels = evidence.labelled.estimated
    if method == "auto":
        method = _best(evidence) if cap is None else "weighted"
    if method == "blind" and evidence.table is None:
        method = "moment"
    if cap is None:
        value, spread = METHODS[method](evidence)
    else:
        check_choice("method with a cap", method, ("weighted",))
        value, spread = _weighted(evidence, cap)
    test = evidence.homogeneity
    if method != "stratified":
        warn_if_dependent({attribute: test}, REMEDY)
    if target == "owners":
        spread = AroundOwners(spread, simplex(value), evidence.n)
    made = attribute, labels, value, spread, evidence.n, method, target, test
    conditional = bool(evidence.plan.questions[attribute].attribute.conditions)
    legend, cut = Legend.of(evidence.plan), _cut(data, evidence)
    estimate = FrequencyEstimate(*made, legend=legend, conditional=conditional, cut=cut)
    return estimate.applicable() if applicable else estimate


@as_its_caller
def top(
    data: Reports | Aggregate,
    attribute: str,
    candidates: Sequence[str] | None = None,
    count: int = 100,
) -> FrequencyEstimate:
    """Return the most frequent of very many candidates, or items, the most frequent one first.

    Parameters
    ----------
    data
        Reports, or an aggregate of them.
    attribute
        A text, or a set: then the share of owners with each item.
    candidates
        The texts that are looked for; of a set all items are.
    count
        How many are returned.

    Returns
    -------
    Their shares. The intervals are those of candidates chosen beforehand. The largest of many
    estimates are likely to be too large: for intervals that hold for all candidates at once, ask
    for a confidence of 1 - 0.05 / len(candidates).

    Examples
    --------
    >>> import discretion as ds
    >>> word = {"name": "word", "kind": "text"}
    >>> plan = ds.Plan.of({"name": "words", "attributes": [word], "budget": {"levels": [2, 4]}})
    >>> people = {"word": ["hello"] * 3000 + ["goodbye"] * 1000}
    >>> reports = ds.simulate(plan, people, budgets="levels", seed=1)
    >>> ds.top(reports, "word", ["hello", "goodbye", "neither"], 1).labels
    ('hello',)
    """
    if type(count) is not int or count < 1:
        raise EstimateError(f"count must be a whole number from 1, got {count!r}")
    found = frequencies(data, attribute, "weighted", candidates=candidates)
    order = np.argsort(-found.value, kind="stable")[:count]
    variance, f = found.spread.variance[order], np.clip(found.value[order], 0, 1)
    spread: Spread = Apart(variance, f, found.n) if found.summing else Known(np.diag(variance))
    return found.chosen(order, spread)


def _cut(data: Data, evidence: Evidence) -> Vector | None:
    """Return how much too low the shares of an item of sets are at most: of yes, and of no."""
    question = evidence.family.question
    if not question.implied or isinstance(data, Evidence):
        return None
    held = cast("Holding", question.attribute)
    return np.array([0.0, cut_of(data, held.source, held.item)])


def _of_text(
    data: Reports | Aggregate,
    attribute: str,
    candidates: Sequence[str] | None,
    method: str,
    target: str,
    cap: float | None,
) -> FrequencyEstimate:
    if target != "population" or cap is not None:
        raise EstimateError(f"{attribute!r} is a text: its target is the population, without a cap")
    return text_frequencies(data, attribute, candidates, method)


def _best(evidence: Evidence) -> str:
    if evidence.secret:
        return "blind"
    size = evidence.family.size
    small = evidence.n * size <= MLE_CELLS and size <= MLE_CODES
    return "mle" if small and evidence.complete else "weighted"


def _mle(evidence: Evidence) -> tuple[Vector, Spread]:
    """Return the most likely frequencies; their linear estimate, if there is one, is the start."""
    likelihood, linear = evidence.likelihood, evidence.pooled()
    if linear.identifiable:
        return fit(likelihood, linear.start, linear.spread_at, linear.answers)
    size = evidence.family.size
    return fit(likelihood, np.full(size, 1 / size))


def _weighted(evidence: Evidence, cap: float | None = None) -> tuple[Vector, Spread]:
    linear = evidence.pooled(cap)
    return linear.value, linear.spread


METHODS: dict[str, Callable[[Evidence], tuple[Vector, Spread]]] = {
    "mle": _mle,
    "weighted": _weighted,
    "stratified": lambda e: stratified(e.longest.pooled_by_group()),
    "blind": lambda e: blind(e.reports, e.attribute, e.unary),
    "moment": lambda e: moment(e.unary),
    "pldp": lambda e: pldp(e.plan, e.unary, e.reports_by_level),
}


def frequency_limit(size: int, epsilons: npt.ArrayLike) -> float:
    """Return the least squared error, summed over codes, of frequencies in the population.

    No locally private mechanism and no estimator can do better. At the uniform distribution a
    report at epsilon carries at most the Fisher eigenvalue max over w of l w (l - w)(e^eps - 1)^2 /
    ((l - 1)(w e^eps + l - w)^2), which subset selection attains (Ye and Barg 2018,
    arXiv:1702.00610); information adds over owners, equal or not.

    Parameters
    ----------
    size
        How many values the attribute has.
    epsilons
        One budget per owner, 0 for those who did not share the attribute.

    Returns
    -------
    The limit. It is asymptotic in n and minimax: at other distributions than the uniform one less
    is possible.

    Examples
    --------
    >>> import discretion as ds
    >>> ds.frequency_limit(5, [1.0] * 10_000) < ds.frequency_limit(5, [0.5] * 10_000)
    True
    """
    budgets, owners = np.unique(np.asarray(epsilons, np.float64), return_counts=True)
    information = float(owners @ largest_eigenvalue(size, budgets))
    return (size - 1) / information if information else inf


def largest_eigenvalue(size: int, epsilons: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the Fisher eigenvalue of the best report at each epsilon."""
    w = np.arange(1, size)[:, None]
    gain = size * w * (size - w) * np.expm1(epsilons) ** 2
    best = (gain / ((size - 1) * (w * np.exp(epsilons) + size - w) ** 2)).max(axis=0)
    return np.asarray(best)
