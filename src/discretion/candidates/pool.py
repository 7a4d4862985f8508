"""Pooled shares of candidates: both rounds, weighted by their precision.

Weights depend on the laws and the numbers of reports only, at a share of zero: weights that
depended on the answers would bias the estimate. The rounds have independent noise. Where the same
owners answered both, their sampling error is counted in both: ``estimate.votes``.
"""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np

from discretion.aggregate import Evidence
from discretion.candidates.carving import Carved
from discretion.candidates.result import PooledEstimate
from discretion.errors import EstimateError
from discretion.estimate import FrequencyEstimate
from discretion.estimate.legend import Legend
from discretion.estimate.votes import RoundShare, Votes
from discretion.labels.frequencies import frequencies
from discretion.plan import Plan
from discretion.table import Reports
from discretion.table.frame import as_its_caller


@runtime_checkable
class First(Protocol):
    """An estimate that found candidates, with its share of each."""

    plan: Plan
    attribute: str
    n: int

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]: ...

    def share_of(self, label: str) -> RoundShare:
        """Return what it says of a label."""


@as_its_caller
def pool(reports: Reports, estimate: object, common: int | None = None) -> PooledEstimate:
    """Combine the reports of a second round with the estimate from which ``focus`` made its plan.

    Parameters
    ----------
    reports
        The reports of the second round.
    estimate
        The estimate of the first round, from which ``focus`` made the plan of ``reports``.
    common
        How many owners answered both rounds: 0 if others were asked. The reports do not reveal it.
        With the default, the largest possible number, intervals are too wide rather than narrow.

    Returns
    -------
    Shares of the candidates that the second round lists. Intervals allow for the selection of
    candidates that looked frequent in the first round. ``second`` is the second round's own
    estimate. If other owners answered it, its intervals are valid however they were chosen.

    Examples
    --------
    >>> import discretion as ds
    >>> items = ["milk", "rye", "tea", "oil"]
    >>> basket = {"name": "basket", "kind": "set", "items": items, "length": 2}
    >>> plan = ds.Plan.of({"name": "shop", "attributes": [basket], "budget": {"levels": [2, 4]}})
    >>> people = {"basket": [["milk", "rye"], ["milk"], ["rye", "oil"], ["tea"]] * 1000}
    >>> first = ds.frequencies(ds.simulate(plan, people, budgets="levels", seed=1), "basket")
    >>> closer = ds.focus(first, count=3)
    >>> again = ds.simulate(closer, people, budgets="levels", seed=2)
    >>> both = ds.pool(again, first, common=4000)
    >>> both.labels == closer.attributes["basket"].labels, bool(both.stderr.max() < 0.02)
    (True, True)
    """
    if not isinstance(estimate, First):
        rule = "pool takes the estimate that was given to focus"
        raise EstimateError(f"{rule}, got {type(estimate).__name__}")
    name = estimate.attribute
    evidence = Evidence.of(reports, name)
    second = frequencies(evidence, name, "weighted")
    most = min(estimate.n, evidence.n)
    if common is None:
        common = most
    elif type(common) is not int or not 0 <= common <= most:
        raise EstimateError(f"common must be a whole number from 0 to {most}, got {common!r}")
    first = _shares_of(estimate, second)
    if not first:
        rule = f"no label of {name!r} is in both rounds"
        raise EstimateError(f"{rule}: pool takes reports of a plan that focus made of the estimate")
    pooled = evidence.pooled()
    votes, rare = Votes.of_pooled(pooled, evidence.n), pooled.spread_at(np.zeros(len(second.value)))
    errors = second.stderr, np.sqrt(rare.variance)
    each = zip(second.value.tolist(), *(error.tolist() for error in errors), strict=True)
    own = [RoundShare(share, stderr, at, votes) for share, stderr, at in each]
    pairs = zip(map(first.get, second.labels), own, strict=True)
    made = [_pooled(before, now, common) for before, now in pairs]
    carved, weights = zip(*made, strict=True)
    shares = [first[label].share if label in first else np.nan for label in second.labels]
    sizes = estimate.n, evidence.n
    parts = carved, np.array(shares), second, np.array(weights), sizes, common
    return PooledEstimate(name, second.labels, *parts, legend=Legend.of(reports.plan))


def _shares_of(estimate: First, second: FrequencyEstimate) -> dict[str, RoundShare]:
    """Return what the first round says of the labels of the second, and how it chose them.

    A label was chosen for being among the largest, so it had to be above all that were not.
    """
    known = {label: estimate.share_of(label) for label in map(str, estimate.keys[0])}
    found = {label: known[label] for label in second.labels if label in known}
    smallest = min((each.share for each in found.values()), default=np.inf)
    left = (each.share for label, each in known.items() if label not in found)
    limit = max((share for share in left if share <= smallest), default=-np.inf)
    return {label: replace(each, least=max(each.least, limit)) for label, each in found.items()}


def _pooled(first: RoundShare | None, second: RoundShare, common: int) -> tuple[Carved, float]:
    """Return the pooled estimate of a label, and the weight that the first round has."""
    if first is None:
        return Carved(second.share, second.stderr, second.stderr, second.stderr**2, -np.inf), 0.0
    weight = second.rare**2 / (first.rare**2 + second.rare**2)
    share = weight * first.share + (1 - weight) * second.share
    f = min(max(share, 0.0), 1.0)
    together = f * (1 - f) * first.votes.beside(second.votes, common)
    variance = (weight * first.stderr) ** 2 + ((1 - weight) * second.stderr) ** 2
    variance += 2 * weight * (1 - weight) * together
    beside = weight * first.stderr**2 + (1 - weight) * together
    return Carved(share, float(np.sqrt(variance)), first.stderr, beside, first.least), weight
