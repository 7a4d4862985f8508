"""What views of other attributes imply of a table: the factors that all attributes have in common.

Where every pair of many attributes is reported by a few owners each, a pair's own reports say
little of its interactions. Other pairs say more: attributes mostly depend on each other because
they depend on something in common. If they did on nothing else, the covariances of all contrasts of
all attributes, each pair a block, would be a matrix of low rank with no negative eigenvalue, and
only noise would add others (Thurstone 1947). So the blocks that views estimate without bias are
brought to noise of equal size; those of single attributes, and those of the table itself, which is
to be told what the *others* imply, are filled in by what has been fitted; and of the eigenvalues
those are kept that noise of that size does not have, less what it adds to them (Benaych-Georges and
Nadakuditi 2011, section 3.1). All this costs sums and eigenvalues, and reads no report twice.

What is implied is a start and no more: a table's interactions are shrunk towards it, as much as its
own reports advise.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod, sqrt
from typing import Self

import numpy as np

from discretion.aggregate import Aggregate
from discretion.aggregate import Evidence as Counted
from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.family import of
from discretion.joints.likelihood import Table
from discretion.joints.table_evidence import TableEvidence

MOST_CONTRASTS = 512  # of all attributes; the time grows with their cube
PASSES = 60  # of filling in what is not observed
SETTLED = 1e-3  # of the noise: when a pass changes no covariance by more
LEAST = 0.05  # of what independence would give a cell, at the least

Pair = tuple[str, str]


@dataclass(frozen=True)
class Covariances:
    """Unbiased covariances of the contrasts of pairs of attributes, in orthonormal contrasts."""

    marginals: Mapping[str, Vector]
    blocks: Mapping[Pair, Matrix]
    deviations: Mapping[Pair, float]  # of an entry of a block: its noise

    @classmethod
    def of(cls, counts: Aggregate, names: Sequence[str]) -> Self:
        """Estimate the covariances of these attributes from the counts of views."""
        marginals = {name: simplex(Counted.of(counts, name).pooled().value) for name in names}
        bases = {name: contrasts(len(own)) for name, own in marginals.items()}
        sums: dict[Pair, Matrix] = {}
        precisions: dict[Pair, float] = {}
        for pair, table, precision in _tables(counts, names):
            one, other = pair
            table = table - np.outer(marginals[one], marginals[other])
            block = precision * (bases[one].T @ table @ bases[other])
            sums[pair] = sums.get(pair, 0.0) + block
            precisions[pair] = precisions.get(pair, 0.0) + precision
        blocks = {pair: own / precisions[pair] for pair, own in sums.items()}
        return cls(marginals, blocks, {pair: 1 / sqrt(own) for pair, own in precisions.items()})

    @cached_property
    def scales(self) -> dict[str, float]:
        """A factor for each attribute, such that the noise of a pair is about their product."""
        names = list(self.marginals)
        design = np.array([[float(name in pair) for name in names] for pair in self.blocks])
        logs = np.log(list(self.deviations.values()))
        found = np.linalg.lstsq(design, logs, rcond=None)[0]
        return dict(zip(names, np.exp(found).tolist(), strict=True))

    @cached_property
    def spans(self) -> dict[str, slice]:
        """Where the contrasts of each attribute stand."""
        spans, start = {}, 0
        for name, own in self.marginals.items():
            spans[name] = slice(start, start + len(own) - 1)
            start += len(own) - 1
        return spans

    def without(self, names: Sequence[str]) -> "Factors":
        """Fit what the attributes have in common to the pairs but those among some of them."""
        size = max(span.stop for span in self.spans.values())
        noisy, seen = np.zeros((size, size)), np.zeros((size, size), np.bool_)
        for pair, block in self.blocks.items():
            if not set(pair) <= set(names):
                one, other = (self.spans[name] for name in pair)
                noisy[one, other] = block / prod(self.scales[name] for name in pair)
                noisy[other, one] = noisy[one, other].T
                seen[one, other] = seen[other, one] = True
        return Factors(self, *_common(noisy, seen))


@dataclass(frozen=True)
class Factors:
    """Covariances that have been fitted to those of pairs."""

    given: Covariances
    fitted: Matrix  # in units of the noise
    rank: int

    def interactions(self, one: str, other: str) -> Table:
        """Return the log of what a pair's table is over the product of its marginals.

        Of rare values, the ratio is known badly: it is drawn towards one by the noise of a cell.
        """
        given, scale = self.given, self.given.scales[one] * self.given.scales[other]
        block = scale * self.fitted[given.spans[one], given.spans[other]]
        f, g = (given.marginals[name] for name in (one, other))
        above = contrasts(len(f)) @ block @ contrasts(len(g)).T
        noise = scale * sqrt(2 * self.rank / len(self.fitted))
        even = np.outer(f, g) + noise
        ratio = np.ones(above.shape)
        np.divide(even + above, even, out=ratio, where=even > 0)
        logs: Table = np.log(np.clip(ratio, LEAST, 1 / LEAST))
        return logs


def implied(evidence: TableEvidence) -> Table:
    """Return the logs of the interactions that other attributes' views imply, zero if none do."""
    offset, names = np.zeros(evidence.shape), _viewed(evidence)
    own = [name for name in evidence.names if name in names]
    if len(own) < 2 or not _linked(evidence, own):
        return offset
    covariances = Covariances.of(Aggregate.about(evidence.reports, names), names)
    factors = covariances.without(own)
    if not factors.rank:
        return offset
    for one, other in combinations(range(len(evidence.axes)), 2):
        pair = evidence.names[one], evidence.names[other]
        if set(pair) <= set(own):
            wide = [size if i in (one, other) else 1 for i, size in enumerate(evidence.shape)]
            offset = offset + factors.interactions(*pair).reshape(wide)
    return offset


def _viewed(evidence: TableEvidence) -> list[str]:
    """Return the attributes of views that were reported, if they are not too large in all."""
    plan, shared = evidence.plan, evidence.reports.shared
    if not plan.share.weights:
        return []
    asked = [plan.questions[name] for name in shared if of(plan.questions[name]).foldable]
    parts = {part for question in asked for part in question.parts}
    names = [name for name in plan.attributes if name in parts]
    size = sum(plan.questions[name].attribute.size - 1 for name in names)
    return names if size <= MOST_CONTRASTS else []


def _linked(evidence: TableEvidence, own: Sequence[str]) -> bool:
    """Whether two of these attributes or more are in views with others."""
    asked = (set(evidence.plan.questions[name].parts) for name in evidence.reports.shared)
    across = [parts for parts in asked if not parts <= set(own)]
    return sum(any(name in parts for parts in across) for name in own) > 1


def _tables(counts: Aggregate, names: Sequence[str]) -> Iterator[tuple[Pair, Table, float]]:
    """Yield each pair's unbiased table from each view, with the precision of a contrast."""
    at = {name: i for i, name in enumerate(names)}
    for name in counts.shared:
        parts = counts.plan.questions[name].parts
        if len(parts) < 2:
            continue
        estimate = Counted.of(counts, name).pooled()
        table = estimate.value.reshape([counts.plan.questions[p].attribute.size for p in parts])
        for pair in combinations(range(len(parts)), 2):
            rest = tuple(i for i in range(len(parts)) if i not in pair)
            folded = table.sum(axis=rest)
            one, other = (parts[i] for i in pair)
            if at[one] > at[other]:
                one, other, folded = other, one, folded.T
            yield (one, other), folded, estimate.weight * folded.size / table.size


def _common(noisy: Matrix, seen: Matrix) -> tuple[Matrix, int]:
    """Return the matrix of low rank whose entries, seen with noise of variance one, these are."""
    fitted, rank, edge = np.zeros(noisy.shape), 0, 4 * len(noisy)
    for _ in range(PASSES):
        values, vectors = np.linalg.eigh(np.where(seen, noisy, fitted))
        size = np.sqrt(np.maximum(values**2 - edge, 0.0)) * (values > 0)
        before, rank = fitted, int(np.count_nonzero(size))
        fitted = (vectors * size) @ vectors.T
        if abs(fitted - before).max() < SETTLED:
            break
    return fitted, rank


def contrasts(size: int) -> Matrix:
    """Return orthonormal contrasts of so many values, (size, size - 1)."""
    found: Matrix = np.linalg.svd(np.ones((1, size)))[2][1:].T
    return found
