"""Interactions of three attributes or more: does a table that leaves them out fit the reports?

Rao's (1948) score test. In a table f, terms of a log-linear model move the cells along the slopes
B = f (F - f'F), F their features; the slope of the likelihood along B is the score U, and the
information about the terms is J. Of the score of the terms that all attributes have together that
part is taken off which errors of the lower terms, of single attributes, pairs and so on, explain:

    u = U_s - J_sl J_ll^-1 U_l,    v = J_ss - J_sl J_ll^-1 J_ls,    u' v^-1 u ~ chi-square,

so that f may be shrunk, or the margin of a model of more attributes. J is made of the reports' own
scores, so the statistic follows Hotelling's (1931) law, of as many reports as there would be if all
had the information of the strong ones. Several sets of attributes are tested at a false discovery
rate (Benjamini and Hochberg 1995).
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
import scipy

from discretion.estimate.noise import Matrix
from discretion.joints.allocation import BudgetMixture
from discretion.joints.build import likelihood_of, rows_of
from discretion.joints.likelihood import Table, TableLikelihood
from discretion.joints.loglinear import MOST_ENTRIES
from discretion.joints.shards import about
from discretion.joints.table_evidence import Groups, TableEvidence

RATE = 0.05  # of the interactions that are none, among all that are found: at most, on average
MOST_CELLS = 512  # of a set that is tested: a test has a term for each
MOST_ADDED = 1024  # terms of all interactions that a model takes in
IN_CELL = 10.0  # reports that a cell should have: the scores of fewer are not nearly normal
PER_CELL = 20  # reports about the set that there should be for each cell
RESOLVED = 1e-6  # of the largest information: what is less is rounding
LEAST = 1e-9  # of a cell: where a table has none, scores would not exist


@dataclass(frozen=True)
class Interaction:
    """Attributes that depend on each other beyond what smaller sets of them imply, or do not."""

    attributes: tuple[str, ...]
    statistic: float
    df: int
    p: float
    adjusted: float  # the smallest false discovery rate at which it is found
    expressed: bool = False  # whether the estimate has terms for it

    @property
    def found(self) -> bool:
        return self.adjusted <= RATE

    @property
    def errors(self) -> float:
        """How many standard errors of a normal score would be as unlikely."""
        return float(scipy.stats.norm.isf(max(self.p, 1e-300) / 2))

    def __str__(self) -> str:
        return " x ".join(self.attributes)

    def document(self) -> dict[str, Any]:
        """Return it for machines."""
        return {**asdict(self), "attributes": list(self.attributes)}


def tested(evidence: TableEvidence, table: Table) -> tuple[Interaction, ...]:
    """Test every set of three or more attributes of a table that has terms for pairs alone."""
    axes = range(len(evidence.shape))
    sets = [kept for order in range(3, len(axes) + 1) for kept in combinations(axes, order)]
    found = []
    for kept in sets:
        own = tuple(evidence.axes[axis] for axis in kept)
        if testable([axis.size for axis in own], evidence.holding(kept)):
            part = evidence if len(own) == len(axes) else about(evidence.reports, own)
            margin = table.sum(axis=tuple(axis for axis in axes if axis not in kept))
            found.append(interaction(part, margin))
    return controlled(found)


def testable(sizes: Sequence[int], n: int) -> bool:
    """Return whether so many reports about all attributes of these sizes are enough for a test."""
    return prod(sizes) <= min(MOST_CELLS, n / PER_CELL)


def expressible(evidence: TableEvidence, found: Sequence[Interaction]) -> tuple[Interaction, ...]:
    """Mark those that a model should have terms for, the clearest first, as far as they fit.

    Shrinkage then takes from a term what noise may have brought. So those count too that are not
    certain, but improve the fit by more than their noise is expected to spoil (Akaike 1974).
    """
    sizes = dict(zip(evidence.names, evidence.shape, strict=True))
    room, chosen = min(MOST_ADDED, MOST_ENTRIES // (2 * evidence.cells)), set()
    for each in sorted(found, key=lambda each: 2 * each.df - each.statistic):
        terms = prod(sizes[name] - 1 for name in each.attributes)
        if terms <= room and (each.found or each.statistic > 2 * each.df):
            chosen.add(each)
            room -= terms
    return tuple(replace(each, expressed=each in chosen) for each in found)


def interaction(evidence: TableEvidence, table: Table) -> Interaction:
    """Test the interaction of all attributes of a table, by itself."""
    positive = np.maximum(table, LEAST)
    positive /= positive.sum()
    law = BudgetMixture.learnt(evidence) if evidence.plan.secret else None
    total, squares = evidence.fold(partial(_weights, len(evidence.axes), law))
    n = float(total) ** 2 / max(float(squares), LEAST)
    statistic, df = score(likelihood_of(evidence, law), positive, n)
    p = 1.0
    if 0 < df < n - 1:
        p = float(scipy.stats.f.sf(statistic * (n - df) / (n * df), df, n - df))
    return Interaction(evidence.names, statistic, df, p, p)


def _weights(axes: int, law: BudgetMixture | None, groups: Groups) -> tuple[float, float]:
    """Sum the information of the reports about all attributes, and its squares."""
    total = squares = 0.0
    for group in groups:
        if len(set(group.axes)) == axes:
            own = rows_of(group, law).eigenvalues.prod(axis=1)
            times = np.ones(len(group)) if group.times is None else group.times
            total, squares = total + float(own @ times), squares + float(own**2 @ times)
    return total, squares


def controlled(found: Sequence[Interaction]) -> tuple[Interaction, ...]:
    """Adjust the p-values of several tests for the false discovery rate."""
    adjusted = scipy.stats.false_discovery_control([each.p for each in found]) if found else []
    return tuple(replace(each, adjusted=float(q)) for each, q in zip(found, adjusted, strict=True))


def score(likelihood: TableLikelihood, table: Table, n: float) -> tuple[float, int]:
    """Return the statistic of the interaction of all axes, and its degrees of freedom.

    Of so many reports that count, cells that hardly any of them can be in have no term.
    """
    lower = [_features(table, kept) for kept in _below(table.ndim)]
    whole = _features(table, tuple(range(table.ndim)))
    frequent = n * (table.ravel() @ whole) >= IN_CELL
    if not frequent.any():
        return 0.0, 0
    features = np.hstack([*lower, whole[:, frequent]])
    few = sum(own.shape[1] for own in lower)
    f = table.ravel()
    slopes = f[:, None] * (features - f @ features)
    slopes /= np.sqrt((slopes**2 / f[:, None]).sum(axis=0))
    information = likelihood.information_along(f, slopes)
    pull = likelihood.n * (likelihood.slope(f)[1] @ slopes)
    aside = scipy.linalg.pinvh(information[:few, :few], rtol=RESOLVED) @ information[:few, few:]
    own = pull[few:] - pull[:few] @ aside
    values, vectors = np.linalg.eigh(information[few:, few:] - information[few:, :few] @ aside)
    kept = values > RESOLVED * np.diag(information)[few:].max()
    along = own @ vectors[:, kept]
    return float((along**2 / values[kept]).sum()), int(kept.sum())


def _features(table: Table, kept: tuple[int, ...]) -> Matrix:
    """Return which values the kept axes have in each cell, but for the most frequent one."""
    where = np.indices(table.shape).reshape(table.ndim, -1)
    found = np.ones((table.size, 1))
    for axis in kept:
        marginal = table.sum(axis=tuple(i for i in range(table.ndim) if i != axis))
        own = np.delete(np.eye(len(marginal)), int(marginal.argmax()), axis=1)[where[axis]]
        found = (found[:, :, None] * own[:, None]).reshape(table.size, -1)
    return found


def _below(axes: int) -> Iterator[tuple[int, ...]]:
    for order in range(1, axes):
        yield from combinations(range(axes), order)
