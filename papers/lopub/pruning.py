"""Which pairs are taken to depend: how often that is right, and what pruning loses."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from scipy.special import entr

from discretion.synthesis import Dependence
from discretion.synthesis.plug_in import PlugIn, Prune, information, kept, threshold
from papers.lopub.crowd import Axes, Sample
from papers.lopub.data import Survey
from papers.lopub.printed import Pruned
from papers.study import Cells

Shape = tuple[int, ...]
Information = Mapping[Axes, float]  # in nats, of each pair


class Rates(NamedTuple):
    """Shares of all pairs: found rightly, wrongly taken for dependent, and missed."""

    right: float
    added: float
    lost: float


def true_information(sample: Sample) -> dict[Axes, float]:
    """Return the mutual information of all pairs in the records."""
    return {axes: information(table) for axes, table in sample.pairs.items()}


def plugged(found: PlugIn) -> dict[Axes, float]:
    """Return the mutual information of all pairs by estimated tables."""
    place = found.attributes.index
    return {(place(pair.one), place(pair.other)): pair.information for pair in found.pairs}


def strengths(found: Dependence) -> dict[Axes, float]:
    """Return ours: the strength of what is taken to depend, and nothing for the others."""
    place, edges = found.attributes.index, set(found.edges)
    return {
        (place(pair.one), place(pair.other)): pair.strength if pair in edges else 0.0
        for pair in found.pairs
    }


def dependent(found: Information, shape: Shape, phi: float) -> set[Axes]:
    """Return the pairs with at least LoPub's threshold."""
    return {
        (a, b) for (a, b), nats in found.items() if nats >= threshold((shape[a], shape[b]), phi)
    }


def rates(estimated: Information, true: Information, shape: Shape, phi: float) -> Rates:
    """Compare what is taken to depend with what does."""
    found, real = (dependent(each, shape, phi) for each in (estimated, true))
    added, lost = len(found - real) / len(true), len(real - found) / len(true)
    return Rates(1 - added - lost, added, lost)


def pruned(found: Information, entropies: Sequence[float], survey: Survey, phi: float) -> Pruned:
    """Count as Tables 7 to 9 do, without the diagonal that Cells 9 counts in some of its rows.

    Attributes of two values are supposed to depend, as in the paper; others not.
    """
    prune: Prune = "dependent" if max(survey.shape) == 2 else "independent"
    searched = set(combinations(kept(entropies, phi, prune), 2))
    every = dependent(found, survey.shape, phi)
    rest = set(found) - searched if prune == "dependent" else set()
    return Pruned(2 * len((every & searched) | rest), 2 * len(every), len(searched), len(found))


def true_entropies(sample: Sample) -> list[float]:
    """Return the entropy of each attribute in the records."""
    return [entropy(sample.truth((axis,))) for axis in range(len(sample.survey.fields))]


def entropy(table: Cells) -> float:
    """Return the entropy of a table, in nats."""
    return float(entr(table).sum())
