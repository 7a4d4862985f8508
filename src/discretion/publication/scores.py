"""How far reports lean away from independence, pair by pair: an estimate and its covariance.

With disclosed levels the score of an interaction phi psi at independence is, report by report, the
product of what it makes us expect of phi and of psi. Given the levels, the two factors are
independent, whatever was taken for the marginals. So each is centred among the reports of its own
level, and the mean of the score is zero exactly; it does not matter that the levels of one owner
hang together. Its covariance, given the levels, needs no products: if n reports have levels s and
t, and k and m have s and t in all, they add (n - n/k - n/m + n^2/(k m)) A x B, where A and B are
the covariances of the factors at s and at t. (A covariance of the products themselves would rest
on the few that are large, and these make the score large too: of rare values it rejects a true
null far too often.) Fourth moments of the products say how far the square of the score, of rare
values, strays from the law that it has in the limit.

A bundle tells both in one answer. From what it makes us expect of phi psi that part is taken off
which follows what it makes us expect of other terms, so that errors of the marginals cancel.

Secret levels are not given, and owners' levels do hang together: bits of independent attributes
are correlated through them. Centred bits u of an attribute have mean a (e_x - 1/l) with a = p - q,
so that of two independent attributes the mean of u v is E[a b] / (E[a] E[b]) times the product of
the means. E[a b] is told by the numbers of ones; that ratio is estimated, and its error counted.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.publication.contrasts import Contrasts
from discretion.publication.signals import Places, Signal, Signals

BLOCK = 1 << 22  # entries of products that are in memory at once
ROWS = 1 << 17  # reports whose products tell fourth moments: more do not tell them better

Bits = npt.NDArray[np.uint8]
Single = npt.NDArray[np.float32]
Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]
Factors = tuple[Single, Single]  # (reports, contrasts) of one attribute, and of the other


@dataclass(frozen=True, eq=False)
class Leaning:
    """The score c of the interactions, with covariance V, from so many reports that tell both.

    Near independence V^-1 c estimates theta with covariance V^-1.
    """

    score: Vector
    covariance: Matrix
    n: int
    sampled: bool = False  # whether V is that of what the reports add to c, as they were drawn
    factors: tuple[Factors, ...] = ()  # products of these are what reports add to c

    @classmethod
    def nothing(cls, size: int) -> Self:
        """Return what no report at all tells."""
        return cls(np.zeros(size), np.zeros((size, size)), 0)

    def __add__(self, other: "Leaning") -> "Leaning":
        """Add what other reports tell."""
        return Leaning(
            self.score + other.score,
            self.covariance + other.covariance,
            self.n + other.n,
            self.sampled or other.sampled,
            (*self.factors, *other.factors),
        )

    def excess(self, whitening: Matrix) -> float:
        """Return the variance of the squared score that a normal one would not have.

        The score z of K whitened interactions has E |z|^4 - K^2 = 2 K + sum E |z_i|^4 - (K^2 + 2 K)
        / n, if all n reports weigh alike.
        """
        size, fourth = whitening.shape[1], 0.0
        for left, right in self.factors:
            every = -(-len(left) // ROWS)
            one, other = left[::every], right[::every]
            step = max(1, BLOCK // len(whitening))
            for start in range(0, len(one), step):
                rows = slice(start, start + step)
                added = (one[rows, :, None] * other[rows, None]).reshape(-1, len(whitening))
                squares = ((added @ whitening.astype(np.float32)) ** 2).sum(axis=1)
                fourth += every * float((squares.astype(np.float64) ** 2).sum())
        return max(fourth - size * (size + 2) / self.n, 0.0)


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of all pairs."""

    signals: Signals

    @cached_property
    def contrasts(self) -> tuple[Contrasts, ...]:
        pairs = zip(self.signals.axes, self.signals.marginals, strict=True)
        return tuple(Contrasts.of(f, ordered=axis.ordered) for axis, f in pairs)

    def pair(self, a: int, b: int) -> Leaning:
        """Return the score of the interactions of two attributes."""
        if self.signals.plan.secret:
            return self._secret(a, b)
        found = Leaning.nothing(self.contrasts[a].size * self.contrasts[b].size)
        for signal in self.signals.about(a, b):
            found = found + self._bundled(signal, a, b)
        for left, right in product(self.signals.about(a), self.signals.about(b)):
            if b not in left.axes and a not in right.axes and (left.told & right.told).any():
                found = found + self._apart(left, right, a, b)
        return found

    def information(self, a: int, b: int) -> Matrix:
        """Return what a report tells of each interaction, in units of an open record's."""
        total = np.zeros((self.contrasts[a].size, self.contrasts[b].size))
        for signal in self.signals.about(a, b):
            products = self._terms(signal, (a, b))
            total += (products**2).sum(axis=0, dtype=np.float64).reshape(total.shape)
        for left, right in product(self.signals.about(a), self.signals.about(b)):
            if b not in left.axes and a not in right.axes:
                one, other = self._terms(left, (a,)), self._terms(right, (b,))
                total += ((one**2).T @ other**2).astype(np.float64)
        return total / self.signals.n

    def own(self, a: int) -> Vector:
        """Return what a report tells of each contrast of one attribute."""
        found = [
            (self._terms(s, (a,)) ** 2).sum(axis=0, dtype=np.float64) for s in self.signals.about(a)
        ]
        return np.asarray(sum(found) / self.signals.n)

    def _apart(self, left: Signal, right: Signal, a: int, b: int) -> Leaning:
        """Return what reports tell that answer one question about a and another one about b."""
        rows = np.flatnonzero(left.told & right.told)
        s, t = left.strata[rows], right.strata[rows]
        one = _centred(self._terms(left, (a,))[rows], s)
        other = _centred(self._terms(right, (b,))[rows], t)
        covariances, others = self._covariances(left, a), self._covariances(right, b)
        shape = len(covariances), len(others)
        n = np.bincount(s * shape[1] + t, minlength=shape[0] * shape[1]).reshape(shape)
        k, m = (np.maximum(n.sum(axis=i, keepdims=True), 1) for i in (1, 0))
        weights = n - n / k - n / m + n**2 / (k * m)
        covariance = np.einsum("st,sij,tkl->ikjl", weights, covariances, others, optimize=True)
        score = (one.T @ other).astype(np.float64).ravel()
        return Leaning(
            score, covariance.reshape(len(score), -1), len(rows), factors=((one, other),)
        )

    def _bundled(self, signal: Signal, a: int, b: int) -> Leaning:
        """Return what a bundle of both tells, less what follows its other terms."""
        wanted = self._terms(signal, (a, b))[signal.told].astype(np.float64)
        pairs = [pair for pair in combinations(signal.axes, 2) if set(pair) != {a, b}]
        others = [self._terms(signal, axes) for axes in (*zip(signal.axes), *pairs)]
        rest = np.column_stack(others)[signal.told].astype(np.float64)
        known = np.linalg.pinv(rest.T @ rest, rcond=1e-6, hermitian=True)
        added: Matrix = wanted - rest @ (known @ (rest.T @ wanted))
        score: Vector = added.sum(axis=0)
        added -= score / len(added)
        return Leaning(score, added.T @ added, len(added), sampled=True)

    def _secret(self, a: int, b: int) -> Leaning:
        (left,), (right,) = self.signals.about(a), self.signals.about(b)
        told = left.told & right.told
        assert left.bits is not None
        assert right.bits is not None
        u, one = _centred_bits(left.bits[told])
        v, other = _centred_bits(right.bits[told])
        if min(one.sum(), other.sum(), (one * other).sum()) <= 0:  # too few to tell the noise
            return Leaning.nothing(self.contrasts[a].size * self.contrasts[b].size)
        theta, errors = _corrected(u @ self._dual(a), v @ self._dual(b), one, other)
        spread: Matrix = errors.T @ errors / len(errors) ** 2
        precision = np.linalg.pinv(spread, hermitian=True).astype(np.float64)
        return Leaning(precision @ theta, precision, len(errors), sampled=True)

    def _dual(self, axis: int) -> Matrix:
        """Return the functions on bits, constants aside, whose mean is that of the contrasts."""
        functions = self.contrasts[axis].functions
        return functions - functions.mean(axis=0)

    def _terms(self, signal: Signal, axes: tuple[int, ...]) -> Single:
        """Return what a report makes us expect of contrasts, or of products of two attributes'."""
        if (signal, axes) not in self._known:
            where = np.indices(signal.sizes).reshape(len(signal.sizes), -1)
            features = np.ones((where.shape[1], 1))
            for axis in axes:
                own = self.contrasts[axis].functions[where[signal.axes.index(axis)]]
                features = (features[:, :, None] * own[:, None]).reshape(len(own), -1)
            self._known[signal, axes] = self._posterior(signal, features)
        return self._known[signal, axes]

    def _covariances(self, signal: Signal, axis: int) -> Matrix:
        """Return the covariance of these expectations among the reports of each level."""
        if (signal, axis) not in self._spread:
            means, strata = self._terms(signal, (axis,))[signal.told], signal.strata[signal.told]
            ends = np.cumsum(np.bincount(strata))[:-1]
            parts = np.split(means[np.argsort(strata, kind="stable")].astype(np.float64), ends)
            self._spread[signal, axis] = np.array([_covariance(part) for part in parts])
        return self._spread[signal, axis]

    @cached_property
    def _known(self) -> dict[tuple[Signal, tuple[int, ...]], Single]:
        return {}

    @cached_property
    def _spread(self) -> dict[tuple[Signal, int], Matrix]:
        return {}

    def _posterior(self, signal: Signal, features: Matrix) -> Single:
        """Return the means of features given each report, if independent; of silent ones, zero."""
        f = np.ones(1)
        for axis in signal.axes:
            f = np.multiply.outer(f, self.signals.marginals[axis]).ravel()
        weighted, density = (features * f[:, None]).astype(np.float32), f.astype(np.float32)
        means = (signal.likelihood.T @ weighted) / (density @ signal.likelihood)[:, None]
        means[~signal.told] = 0
        return means


def _centred(rows: Single, strata: Places) -> Single:
    """Return rows less the mean of their stratum."""
    sizes = np.maximum(np.bincount(strata), 1)
    means = np.column_stack([np.bincount(strata, own) / sizes for own in rows.T])
    return rows - means.astype(np.float32)[strata]


def _covariance(rows: Matrix) -> Matrix:
    """Return the covariance of rows; of a single one, none."""
    apart = rows - rows.mean(axis=0)
    return apart.T @ apart / max(len(rows) - 1, 1)


def _centred_bits(bits: Bits) -> tuple[Matrix, Vector]:
    """Return centred bits, and for each report what estimates its a."""
    size, ones = bits.shape[1], bits.sum(axis=1)
    return bits - (ones / size)[:, None], (size / 2 - ones) / (size - 1)


def _corrected(u: Matrix, v: Matrix, a: Vector, b: Vector) -> tuple[Vector, Matrix]:
    """Return the interactions, and what each report contributes to their error.

    The mean of u v less rho times the product of the means, rho = mean(a b) / (mean a  mean b), in
    units of mean(a b); errors by the delta method.
    """
    both, one, other = float((a * b).mean()), float(a.mean()), float(b.mean())
    rho = both / (one * other)
    mean, middle = u.mean(axis=0), v.mean(axis=0)
    products = _flat(u, v)
    apart = np.outer(mean, middle).ravel()
    errors = products - rho * (_flat(u, middle[None]) + _flat(mean[None], v))
    errors -= np.outer(a * b / (one * other) - rho * a / one - rho * b / other, apart)
    theta = (products.mean(axis=0) - rho * apart) / both
    return theta, (errors - errors.mean(axis=0)) / both


def _flat(u: Matrix, v: Matrix) -> Matrix:
    n = max(len(u), len(v))
    return (u[:, :, None] * v[:, None]).reshape(n, -1)
