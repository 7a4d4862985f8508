"""How many ones there are in reports with secret levels, and how likely that is by type of owner.

Owners who share the same make a stratum. The most likely law of the types is found with a few of
them: those come in at which the likelihood rises most, until none would add anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
import numpy.typing as npt
import scipy

from discretion.estimate.likelihood import MixtureLikelihood, maximise
from discretion.estimate.noise import Matrix, Vector
from discretion.family.part import Single
from discretion.joints.table_evidence import Group, Groups
from discretion.joints.types import Types
from discretion.labels.blind import ones_given
from discretion.table.support import Counts

NATS = 0.1  # what a law may fall short of the most likely one
ADDED = 32  # types that come in at once
MOST_ROUNDS = 50
FEWEST = 50  # owners who share the same: fewer have the law of all
MOST_CLASSES = 4096  # of numbers of ones in a test
EXPECTED = 8.0  # owners in each class, at least
ROWS = 512  # whose tables are made at once
# What was answered: the axes, the sizes of the questions, and how many attributes were shared.
Sharing = tuple[tuple[int, ...], tuple[int, ...], int]
Seen = dict[Sharing, dict[int, float]]  # how often are so many ones?


@dataclass(frozen=True)
class OnesFit:
    """Pearson's test: are the numbers of ones those of the law?"""

    statistic: float
    df: int

    def __add__(self, other: "OnesFit") -> "OnesFit":
        return OnesFit(self.statistic + other.statistic, self.df + other.df)

    @property
    def p(self) -> float:
        return float(scipy.stats.chi2.sf(self.statistic, self.df)) if self.df else 1.0


@dataclass(frozen=True)
class Ones:
    """The numbers of ones in reports of owners who share the same."""

    types: Types
    sharing: Sharing
    keys: Counts  # (outcomes,) numbers of ones, as one integer
    counts: Vector  # (outcomes,)

    @classmethod
    def of(cls, types: Types, sharing: Sharing, seen: Mapping[int, float]) -> "Ones":
        keys = np.array(sorted(seen))
        return cls(types, sharing, keys, np.array([seen[key] for key in keys.tolist()], np.float64))

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.sharing[1]

    @cached_property
    def likelihood(self) -> Matrix:
        """(outcomes, types), each outcome in units of its own."""
        found = np.ones((len(self.keys), self.types.count))
        columns = _numbers(self.keys, self.sizes).T
        for table, size, s in zip(self._set, self.sizes, columns, strict=True):
            # s ones: the own bit is set or not, C(l-1, s-1) against C(l-1, s) ways for the others
            found *= (s[:, None] * table[s, 1] + (size - s)[:, None] * table[s, 0]) / size
        return found / found.max(axis=1, keepdims=True)

    def shares(self, pooled: Vector) -> Vector:
        """Return how frequent the types are, as far as it is not as they are among all."""
        if self.counts.sum() < FEWEST:
            return pooled
        own = most_likely(self.likelihood, self.counts)
        gain = float(self.counts @ np.log(self.likelihood @ own / (self.likelihood @ pooled)))
        free = min(int((own > 0).sum()), len(self.keys) - 1)
        kept = min(1.0, free / (2 * gain)) if gain > 0 else 1.0
        return kept * pooled + (1 - kept) * own

    def fit(self, shares: Vector) -> OnesFit:
        """Compare how often numbers of ones came with how often they should, by classes."""
        most = max(2, int(MOST_CLASSES ** (1 / len(self.sizes))))
        classes = [_classes(size, most) for size in self.sizes]
        laws = [self._law(i, own) for i, own in enumerate(classes)]
        expected = self.counts.sum() * (reduce(_outer, laws) @ shares)
        columns = _numbers(self.keys, self.sizes).T
        own = tuple(each[s] for each, s in zip(classes, columns, strict=True))
        where = np.ravel_multi_index(own, [len(law) for law in laws])
        observed = np.bincount(where, self.counts, len(expected)).astype(np.float64)
        return _pearson(expected, observed)

    def tables(self, keys: Counts, shares: Vector) -> Single:
        """Return the likelihoods by which bits of a cell are set: (outcomes, 2, 2, ...).

        Each outcome is in units of its own.
        """
        ones, there = _numbers(keys, self.sizes), np.flatnonzero(shares)
        half = (len(self.sizes) + 1) // 2
        result = np.empty((len(ones), *(2,) * len(self.sizes)), np.float32)
        for start in range(0, len(ones), ROWS):
            s = ones[start : start + ROWS]
            pick = [table[s[:, i]][..., there] for i, table in enumerate(self._set)]
            left, right = (_cross(side, len(there)) for side in (pick[:half], pick[half:]))
            block = np.matmul(left * shares[there], right.transpose(0, 2, 1)).reshape(len(s), -1)
            block /= block.max(axis=1, keepdims=True)
            result[start : start + ROWS] = block.reshape(len(s), *result.shape[1:])
        return result

    @cached_property
    def _q(self) -> Matrix:
        axes, _, shared = self.sharing
        return 1 / (np.exp(self.types.levels(axes, shared)) + 1)

    @cached_property
    def _set(self) -> list[npt.NDArray[np.float64]]:
        return [ones_given(size, self._q[:, i]) for i, size in enumerate(self.sizes)]

    def _law(self, question: int, classes: Counts) -> Matrix:
        """Return how likely each class of ones is by type: (classes, types)."""
        size, q = self.sizes[question], self._q[:, question]
        s = np.arange(size + 1)[:, None]
        pmf = scipy.stats.binom.pmf
        law = (pmf(s, size - 1, q) + pmf(s - 1, size - 1, q)) / 2
        return np.add.reduceat(law, np.flatnonzero(np.diff(classes, prepend=-1)), axis=0)


def most_likely(likelihood: Matrix, counts: Vector, start: Vector | None = None) -> Vector:
    """Return the most likely shares of the types; where it starts matters for the time only.

    The certificate of the types that are in, at the others, says when none of these would add
    anything (Lindsay 1983).
    """
    seen = counts > 0
    table, weight = likelihood[seen], counts[seen]
    shares = np.full(table.shape[1], 1 / table.shape[1])
    inside = np.zeros(len(shares), np.bool_)
    if start is not None:
        shares, inside = start, start > 0
    for turn in range(MOST_ROUNDS):
        multiplier = (weight / (table @ shares)) @ table
        if turn and multiplier.max() - weight.sum() <= NATS:
            break
        inside[np.argsort(multiplier)[-ADDED:]] = True
        few = np.flatnonzero(inside)
        mixture, even = MixtureLikelihood(table[:, few], weight), np.full(len(few), 1 / len(few))
        shares = np.zeros(len(shares))
        shares[few] = maximise(mixture, even, NATS / 2)
        inside = shares > 0
    return shares


def count_ones(groups: Groups) -> Seen:
    """Count the numbers of ones, by what was answered and by how much was shared in all."""
    found: Seen = {}
    for group in groups:
        times = np.ones(len(group)) if group.times is None else group.times
        for sharing, keys, rows in strata(group):
            distinct, back = np.unique(keys, return_inverse=True)
            counts = np.bincount(back, times[rows]).tolist()
            found[sharing] = dict(zip(distinct.tolist(), counts, strict=True))
    return found


def strata(group: Group) -> Iterator[tuple[Sharing, Counts, Counts]]:
    """Yield by number shared the numbers of ones as one integer, and the rows that have it."""
    ones, sizes = tuple(part.ones for part in group.sets), tuple(part.size for part in group.parts)
    keys = np.ravel_multi_index(ones, [size + 1 for size in sizes])
    for shared in np.unique(group.shared):
        rows = np.flatnonzero(group.shared == shared)
        yield (group.axes, sizes, int(shared)), keys[rows], rows


def _numbers(keys: Counts, sizes: Sequence[int]) -> Counts:
    return np.column_stack(np.unravel_index(keys, [size + 1 for size in sizes]))


def _pearson(expected: Vector, observed: Vector) -> OnesFit:
    """Compare classes; of the rare ones so many count as one that it is not."""
    order = np.argsort(expected)
    starts, room = [0], 0.0
    for i, own in enumerate(expected[order].tolist()):
        if room >= EXPECTED:
            starts.append(i)
            room = 0.0
        room += own
    if room < EXPECTED and len(starts) > 1:
        starts.pop()
    e, o = (np.add.reduceat(each[order], starts) for each in (expected, observed))
    return OnesFit(float(((o - e) ** 2 / np.maximum(e, 1e-9)).sum()), len(e) - 1)


def _classes(size: int, most: int) -> Counts:
    """Return the class of each number of ones, from the fewest: so many at most, evenly."""
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
