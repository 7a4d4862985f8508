"""Secret allocations: the joint law of an owner's budgets, learnt from the numbers of ones.

How many ones a report has does not depend on the value, so the counts of ones show how budgets are
spread, and budgets of one owner hang together: they share an allowance. The law is a mixture of
*types*. A type has a weight for each attribute of the table and for any other, and spends a part of
the allowance in proportion to the weights of what it shares; types are spread over all such
vectors, and the counts say how frequent each is, pooled over whatever was shared. Given the counts
of ones s and bits b of a cell, the likelihood of the cell is the mixture's mean of the products of
q^(s - b) (1 - q)^(l - 1 - s + b).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt
import scipy
from scipy.special import gammaincinv

from discretion.budget import Policy
from discretion.estimate.em import ascend
from discretion.estimate.noise import Matrix, Vector
from discretion.family.part import Single
from discretion.joints.table_evidence import Group, Groups, TableEvidence
from discretion.labels.blind import ones_given
from discretion.plan import Plan
from discretion.table.support import Counts

TYPES = 1024
CONCENTRATIONS = (0.5, 1.0, 2.0, 8.0)  # of the gamma laws from which the types' weights are drawn
SPENT = (1.0, 1.0, 0.75, 0.5)  # the part of the allowance that types of these kinds spend
NATS = 5.0  # what the law may fall short of the most likely one: it should not follow the noise
MOST_PASSES = 500
# By the axes and sizes of what was answered, and by number shared: how often are so many ones?
Seen = dict[tuple[tuple[int, ...], tuple[int, ...], int], dict[int, float]]


@dataclass(frozen=True)
class Types:
    """What each type weighs: the attributes of the table, and another one that it may share."""

    weights: Matrix  # (types, attributes + 1)
    spent: Vector  # (types,)

    @classmethod
    def spread(cls, attributes: int) -> "Types":
        """Return types spread evenly over all relative weights, without any randomness."""
        points = scipy.stats.qmc.Sobol(attributes + 1, scramble=False).random(TYPES) + 0.5 / TYPES
        kinds = len(CONCENTRATIONS) * len(SPENT)
        kind = np.arange(TYPES) // (TYPES // kinds)  # runs of Sobol points are spread evenly too
        shape = np.array(CONCENTRATIONS)[kind // len(SPENT), None]
        spent = np.array(SPENT)[kind % len(SPENT)]
        return cls(gammaincinv(shape, points), spent)

    def levels(self, policy: Policy, axes: Sequence[int], shared: int) -> Matrix:
        """Return epsilons (types, axes) when so many attributes are shared, these among them."""
        menu = np.array(policy.menu) / 1000
        own = self.weights[:, axes]
        allowance = policy.allowance(shared)
        if allowance is None:
            return menu[0] + (menu[-1] - menu[0]) * own / (1 + own)
        least = policy.floor(shared) / 1000
        rest = (allowance / 1000 - shared * least) * self.spent
        whole = own.sum(axis=1) + (shared - len(axes)) * self.weights[:, -1]
        return np.clip(least + (rest / whole)[:, None] * own, menu[0], menu[-1])


@dataclass(frozen=True)
class BudgetMixture:
    """The mixing distribution of whole budgets: how frequent each type is.

    That of one attribute's levels alone is ``estimate.blind.LevelMixture``.
    """

    plan: Plan
    types: Types
    shares: Vector  # (types,)

    @classmethod
    def learnt(cls, evidence: TableEvidence) -> "BudgetMixture":
        """Fit the shares of the types to the numbers of ones."""
        types = Types.spread(len(evidence.shape))
        tables, counts = [], []
        for (axes, sizes, shared), seen in evidence.fold(_ones_of).items():
            keys = np.array(sorted(seen))
            law = _Ones(evidence.plan, types, axes, sizes, shared)
            tables.append(law.likelihood(np.column_stack(np.unravel_index(keys, _radixes(sizes)))))
            counts.append(np.array([seen[key] for key in keys.tolist()]))
        likelihood = _Mixture(np.concatenate(tables), np.concatenate(counts).astype(np.float64))
        start = np.full(TYPES, 1 / TYPES)
        fit = ascend(likelihood, start, NATS / likelihood.n, MOST_PASSES)
        return cls(evidence.plan, types, fit.f)

    def tables(self, group: Group) -> Single:
        """Return for each report the likelihood of a cell by which of its bits are set."""
        tables = np.empty((len(group), *(2,) * len(group.parts)), np.float32)
        sizes = _sizes(group)
        for shared, keys, rows in _ones(group):
            law = _Ones(self.plan, self.types, group.axes, sizes, shared)
            distinct, back = np.unique(keys, return_inverse=True)
            ones = np.column_stack(np.unravel_index(distinct, _radixes(sizes)))
            tables[rows] = law.tables(ones, self.shares)[back]
        return tables


@dataclass(frozen=True)
class _Mixture:
    likelihood: Single  # (outcomes, types)
    counts: Vector

    @property
    def n(self) -> float:
        return float(self.counts.sum())

    def slope(self, f: Vector) -> tuple[float, Vector]:
        density = (self.likelihood @ f.astype(np.float32)).astype(np.float64)
        value = float(self.counts @ np.log(density))
        pull = (self.counts / density).astype(np.float32) @ self.likelihood
        return value, pull.astype(np.float64) / self.n


class _Ones:
    """The law of the numbers of ones in reports of one group, for owners who share so much."""

    def __init__(
        self, plan: Plan, types: Types, axes: Sequence[int], sizes: Sequence[int], shared: int
    ) -> None:
        epsilons = types.levels(plan.policy, axes, shared)
        q = 1 / (np.exp(epsilons) + 1)
        self._set = [ones_given(size, q[:, i]) for i, size in enumerate(sizes)]
        self._sizes = sizes

    def likelihood(self, ones: Counts) -> Single:
        """Return (outcomes, types), each outcome in units of its own."""
        factors = []
        for table, size, s in zip(self._set, self._sizes, ones.T, strict=True):
            # s ones: the own bit is set or not, C(l-1, s-1) against C(l-1, s) ways for the others
            factors.append((s[:, None] * table[s, 1] + (size - s)[:, None] * table[s, 0]) / size)
        likelihood = reduce(np.multiply, factors)
        return (likelihood / likelihood.max(axis=1, keepdims=True)).astype(np.float32)

    def tables(self, ones: Counts, shares: Vector) -> Single:
        """Return (outcomes, 2, 2, ...), each outcome in units of its own."""
        half = (len(self._sizes) + 1) // 2
        result = np.empty((len(ones), *(2,) * len(self._sizes)), np.float32)
        for start in range(0, len(ones), 512):
            s = ones[start : start + 512]
            pick = [table[s[:, i]] for i, table in enumerate(self._set)]  # (rows, 2, types)
            left, right = _cross(pick[:half]) * shares, _cross(pick[half:])
            block = np.matmul(left, right.transpose(0, 2, 1)).reshape(len(s), -1)
            block /= block.max(axis=1, keepdims=True)
            result[start : start + 512] = block.reshape(len(s), *result.shape[1:])
        return result


def _cross(factors: Sequence[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
    """Return the products over all choices of bits: (rows, 2^factors, types)."""
    if not factors:
        return np.ones((1, 1, TYPES))
    return reduce(
        lambda x, y: (x[:, :, None] * y[:, None]).reshape(len(x), -1, y.shape[2]), factors
    )


def _ones_of(groups: Groups) -> Seen:
    """Count the numbers of ones, by what was answered and by how much was shared in all."""
    found: Seen = {}
    for group in groups:
        times = np.ones(len(group)) if group.times is None else group.times
        for shared, keys, rows in _ones(group):
            distinct, back = np.unique(keys, return_inverse=True)
            counts = np.bincount(back, times[rows]).tolist()
            own = group.axes, _sizes(group), shared
            found[own] = dict(zip(distinct.tolist(), counts, strict=True))
    return found


def _ones(group: Group) -> Iterator[tuple[int, Counts, Counts]]:
    """Yield by number shared the numbers of ones as one integer, and the rows that have it."""
    ones = tuple(part.ones for part in group.sets)
    keys = np.ravel_multi_index(ones, _radixes(_sizes(group)))
    for shared in np.unique(group.shared):
        rows = np.flatnonzero(group.shared == shared)
        yield int(shared), keys[rows], rows


def _sizes(group: Group) -> tuple[int, ...]:
    return tuple(part.size for part in group.parts)


def _radixes(sizes: Sequence[int]) -> list[int]:
    return [size + 1 for size in sizes]
