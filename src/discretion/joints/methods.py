"""The methods: each estimates a table of cells from the evidence, with its uncertainty."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from scipy.special import expit

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.family import of
from discretion.joints.allocation import BudgetMixture
from discretion.joints.averaging import PRICE_OF_PAIRS, Between, averaged, structured
from discretion.joints.axes import Axis
from discretion.joints.build import likelihood_of
from discretion.joints.common_factors import implied
from discretion.joints.entropy_split import entropy_split
from discretion.joints.interactions import Interaction, expressible, tested
from discretion.joints.lasso import lasso
from discretion.joints.likelihood import Table, TableLikelihood
from discretion.joints.loglinear import LogLinear, Shrunk, shrunk
from discretion.joints.lopub import em_lopub, hybrid
from discretion.joints.mle import MOST_CELLS, Parabola, most_likely, peak, root
from discretion.joints.moments import Moments, Roots, tensor
from discretion.joints.ones import OnesFit
from discretion.joints.posterior import BASIS, posterior
from discretion.joints.shards import about
from discretion.joints.table_evidence import TableEvidence
from discretion.labels import frequencies

REDRAWS = 8  # of the numbers of ones, that show how uncertain a law of secret levels is
PER_CELL = 5  # reports about all attributes: of fewer the size of interactions is not learnt
LEAST = 1e-3  # of a marginal in a start: it must leave every cell possible


@dataclass(frozen=True)
class Answer:
    """A table and its deviations; these may be around another table, and of another method.

    A shrunk table also has the one that assumes nothing of interactions.
    """

    value: Table
    root: Roots
    centre: Table | None = None
    basis: str | None = None
    information: Matrix | None = None  # about the cells, of a most likely table
    unshrunk: "Answer | None" = None
    interactions: tuple[Interaction, ...] = ()  # of three attributes or more, as tested
    ones: OnesFit | None = None  # of secret levels


Method = Callable[[TableEvidence], Answer]


def _tensor(evidence: TableEvidence, *, equal: bool = False) -> Answer:
    for name in evidence.questions:
        of(evidence.plan.questions[name]).check_linear()
    moments = tensor(evidence, secret=evidence.plan.secret, equal=equal)
    return Answer(moments.value, moments.root)


def _stratified(evidence: TableEvidence) -> Answer:
    """Return the unbiased table in which no level counts more than the owners who chose it."""
    if evidence.plan.secret:
        raise EstimateError("stratified needs disclosed levels; the plan keeps them secret")
    return _tensor(evidence, equal=True)


def _mle(evidence: TableEvidence) -> Answer:
    return most_likely_table(evidence, _disclosed(evidence))


def _map(evidence: TableEvidence) -> Answer:
    answer = _shrunk(evidence, _disclosed(evidence), "mle")
    return replace(answer, interactions=tested(evidence, answer.value))


def _adaptive(evidence: TableEvidence) -> Answer:
    """Return ``mle`` averaged with ``map``, to which the interactions are added that it lacks.

    Of views too few reports are about a table for that average: the most likely one has few cells
    above zero by chance, and would pass for simple.
    """
    likelihood = _disclosed(evidence)
    around = _around(evidence, likelihood, "mle")
    if len(evidence.shape) == 2 and not evidence.plan.share.weights:
        return _of_two(evidence, likelihood, around)
    model, fit = _pairwise(evidence, likelihood, around.value)
    found = tested(evidence, model.table(fit.theta).reshape(evidence.shape))
    found = expressible(evidence, found)
    if sets := [
        tuple(map(evidence.names.index, each.attributes)) for each in found if each.expressed
    ]:
        model, fit = _extended(evidence, likelihood, fit, sets)
    value = model.table(fit.theta)
    if around.basis == "mle" and not evidence.plan.share.weights:  # and not the moments
        value = averaged(likelihood, around.value.ravel(), Between(value, fit.determined))
    return replace(_bounded(evidence, likelihood, around, fit, value), interactions=found)


def _of_two(evidence: TableEvidence, likelihood: TableLikelihood, around: Answer) -> Answer:
    """Return the same of two attributes: without the reports where their information is known."""
    likely, near = around.value.ravel(), likelihood
    if around.information is not None:
        near = Parabola.of(likelihood, likely, around.information)
    model, fit = _pairwise(evidence, near, around.value)
    value = averaged(likelihood, likely, structured(model, near, fit), PRICE_OF_PAIRS)
    return _bounded(evidence, likelihood, around, fit, value)


def _blind(evidence: TableEvidence) -> Answer:
    law = _learnt(evidence)
    likelihood = likelihood_of(evidence, law)
    if len(evidence.shape) == 2:
        answer = most_likely_table(evidence, likelihood, blind=True)
    else:
        answer = _shrunk(evidence, likelihood, "blind without shrinkage", blind=True)
    if answer.basis == "tensor":  # moments count what they take from the ones
        return replace(answer, ones=law.fit)
    root = np.concatenate([answer.root, _of_law(evidence, law, answer)])
    return replace(answer, root=root, ones=law.fit)


def _of_law(evidence: TableEvidence, law: BudgetMixture, answer: Answer) -> Roots:
    """Return deviations for the law of secret levels, which is learnt from as many owners.

    Each is a Newton step from the table to where another law would have it.
    """
    f, along = answer.value.ravel(), answer.root.reshape(len(answer.root), -1)
    rng, slopes = np.random.default_rng(0), []
    for again in (law, *(law.redrawn(rng) for _ in range(REDRAWS))):
        likelihood = likelihood_of(evidence, again)
        slopes.append(likelihood.n * likelihood.slope(f)[1])
    turned = np.array(slopes[1:]) - slopes[0]
    steps = (turned @ along.T) @ along / np.sqrt(REDRAWS)
    return steps.reshape(-1, *evidence.shape)


def _independent(evidence: TableEvidence) -> Answer:
    estimates = [_marginal(evidence, axis) for axis in evidence.axes]
    values = [value for value, _ in estimates]
    deviations = []
    for axis, (_, own) in enumerate(estimates):
        rest = [values[i] if i != axis else None for i in range(len(values))]
        deviations.append(_outer([own if v is None else v[None] for v in rest]))
    table = _outer([v[None] for v in values])[0]
    return Answer(table, np.concatenate(deviations))


def most_likely_table(
    evidence: TableEvidence, likelihood: TableLikelihood, *, blind: bool = False
) -> Answer:
    """Return the most likely table, with deviations around the peak; of large ones, the moments."""
    moments = _moments(evidence, blind=blind)
    found = most_likely(likelihood, simplex(moments.value.ravel()))
    value = found.f.reshape(evidence.shape)
    if found.information is None:
        return Answer(value, moments.root, moments.value, "tensor")
    deviations = root(found.information, moments)
    centre = peak(likelihood, found.f, deviations).reshape(evidence.shape)
    return Answer(value, deviations, centre, information=found.information)


def _shrunk(
    evidence: TableEvidence, likelihood: TableLikelihood, basis: str, *, blind: bool = False
) -> Answer:
    """Return the shrunk table."""
    around = _around(evidence, likelihood, basis, blind=blind)
    model, fit = _pairwise(evidence, likelihood, around.value)
    return _bounded(evidence, likelihood, around, fit, model.table(fit.theta))


def _bounded(
    evidence: TableEvidence, likelihood: TableLikelihood, around: Answer, fit: Shrunk, value: Vector
) -> Answer:
    """Return a table with the law that the reports leave to it, if they can: or as unshrunk."""
    table, together = value.reshape(evidence.shape), evidence.holding(range(len(evidence.shape)))
    if evidence.cells > min(MOST_CELLS, together / PER_CELL):
        return replace(around, value=table, unshrunk=around)
    found = posterior(evidence.shape, [axis.ordered for axis in evidence.axes], likelihood, fit)
    root = found.root.reshape(-1, *evidence.shape)
    return Answer(table, root, found.mean.reshape(evidence.shape), BASIS, unshrunk=around)


def _around(
    evidence: TableEvidence, likelihood: TableLikelihood, basis: str, *, blind: bool = False
) -> Answer:
    """Return the table that a shrunk one is compared with: ``basis``, or moments."""
    if evidence.cells > MOST_CELLS and len(evidence.shape) > 2:
        moments = _moments(evidence, blind=blind)
        value = simplex(moments.value.ravel()).reshape(evidence.shape)
        return Answer(value, moments.root, moments.value, "tensor")
    found = most_likely_table(evidence, likelihood, blind=blind)
    return replace(found, basis=found.basis or basis)


def _pairwise(
    evidence: TableEvidence, likelihood: TableLikelihood, table: Table
) -> tuple[LogLinear, Shrunk]:
    """Fit the model of all pairs, from the product of a table's marginals.

    Pairs are shrunk towards independence, or towards what the views of other attributes imply: the
    more, the likelier that makes the reports, which it has not seen.
    """
    ordered = [axis.ordered for axis in evidence.axes]
    model = LogLinear.of(evidence.shape, ordered)
    axes = range(table.ndim)
    marginals = [table.sum(axis=tuple(i for i in axes if i != axis)) for axis in axes]
    raised = [np.maximum(marginal, LEAST) for marginal in marginals]
    start = model.independent([marginal / marginal.sum() for marginal in raised])
    offset = implied(evidence).ravel()
    if offset.any():
        drawn = replace(model, offset=offset)
        with_it, without = (likelihood.slope(each.table(start))[0] for each in (drawn, model))
        model = replace(model, offset=float(expit(with_it - without)) * offset)
    return model, shrunk(model, likelihood, start)


def _extended(
    evidence: TableEvidence,
    likelihood: TableLikelihood,
    fit: Shrunk,
    sets: Sequence[tuple[int, ...]],
) -> tuple[LogLinear, Shrunk]:
    """Fit the model of all pairs and of these sets, from that of the pairs."""
    ordered = [axis.ordered for axis in evidence.axes]
    model = LogLinear.of(evidence.shape, ordered, sets, fit.offset)
    start = np.append(fit.theta, np.zeros(len(model.owners) - len(fit.theta)))
    strengths = np.append(fit.strengths, np.ones(len(sets)))
    return model, shrunk(model, likelihood, start, strengths)


def _moments(evidence: TableEvidence, *, blind: bool = False) -> Moments:
    return tensor(evidence, secret=blind or evidence.plan.secret)


def _disclosed(evidence: TableEvidence) -> TableLikelihood:
    """Return the likelihood of reports that state their levels."""
    if evidence.plan.secret:
        raise EstimateError("this method needs disclosed levels; the plan keeps them secret")
    return likelihood_of(evidence)


def _learnt(evidence: TableEvidence) -> BudgetMixture:
    """Return the law of levels that are not looked at."""
    plan = evidence.plan
    for name in evidence.questions:
        if plan.questions[name].mechanism != "oue":
            rule = f"this method needs oue, and {name!r} uses {plan.questions[name].mechanism}"
            raise EstimateError(rule)
    return BudgetMixture.learnt(evidence)


def _marginal(evidence: TableEvidence, axis: Axis) -> tuple[Vector, Roots]:
    """Return the frequencies of an attribute on the simplex, and deviations (r, size)."""
    reports, name = evidence.reports, axis.name
    if axis.mixing is not None:
        alone = _tensor(about(reports, (axis,)))
        return simplex(alone.value), alone.root
    if name in reports.shared:
        estimate = frequencies(reports, name)
        value, covariance = estimate.value, estimate.covariance
    else:
        questions = reports.plan.questions
        bundle = next(b for b in reports.shared if name in questions[b].parts and b != name)
        parts = questions[bundle].parts
        shape = tuple(questions[part].attribute.size for part in parts)
        estimate = frequencies(reports, bundle)
        fold = _summing(shape, parts.index(name))
        value, covariance = fold @ estimate.value, fold @ estimate.covariance @ fold.T
    values, vectors = np.linalg.eigh(covariance)
    return simplex(value), (vectors * np.sqrt(np.maximum(values, 0.0))).T


def _summing(shape: Sequence[int], axis: int) -> Table:
    """Return the matrix that takes flat cells to the marginal of one axis."""
    at = np.indices(shape).reshape(len(shape), -1)[axis]
    return (at == np.arange(shape[axis])[:, None]).astype(np.float64)


def _outer(factors: Sequence[Table]) -> Table:
    """Return products of rows (r or 1, size) as tables (r, *shape)."""
    return reduce(lambda x, y: x[..., None] * y.reshape(len(y), *(1,) * (x.ndim - 1), -1), factors)


def _of_paper(estimate: Callable[[TableEvidence], Table]) -> Method:
    """Return a paper's method, which has no intervals: it is given those of the moments."""

    def method(evidence: TableEvidence) -> Answer:
        value, moments = estimate(evidence), _moments(evidence)
        return Answer(value, moments.root, moments.value, "tensor")

    return method


METHODS: dict[str, Method] = {
    "adaptive": _adaptive,
    "mle": _mle,
    "map": _map,
    "blind": _blind,
    "tensor": _tensor,
    "stratified": _stratified,
    "independent": _independent,
    "lasso": _of_paper(lasso),
    "entropy-split": _of_paper(entropy_split),
    "em-lopub": _of_paper(em_lopub),
    "hybrid": _of_paper(hybrid),
}
