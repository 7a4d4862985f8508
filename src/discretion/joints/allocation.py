"""Secret allocations: the joint law of an owner's budgets, learnt from the numbers of ones.

How many ones a report has does not depend on the value, so the counts of ones show how budgets are
spread, and budgets of one owner hang together: they share an allowance. The law is a mixture of
*types* (``joints.types``), the most likely one: how frequent each type is, pooled over whatever was
shared. Owners who share other attributes, or more of them, may spend differently; as far as their
ones say so they have a law of their own (Stein 1956: the pooled law keeps the part of what sets the
two apart that noise would explain). Given the counts of ones s and bits b of a cell, the likelihood
of the cell is the mixture's mean of the products of q^(s - b) (1 - q)^(l - 1 - s + b).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce

import numpy as np
import numpy.typing as npt
import scipy
from scipy.stats import binom

from discretion.estimate.likelihood import MixtureLikelihood, maximise
from discretion.estimate.noise import Matrix, Vector
from discretion.family.part import Single
from discretion.joints.table_evidence import Group, Groups, TableEvidence
from discretion.joints.types import Types
from discretion.labels.blind import ones_given
from discretion.plan import Plan
from discretion.table.support import Counts

NATS = 0.01  # what the law may fall short of the most likely one
OWN = 200  # owners who share the same: fewer have the law of all
SUPPORT = 1e-6  # the least share of a type that counts as there
MOST_CLASSES = 4096  # of a goodness-of-fit test
EXPECTED = 8.0  # owners in each class of a goodness-of-fit test, at least
# What was answered: the axes, the sizes of the questions, and how many attributes were shared.
Sharing = tuple[tuple[int, ...], tuple[int, ...], int]
Seen = dict[Sharing, dict[int, float]]  # how often are so many ones?


@dataclass(frozen=True)
class Fit:
    """Pearson's test: do the numbers of ones look like the law's?"""

    statistic: float
    df: int

    @property
    def p(self) -> float:
        return float(scipy.stats.chi2.sf(self.statistic, self.df)) if self.df > 0 else 1.0


@dataclass(frozen=True)
class BudgetMixture:
    """The mixing distribution of whole budgets: how frequent each type is.

    That of one attribute's levels alone is ``estimate.blind.LevelMixture``.
    """

    strata: tuple["_Ones", ...]
    shares: Mapping[Sharing, Vector]  # (types,) of owners who share this

    @classmethod
    def learnt(cls, evidence: TableEvidence) -> "BudgetMixture":
        """Fit the shares of the types to the numbers of ones."""
        types = Types.of(evidence.plan.policy, len(evidence.shape))
        seen = evidence.fold(_ones_of).items()
        return cls._fitted(tuple(_Ones.of(types, sharing, own) for sharing, own in seen))

    @classmethod
    def _fitted(cls, strata: tuple["_Ones", ...]) -> "BudgetMixture":
        pooled = _most_likely(
            np.concatenate([own.likelihood for own in strata]),
            np.concatenate([own.counts for own in strata]),
        )
        alone = len(strata) == 1
        shares = {own.sharing: pooled if alone else own.shares(pooled) for own in strata}
        return cls(strata, shares)

    def redrawn(self, rng: np.random.Generator) -> "BudgetMixture":
        """Learn the law of as many other owners with these numbers of ones (Efron 1979)."""
        again = (
            replace(own, counts=rng.poisson(own.counts).astype(np.float64)) for own in self.strata
        )
        return self._fitted(tuple(again))

    @cached_property
    def fit(self) -> Fit:
        """The test of the law: does it explain how many ones there are?"""
        found = [own.fit(self.shares[own.sharing]) for own in self.strata]
        return Fit(sum(each.statistic for each in found), sum(each.df for each in found))

    def tables(self, group: Group) -> Single:
        """Return for each report the likelihood of a cell by which of its bits are set."""
        tables = np.empty((len(group), *(2,) * len(group.parts)), np.float32)
        strata = {own.sharing: own for own in self.strata}
        for sharing, keys, rows in _ones(group):
            distinct, back = np.unique(keys, return_inverse=True)
            own = strata[sharing]
            tables[rows] = own.tables(own.ones(distinct), self.shares[sharing])[back]
        return tables


def _most_likely(likelihood: Matrix, counts: Vector) -> Vector:
    types = likelihood.shape[1]
    seen = counts > 0
    mixture = MixtureLikelihood(likelihood[seen], counts[seen])
    return maximise(mixture, np.full(types, 1 / types), NATS)


@dataclass(frozen=True)
class _Ones:
    """The numbers of ones in reports of owners who share the same, and their law by type."""

    types: Types
    sharing: Sharing
    keys: Counts  # (outcomes,) numbers of ones, as one integer
    counts: Vector  # (outcomes,)

    @classmethod
    def of(cls, types: Types, sharing: Sharing, seen: Mapping[int, float]) -> "_Ones":
        keys = np.array(sorted(seen))
        return cls(types, sharing, keys, np.array([seen[key] for key in keys.tolist()], np.float64))

    @property
    def n(self) -> float:
        return float(self.counts.sum())

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.sharing[1]

    def ones(self, keys: Counts) -> Counts:
        return np.column_stack(np.unravel_index(keys, _radixes(self.sizes)))

    @cached_property
    def _set(self) -> list[npt.NDArray[np.float64]]:
        axes, sizes, shared = self.sharing
        q = 1 / (np.exp(self.types.levels(axes, shared)) + 1)
        return [ones_given(size, q[:, i]) for i, size in enumerate(sizes)]

    @cached_property
    def _factors(self) -> list[Matrix]:
        """For each question the likelihood of so many ones by type, in units of their own."""
        found = []
        for table, size in zip(self._set, self.sizes, strict=True):
            s = np.arange(size + 1)[:, None]
            # s ones: the own bit is set or not, C(l-1, s-1) against C(l-1, s) ways for the others
            found.append((s * table[:, 1] + (size - s) * table[:, 0]) / size)
        return found

    @cached_property
    def likelihood(self) -> Matrix:
        """The likelihood of each outcome that was seen by type, in units of its own."""
        picked = [f[s] for f, s in zip(self._factors, self.ones(self.keys).T, strict=True)]
        likelihood = reduce(np.multiply, picked)
        return likelihood / likelihood.max(axis=1, keepdims=True)

    def shares(self, pooled: Vector) -> Vector:
        """Return how frequent the types are, as far as it is not as they are among all."""
        if self.n < OWN:
            return pooled
        own = _most_likely(self.likelihood, self.counts)
        gain = self.counts @ np.log((self.likelihood @ own) / (self.likelihood @ pooled))
        support = int((own > SUPPORT).sum())
        free = min(support * (1 + len(self.sizes)) - 1, len(self.keys) - 1)
        keep = min(1.0, free / (2 * gain)) if gain > 0 else 1.0
        return keep * pooled + (1 - keep) * own

    def fit(self, shares: Vector) -> Fit:
        """Compare how often numbers of ones came with how often they should."""
        table = reduce(_outer, [self._classes(size, i) for i, size in enumerate(self.sizes)])
        expected = self.n * (table @ shares)
        classes = [_class_of(size, self._most) for size in self.sizes]
        picked = [own[s] for own, s in zip(classes, self.ones(self.keys).T, strict=True)]
        where = np.ravel_multi_index(tuple(picked), [own[-1] + 1 for own in classes])
        observed = np.bincount(where, self.counts, len(expected))
        rare = expected < EXPECTED
        if rare.any():
            expected = np.append(expected[~rare], expected[rare].sum())
            observed = np.append(observed[~rare], observed[rare].sum())
            if expected[-1] < EXPECTED and len(expected) > 1:
                expected[-2] += expected[-1]
                observed[-2] += observed[-1]
                expected, observed = expected[:-1], observed[:-1]
        statistic = float(((observed - expected) ** 2 / expected).sum())
        return Fit(statistic, len(expected) - 1)

    @property
    def _most(self) -> int:
        """How many classes of ones a question has at most."""
        return max(2, int(MOST_CLASSES ** (1 / len(self.sizes))))

    def _classes(self, size: int, question: int) -> Matrix:
        """Return how likely each class of ones is by type: (classes, types)."""
        axes, _, shared = self.sharing
        q = 1 / (np.exp(self.types.levels(axes, shared)[:, question]) + 1)
        s = np.arange(size + 1)[:, None]
        law = (binom.pmf(s, size - 1, q) + binom.pmf(s - 1, size - 1, q)) / 2
        own = _class_of(size, self._most)
        return np.add.reduceat(law, np.flatnonzero(np.diff(own, prepend=-1)), axis=0)

    def tables(self, ones: Counts, shares: Vector) -> Single:
        """Return (outcomes, 2, 2, ...), each outcome in units of its own."""
        there = np.flatnonzero(shares > 0)
        half = (len(self.sizes) + 1) // 2
        result = np.empty((len(ones), *(2,) * len(self.sizes)), np.float32)
        for start in range(0, len(ones), 512):
            s = ones[start : start + 512]
            pick = [table[s[:, i]][..., there] for i, table in enumerate(self._set)]
            left, right = (_cross(side, len(there)) for side in (pick[:half], pick[half:]))
            block = np.matmul(left * shares[there], right.transpose(0, 2, 1)).reshape(len(s), -1)
            block /= block.max(axis=1, keepdims=True)
            result[start : start + 512] = block.reshape(len(s), *result.shape[1:])
        return result


def _class_of(size: int, most: int) -> Counts:
    """Return the class of each number of ones: as many as there may be, of about equal width."""
    return np.arange(size + 1) * min(most, size + 1) // (size + 1)


def _outer(one: Matrix, other: Matrix) -> Matrix:
    return (one[:, None] * other[None]).reshape(-1, one.shape[1])


def _cross(factors: Sequence[npt.NDArray[np.float64]], types: int) -> npt.NDArray[np.float64]:
    """Return the products over all choices of bits: (rows, 2^factors, types)."""
    if not factors:
        return np.ones((1, 1, types))
    return reduce(
        lambda x, y: (x[:, :, None] * y[:, None]).reshape(len(x), -1, y.shape[2]), factors
    )


def _ones_of(groups: Groups) -> Seen:
    """Count the numbers of ones, by what was answered and by how much was shared in all."""
    found: Seen = {}
    for group in groups:
        times = np.ones(len(group)) if group.times is None else group.times
        for sharing, keys, rows in _ones(group):
            distinct, back = np.unique(keys, return_inverse=True)
            counts = np.bincount(back, times[rows]).tolist()
            found[sharing] = dict(zip(distinct.tolist(), counts, strict=True))
    return found


def _ones(group: Group) -> Iterator[tuple[Sharing, Counts, Counts]]:
    """Yield by number shared the numbers of ones as one integer, and the rows that have it."""
    ones, sizes = tuple(part.ones for part in group.sets), tuple(part.size for part in group.parts)
    keys = np.ravel_multi_index(ones, _radixes(sizes))
    for shared in np.unique(group.shared):
        rows = np.flatnonzero(group.shared == shared)
        yield (group.axes, sizes, int(shared)), keys[rows], rows


def _radixes(sizes: Sequence[int]) -> list[int]:
    return [size + 1 for size in sizes]
