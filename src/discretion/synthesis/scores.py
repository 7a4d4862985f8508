"""The score statistics of all pairs of attributes at independence, with their covariances.

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

A bundle reports both in one answer. From what it makes us expect of phi psi that part is taken off
which follows what it makes us expect of other terms, so that errors of the marginals cancel. Of a
bundle of two attributes the covariance is what independence implies (``null_reports``); of larger
ones, whose other attributes may depend on these, it is that of the reports.

Secret levels are not given, and owners' levels do hang together: see ``secrecy``.
"""

from dataclasses import dataclass
from functools import cached_property, partial, reduce
from itertools import product
from operator import add

import numpy as np
from scipy.sparse import csr_array

from discretion.estimate.noise import Matrix, Vector
from discretion.plan import Family
from discretion.synthesis.expectation import Expectations
from discretion.synthesis.null_reports import MOST_COLUMNS, NullReports
from discretion.synthesis.score_statistic import Sample, ScoreStatistic
from discretion.synthesis.secrecy import secret_score
from discretion.synthesis.soft_evidence import SoftEvidence
from discretion.synthesis.sums import Products, Sums, products_of, sums_of
from discretion.synthesis.terms import Contrasts

ROWS = 1 << 17  # reports whose products estimate fourth moments; more would not improve them


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of all pairs."""

    evidence: SoftEvidence

    @cached_property
    def contrasts(self) -> tuple[Contrasts, ...]:
        pairs = zip(self.evidence.axes, self.evidence.marginals, strict=True)
        return tuple(Contrasts.of(f, ordered=axis.ordered) for axis, f in pairs)

    @cached_property
    def answered(self) -> list[int]:
        """How many reports answer about each attribute."""
        return [int(n) for n in self._sums.answered]

    def pair(self, a: int, b: int) -> ScoreStatistic:
        """Return the score of the interactions of two attributes."""
        if self.evidence.plan.secret:
            return secret_score(self.evidence, (a, b), (self.contrasts[a], self.contrasts[b]))
        found = ScoreStatistic.nothing(self.contrasts[a].size * self.contrasts[b].size)
        for index in self.evidence.about(a, b):
            found = found + self._bundled(index, a, b)
        for left, right in self._apart(a, b):
            if self._both(left, right).nnz:
                found = found + self._separate(left, right, a, b)
        return found

    def information(self, a: int, b: int) -> Matrix:
        """Return the information of a report on each interaction, in units of an open record's."""
        total = np.zeros((self.contrasts[a].size, self.contrasts[b].size))
        for index in self.evidence.about(a, b):
            pair, turned = self._pair(index, a, b)
            squares = np.diag(self._sums.bundles[index])[1:][pair]
            total += squares.reshape(total.T.shape).T if turned else squares.reshape(total.shape)
        columns = self._expectations.columns
        for left, right in self._apart(a, b):
            total += self._sums.squares[columns[left, a], columns[right, b]]
        return total / self.evidence.n

    def own(self, a: int) -> Vector:
        """Return the information of a report on each contrast of one attribute."""
        total = np.zeros(self.contrasts[a].size)
        for index in self.evidence.about(a):
            squares = self._sums.levels[index].products.sum(axis=0)
            total += np.diag(squares)[self._within(index, a)]
        return total / self.evidence.n

    def _apart(self, a: int, b: int) -> list[tuple[int, int]]:
        """Return the questions about a, and others about b, that are not about both."""
        both = self.evidence.about(a, b)
        every = product(self.evidence.about(a), self.evidence.about(b))
        return [pair for pair in every if not set(pair) & set(both)]

    def _separate(self, left: int, right: int, a: int, b: int) -> ScoreStatistic:
        """Return the score of reports that answer one question about a and another about b."""
        n = self._both(left, right).toarray()
        k, m = self._sums.levels[left].counts[:, None], self._sums.levels[right].counts
        weights = n - n / k - n / m + n**2 / (k * m)
        covariances = [
            self._covariances[index][:, own, own]
            for index, own in ((left, self._within(left, a)), (right, self._within(right, b)))
        ]
        covariance = np.einsum("st,sij,tkl->ikjl", weights, *covariances, optimize=True)
        columns = self._expectations.columns
        one, other = columns[left, a], columns[right, b]
        score = self._products.total[one, other].ravel()
        sample = self._products.sample
        times = np.full(len(sample), float(self._every))
        return ScoreStatistic(
            score,
            covariance.reshape(len(score), -1),
            int(n.sum()),
            samples=(Sample(sample[:, one], sample[:, other], times),),
        )

    def _bundled(self, index: int, a: int, b: int) -> ScoreStatistic:
        """Return the score of a bundle of both, without its projection on the other terms."""
        whole = self._sums.bundles[index]
        n, sums, products = round(whole[0, 0]), whole[0, 1:], whole[1:, 1:]
        null = self._null(index) if len(sums) <= MOST_COLUMNS else None
        if null is not None:
            products = null.products
        pair, turned = self._pair(index, a, b)
        wanted = np.arange(len(sums))[pair]
        if turned:
            wanted = wanted.reshape(self.contrasts[b].size, -1).T.ravel()
        rest = np.delete(np.arange(len(sums)), wanted)
        inner, across = products[np.ix_(rest, rest)], products[np.ix_(rest, wanted)]
        follows = np.linalg.pinv(inner, rcond=1e-6, hermitian=True) @ across
        score = sums[wanted] - sums[rest] @ follows
        crossed = across.T @ follows
        covariance = products[np.ix_(wanted, wanted)] - crossed - crossed.T
        covariance += follows.T @ inner @ follows
        if null is None:
            return ScoreStatistic(score, covariance - np.outer(score, score) / n, n, sampled=True)
        added = (null.rows[:, wanted] - null.rows[:, rest] @ follows).astype(np.float32)
        sample = Sample(np.ones((len(added), 1), np.float32), added, null.times)
        return ScoreStatistic(score, covariance, n, samples=(sample,))

    def _null(self, index: int) -> NullReports | None:
        """Return what independence makes likely of a bundle's reports, if they are of two alone."""
        question = self.evidence.questions[index]
        asked = self.evidence.plan.questions[question.name]
        if len(asked.parts) > 2:
            return None
        posteriors = self._expectations.posteriors(index)
        counts = self._sums.levels[index].counts.tolist()
        levels = zip(question.strata.tolist(), counts, strict=True)
        laws = ((asked.law(level, Family.SETS), n) for level, n in levels)
        each = [NullReports.of(law, posteriors, n) for law, n in laws]
        return reduce(add, each)

    def _pair(self, index: int, a: int, b: int) -> tuple[slice, bool]:
        """Return where a bundle's products of two attributes stand, and whether b comes first."""
        pairs = self._expectations.pairs(index)
        return (pairs[a, b], False) if (a, b) in pairs else (pairs[b, a], True)

    def _within(self, index: int, axis: int) -> slice:
        """Return where an axis stands among the columns of a question."""
        own, start = self._expectations.columns[index, axis], self._expectations.block(index).start
        return slice(own.start - start, own.stop - start)

    def _both(self, left: int, right: int) -> csr_array:
        both = self._sums.both
        return both[left, right] if left < right else both[right, left].T.tocsr()

    @cached_property
    def _covariances(self) -> list[Matrix]:
        return [levels.covariances for levels in self._sums.levels]

    @property
    def _every(self) -> int:
        return -(-self.evidence.n // ROWS)

    @cached_property
    def _expectations(self) -> Expectations:
        return Expectations(self.evidence.questions, self.contrasts)

    @cached_property
    def _sums(self) -> Sums:
        axes = len(self.evidence.axes)
        return self.evidence.fold(partial(sums_of, self._expectations, axes))

    @cached_property
    def _products(self) -> Products:
        means = tuple(levels.means.astype(np.float32) for levels in self._sums.levels)
        work = partial(products_of, self._expectations, means, self._every)
        return self.evidence.fold(work)
