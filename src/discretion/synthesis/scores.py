"""How far reports lean away from independence, pair by pair: an estimate and its covariance.

With disclosed levels the score of an interaction phi psi at independence is, report by report, the
product of what it makes us expect of phi and of psi. Given the levels, the two factors are
independent, whatever was taken for the marginals. So each is centred among the reports of its own
level, and the mean of the score is zero exactly; it does not matter that the levels of one owner
hang together. Its covariance, given the levels, needs no products: if n reports have levels s and
t, and k answer the one question at s and m the other at t, they add (n - n/k - n/m + n^2/(k m))
A x B, where A and B are the covariances of the factors at s and at t. (A covariance of the products
themselves would rest on the few that are large, and these make the score large too: of rare values
it rejects a true null far too often.) Fourth moments of the products say how far the square of the
score, of rare values, strays from the law that it has in the limit.

A bundle tells both in one answer. From what it makes us expect of phi psi that part is taken off
which follows what it makes us expect of other terms, so that errors of the marginals cancel.

Secret levels are not given, and owners' levels do hang together: see ``secrecy``.
"""

from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from discretion.synthesis.contrasts import Contrasts
from discretion.synthesis.expectation import Expectations
from discretion.synthesis.hearing import Hearing
from discretion.synthesis.leaning import Leaning
from discretion.synthesis.secrecy import secret_leaning
from discretion.synthesis.sums import Products, Sums, products_of, sums_of

ROWS = 1 << 17  # reports whose products tell fourth moments: more do not tell them better

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of all pairs."""

    hearing: Hearing

    @cached_property
    def contrasts(self) -> tuple[Contrasts, ...]:
        pairs = zip(self.hearing.axes, self.hearing.marginals, strict=True)
        return tuple(Contrasts.of(f, ordered=axis.ordered) for axis, f in pairs)

    @cached_property
    def heard(self) -> list[int]:
        """How many reports tell about each attribute."""
        return [int(n) for n in self._sums.heard]

    def pair(self, a: int, b: int) -> Leaning:
        """Return the score of the interactions of two attributes."""
        if self.hearing.plan.secret:
            return secret_leaning(self.hearing, (a, b), (self.contrasts[a], self.contrasts[b]))
        found = Leaning.nothing(self.contrasts[a].size * self.contrasts[b].size)
        for place in self.hearing.about(a, b):
            found = found + self._bundled(place, a, b)
        for left, right in self._apart(a, b):
            if self._both(left, right).nnz:
                found = found + self._leaning(left, right, a, b)
        return found

    def information(self, a: int, b: int) -> Matrix:
        """Return what a report tells of each interaction, in units of an open record's."""
        total = np.zeros((self.contrasts[a].size, self.contrasts[b].size))
        for place in self.hearing.about(a, b):
            pair, turned = self._pair(place, a, b)
            squares = np.diag(self._sums.bundles[place])[1:][pair]
            total += squares.reshape(total.T.shape).T if turned else squares.reshape(total.shape)
        columns = self._expectations.columns
        for left, right in self._apart(a, b):
            total += self._sums.squares[columns[left, a], columns[right, b]]
        return total / self.hearing.n

    def own(self, a: int) -> Vector:
        """Return what a report tells of each contrast of one attribute."""
        total = np.zeros(self.contrasts[a].size)
        for place in self.hearing.about(a):
            squares = self._sums.levels[place].products.sum(axis=0)
            total += np.diag(squares)[self._within(place, a)]
        return total / self.hearing.n

    def _apart(self, a: int, b: int) -> list[tuple[int, int]]:
        """Return the questions about a, and others about b, that are not about both."""
        both = self.hearing.about(a, b)
        every = product(self.hearing.about(a), self.hearing.about(b))
        return [pair for pair in every if not set(pair) & set(both)]

    def _leaning(self, left: int, right: int, a: int, b: int) -> Leaning:
        """Return what reports tell that answer one question about a and another one about b."""
        n = self._both(left, right).toarray()
        k, m = self._sums.levels[left].counts[:, None], self._sums.levels[right].counts
        weights = n - n / k - n / m + n**2 / (k * m)
        covariances = [
            self._covariances[place][:, own, own]
            for place, own in ((left, self._within(left, a)), (right, self._within(right, b)))
        ]
        covariance = np.einsum("st,sij,tkl->ikjl", weights, *covariances, optimize=True)
        columns = self._expectations.columns
        one, other = columns[left, a], columns[right, b]
        score = self._products.total[one, other].ravel()
        sample = self._products.sample
        return Leaning(
            score,
            covariance.reshape(len(score), -1),
            int(n.sum()),
            factors=((sample[:, one], sample[:, other]),),
            every=self._every,
        )

    def _bundled(self, place: int, a: int, b: int) -> Leaning:
        """Return what a bundle of both tells, less what follows its other terms."""
        whole = self._sums.bundles[place]
        n, sums, products = round(whole[0, 0]), whole[0, 1:], whole[1:, 1:]
        pair, turned = self._pair(place, a, b)
        wanted = np.arange(len(sums))[pair]
        if turned:
            wanted = wanted.reshape(self.contrasts[b].size, -1).T.ravel()
        rest = np.delete(np.arange(len(sums)), wanted)
        inner, across = products[np.ix_(rest, rest)], products[np.ix_(rest, wanted)]
        follows = np.linalg.pinv(inner, rcond=1e-6, hermitian=True) @ across
        score = sums[wanted] - sums[rest] @ follows
        crossed = across.T @ follows
        covariance = products[np.ix_(wanted, wanted)] - crossed - crossed.T
        covariance += follows.T @ inner @ follows - np.outer(score, score) / n
        return Leaning(score, covariance, n, sampled=True)

    def _pair(self, place: int, a: int, b: int) -> tuple[slice, bool]:
        """Return where a bundle's products of two attributes stand, and whether b comes first."""
        pairs = self._expectations.pairs(place)
        return (pairs[a, b], False) if (a, b) in pairs else (pairs[b, a], True)

    def _within(self, place: int, axis: int) -> slice:
        """Return where an axis stands among the columns of a question."""
        own, start = self._expectations.columns[place, axis], self._expectations.block(place).start
        return slice(own.start - start, own.stop - start)

    def _both(self, left: int, right: int) -> csr_array:
        both = self._sums.both
        return both[left, right] if left < right else both[right, left].T.tocsr()

    @cached_property
    def _covariances(self) -> list[Matrix]:
        return [levels.covariances for levels in self._sums.levels]

    @property
    def _every(self) -> int:
        return -(-self.hearing.n // ROWS)

    @cached_property
    def _expectations(self) -> Expectations:
        return Expectations(self.hearing.questions, self.contrasts)

    @cached_property
    def _sums(self) -> Sums:
        axes = len(self.hearing.axes)
        return self.hearing.fold(partial(sums_of, self._expectations, axes))

    @cached_property
    def _products(self) -> Products:
        means = tuple(levels.means.astype(np.float32) for levels in self._sums.levels)
        work = partial(products_of, self._expectations, means, self._every)
        return self.hearing.fold(work)
