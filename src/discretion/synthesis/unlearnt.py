"""What was not learnt: dependences too faint to be seen, values too rare, attributes too few share.

A pair whose strength is S has a statistic that is noncentral chi-square, its noncentrality twice S
times the information that the reports carry. The smallest S that would have been found four times
out of five says what "no dependence was seen" is worth.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from discretion.plan import Plan
from discretion.synthesis.agreement import UnbiasedTables
from discretion.synthesis.dependence import Dependence, Pair
from discretion.synthesis.headline import Z95
from discretion.synthesis.model import Model
from discretion.synthesis.scores import Scores

POWER = 0.8
FEW = 0.1  # of the reports: an attribute that fewer share is named


@dataclass(frozen=True)
class Unseen:
    """Two attributes that may be independent; how strong a dependence would have been detected."""

    one: str
    other: str
    n: int
    visible: float | None  # nats; None: even the strongest dependence might not have been seen


@dataclass(frozen=True)
class Rare:
    """A value whose share cannot be distinguished from zero."""

    attribute: str
    label: str
    model: float
    resolvable: float  # a share that could


@dataclass(frozen=True)
class Sparse:
    """An attribute that few shared."""

    attribute: str
    n: int
    share: float


@dataclass(frozen=True)
class Dropped:
    """Two attributes that depend, but do not stand together in the model's tables."""

    one: str
    other: str
    strength: float


@dataclass(frozen=True)
class Unlearnt:
    """All of it; beyond that, what three attributes and more do together comes from the pairs."""

    power: float
    pairs: tuple[Unseen, ...]
    values: tuple[Rare, ...]
    attributes: tuple[Sparse, ...]
    dropped: tuple[Dropped, ...]
    binned: tuple[str, ...]  # numbers of which only the bin was asked


def unlearnt(model: Model, found: Dependence, scores: Scores, tables: UnbiasedTables) -> Unlearnt:
    """Gather what the reports did not show, and what the model left out."""
    return Unlearnt(
        POWER,
        tuple(_unseen(found, scores)),
        tuple(_rare(model, tables)),
        tuple(_sparse(scores)),
        tuple(Dropped(each.one, each.other, each.strength) for each in apart(model, found)),
        tuple(name for name in model.names if _is_binned(tables.reports.plan, name)),
    )


def smallest_visible(df: int, information: float, level: float) -> float:
    """Return the strength in nats that a test at this level finds with enough power.

    ``information`` is the information of the reports on one interaction, in units of open records.
    """
    if level >= POWER:  # independence itself is called dependence so often
        return 0.0
    critical = scipy.stats.chi2.isf(level, df)
    top = critical + 100.0
    needed = scipy.optimize.brentq(
        lambda x: scipy.stats.ncx2.sf(critical, df, x) - POWER, 1e-9, top
    )
    return float(needed) / (2 * information)


def _unseen(found: Dependence, scores: Scores) -> list[Unseen]:
    edges, names = set(found.edges), scores.evidence.names
    level = found.rate * (len(edges) + 1) / max(len(found.pairs), 1)  # of the next to be found
    unseen = []
    for pair in found.pairs:
        if pair not in edges:
            indices = names.index(pair.one), names.index(pair.other)
            unseen.append(_visible(pair, scores, indices, level))
    return unseen


def _visible(pair: Pair, scores: Scores, indices: tuple[int, int], level: float) -> Unseen:
    strongest = (
        min(scores.contrasts[index].size for index in indices) / 2
    )  # where one determines the other
    information = float(np.trace(scores.pair(*indices).covariance)) / pair.df
    if pair.n <= pair.df + 1 or information <= 0:
        return Unseen(pair.one, pair.other, pair.n, None)
    visible = smallest_visible(pair.df, information, level)
    return Unseen(pair.one, pair.other, pair.n, visible if visible <= strongest else None)


def _rare(model: Model, tables: UnbiasedTables) -> list[Rare]:
    rare = []
    for column in model.columns:
        own = tables.singles[column.name]
        if own is None:
            continue
        f, resolvable = model.marginal((column.name,)), Z95 * own.stderr
        rare += [
            Rare(column.name, label, float(share), float(least))
            for label, share, least in zip(column.labels, f, resolvable, strict=True)
            if share < least
        ]
    return rare


def _sparse(scores: Scores) -> list[Sparse]:
    names, n = scores.evidence.names, scores.evidence.n
    return [
        Sparse(name, count, count / n)
        for name, count in zip(names, scores.answered, strict=True)
        if count < FEW * n
    ]


def apart(model: Model, found: Dependence) -> tuple[Pair, ...]:
    """Return the pairs that depend, but do not stand together in the model's tables."""
    together = {frozenset((model.names[a], model.names[b])) for a, b in model.edges}
    return tuple(pair for pair in found.edges if frozenset(pair.names) not in together)


def _is_binned(plan: Plan, name: str) -> bool:
    attribute = plan.questions[name].attribute
    return attribute.number is not None and attribute.listed
