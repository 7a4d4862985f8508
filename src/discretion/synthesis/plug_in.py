"""Which attributes depend on each other, by plug-in mutual information. For comparison only.

Formula  I = sum of p_ij ln(p_ij / (p_i p_j)) of each pair's estimated table, in nats; an edge where
         I >= tau = min(|A| - 1, |B| - 1) phi^2 / 2: where Cramer's V is at least phi, as I is about
         half of chi-squared over n. With pruning only the pairs of the d (1 - phi) attributes with
         the largest entropy are looked at, and the others are none; or, of attributes that are
         supposed to depend, those of the smallest, and the others are edges.
Source   Ren et al. (2018), Algorithms 4 and 5.
Mended   d (1 - phi) is rounded, halves up: that is how Tables 7 and 9 were counted, though
         Algorithm 5 prints a floor. It also prints the relative entropy H / |A| and sorts by H;
         here it is H. Algorithm 4 has I >= tau, its text I > tau.

It cannot distinguish dependence from noise: I is never negative, and noise alone makes it about
half the sum of Var(p_ij) / (p_i p_j), often far above tau; of tables that stopped too early to hold
noise it is too small, as they do not hold the dependence either. From ``lasso``'s tables it cannot
distinguish dependence at all, as they are made of marginals. The entropy of an attribute says
nothing about what depends on it: rare values may depend strongly, and pruning loses them. It takes
labels and bins only, and of partial records what ``em-lopub`` takes, those that hold both
attributes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.special import entr, xlogy

from discretion.errors import EstimateError
from discretion.estimate.estimate import check_choice
from discretion.joints.lasso import lasso
from discretion.joints.likelihood import Table
from discretion.joints.lopub import em_lopub, hybrid
from discretion.joints.table_evidence import Evidence
from discretion.synthesis.dependence import attributes_of
from discretion.table import ReportTable

if TYPE_CHECKING:
    import networkx as nx

METHODS: Mapping[str, Callable[[Evidence], Table]] = MappingProxyType(
    {"lasso": lasso, "em-lopub": em_lopub, "hybrid": hybrid}
)
Prune = Literal["independent", "dependent"]
HAIR = 1e-9  # what a product such as 15 (1 - 0.3) may miss a half by


@dataclass(frozen=True, slots=True)
class Pair:
    """Two attributes whose table was estimated, and what it says about their dependence."""

    one: str
    other: str
    information: float  # plug-in mutual information, in nats
    threshold: float

    @property
    def names(self) -> tuple[str, str]:
        return self.one, self.other

    @property
    def edge(self) -> bool:
        return self.information >= self.threshold


@dataclass(frozen=True)
class PlugIn:
    """The pairs that were examined, and those that are assumed to depend without being examined."""

    attributes: tuple[str, ...]
    pairs: tuple[Pair, ...]
    supposed: tuple[tuple[str, str], ...]  # edges that were not examined
    phi: float
    method: str

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The pairs taken to depend on each other: the strongest first, what is supposed last."""
        found = [pair for pair in self.pairs if pair.edge]
        found.sort(key=lambda pair: -pair.information / pair.threshold)
        return (*(pair.names for pair in found), *self.supposed)

    @property
    def graph(self) -> "nx.Graph":
        """The attributes, with an edge for each pair that is taken to depend."""
        import networkx as nx  # slow to import, and seldom needed

        graph = nx.Graph()
        graph.add_nodes_from(self.attributes)
        graph.add_edges_from(self.edges)
        return graph


def plug_in(
    reports: ReportTable,
    phi: float,
    method: str = "em-lopub",
    attributes: Sequence[str] | None = None,
    prune: Prune | None = None,
) -> PlugIn:
    """Compare the mutual information of estimated tables with LoPub's threshold, pair by pair.

    ``prune``: what is supposed of the pairs that are not looked at; by default all are.
    """
    if not 0 < phi < 1:
        raise EstimateError(f"phi must lie between 0 and 1, got {phi}")
    names = attributes_of(reports, attributes)
    looked = names
    if prune is not None:
        entropies = [float(entr(estimated(reports, [name], method)).sum()) for name in names]
        looked = tuple(names[i] for i in kept(entropies, phi, prune))
    pairs = []
    for one, other in combinations(looked, 2):
        table = estimated(reports, [one, other], method)
        pairs.append(Pair(one, other, information(table), threshold(table.shape, phi)))
    rest = () if prune != "dependent" else combinations(names, 2)
    supposed = tuple(pair for pair in rest if not set(pair) <= set(looked))
    return PlugIn(names, tuple(pairs), supposed, phi, method)


def estimated(reports: ReportTable, names: Sequence[str], method: str) -> Table:
    """Return the table of attributes by one of the paper's methods, as a distribution."""
    check_choice("method", method, METHODS)
    for name in names:
        question = reports.plan.questions[name]
        if not question.labels:
            raise EstimateError(f"{method} takes labels, and {name!r} is {question.kind.noun}")
    table = METHODS[method](Evidence.of(reports, names))
    return table / table.sum()


def information(table: Table) -> float:
    """Return the mutual information of two attributes, in nats."""
    product = np.outer(table.sum(axis=1), table.sum(axis=0))
    ratio = np.divide(table, product, out=np.ones_like(table), where=table > 0)
    return float(xlogy(table, ratio).sum())


def threshold(shape: Sequence[int], phi: float) -> float:
    """Return tau: the mutual information of a pair whose Cramer's V is phi, about."""
    return (min(shape) - 1) * phi**2 / 2


def kept(entropies: Sequence[float], phi: float, prune: Prune) -> list[int]:
    """Return the indices of the attributes whose pairs are examined, in their order."""
    count = floor(len(entropies) * (1 - phi) + 0.5 + HAIR)
    sign = -1 if prune == "independent" else 1
    order = sorted(range(len(entropies)), key=lambda index: sign * entropies[index])
    return sorted(order[:count])
