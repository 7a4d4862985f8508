"""Unbiased linear estimates from the bit counts of coded reports, over levels and cohorts.

In the reports of one level and cohort, bits are set with the mean other + (own - other) W' f: W has
a row for each code, its codeword. So f comes by weighted least squares, with weights from the laws
and the numbers of reports alone, the variances being those at the uniform law. It needs codewords
that are linearly independent. A quantised bit is a fraction of a one. Derivation:
docs/proofs/frequencies.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.linear import Pooled
from discretion.estimate.noise import Matrix, Vector
from discretion.family.counts import BitCounts
from discretion.mechanism import CodedLaw, Encoding
from discretion.table.coded import codeword_bits

DEPENDENT = 1e-9  # of the largest information: what is below is rounding

CodewordLevels = Sequence[tuple[CodedLaw, BitCounts]]


@dataclass(frozen=True)
class Spectrum:
    """The codewords W of one cohort, and the directions in which their bits distinguish codes."""

    mean: Vector  # (bits,): over the codes
    codewords: Matrix  # (size, bits), less that
    values: Vector  # (size,): eigenvalues of W W', rising
    vectors: Matrix  # (size, size)

    def noise(self, law: CodedLaw, f: Vector | None = None) -> Vector:
        """Return the variance of each bit of a report, debiased, given codes; f: uniform."""
        (own, other), (noise, rest) = map(float, law.means), map(float, law.variances)
        share = self.mean if f is None else np.clip(f @ self.codewords + self.mean, 0.0, 1.0)
        return (share * noise + (1 - share) * rest) / (own - other) ** 2

    def weights(self, law: CodedLaw) -> Vector:
        """Return what a report counts in each direction, by its noise and that of sampling.

        Its bits have about the same noise 1/k. With v the eigenvalue, the information is
        k v / (1 + k v / size): that is v times the weight.
        """
        k = 1 / float(self.noise(law).mean())
        return k / (1 + k * self.values / len(self.codewords))


@lru_cache(maxsize=4)
def spectra(encoding: Encoding) -> list[Spectrum]:
    """Return the spectrum of each cohort."""
    found = []
    for codewords in codeword_bits(encoding).astype(np.float64):
        mean = codewords.mean(axis=0)
        centred = codewords - mean
        found.append(Spectrum(mean, centred, *np.linalg.eigh(centred @ centred.T)))
    return found


@dataclass(frozen=True)
class PooledBits(Pooled):
    """An estimate from bit counts of several levels and cohorts."""

    levels: CodewordLevels

    @cached_property
    def value(self) -> Vector:
        return self._inverse @ self.score + 1 / len(self.score)

    @cached_property
    def score(self) -> Vector:
        """What all reports say together, in units of the information."""
        score = np.zeros(self.levels[0][0].size)
        for cohort, own in enumerate(self._spectra):
            along = np.zeros(len(score))
            for law, tally in self.levels:
                own_mean, other = map(float, law.means)
                n, top = tally.reports[cohort], law.encoding.top
                debiased = (tally.counts[cohort] / top - n * other) / (
                    own_mean - other
                ) - n * own.mean
                along += own.weights(law) * (own.vectors.T @ (own.codewords @ debiased))
            score += own.vectors @ along
        return score

    @cached_property
    def information(self) -> Matrix:
        """The information of all reports about contrasts, by the weights."""
        size = self.levels[0][0].size
        total = np.zeros((size, size))
        for cohort, own in enumerate(self._spectra):
            weights = sum(tally.reports[cohort] * own.weights(law) for law, tally in self.levels)
            total += (own.vectors * (weights * own.values)) @ own.vectors.T
        return total

    @property
    def shares(self) -> Vector:
        """By the trace of the information of each level."""
        each = [[float(s.weights(law) @ s.values) for s in self._spectra] for law, _ in self.levels]
        rows = zip(each, self.levels, strict=True)
        traces = np.array([tally.reports @ np.array(own) for own, (_, tally) in rows])
        return traces / traces.sum()

    def covariance(self, f: Vector) -> Matrix:
        answers, total = np.diag(f) - np.outer(f, f), np.zeros((len(f), len(f)))
        for cohort, own in enumerate(self._spectra):
            ahead, back = own.vectors.T @ own.codewords, self._inverse @ own.vectors
            for law, tally in self.levels:
                weighed = back * own.weights(law)
                gains, codes = weighed @ ahead, (weighed * own.values) @ own.vectors.T
                each = (gains * own.noise(law, f)) @ gains.T + codes @ answers @ codes.T
                total += tally.reports[cohort] * each
        return total

    @property
    def identifiable(self) -> bool:
        values, _ = self._information
        return bool(values[1] > DEPENDENT * values[-1])  # the first direction is that of constants

    @property
    def _spectra(self) -> list[Spectrum]:
        return spectra(self.levels[0][0].encoding)

    @cached_property
    def _inverse(self) -> Matrix:
        if not self.identifiable:
            raise EstimateError(
                "single bits do not distinguish all values, as codewords are linearly dependent: "
                "use method='mle' on the reports (or a plan with more bits)"
            )
        values, vectors = self._information
        return (vectors[:, 1:] / values[1:]) @ vectors[:, 1:].T

    @cached_property
    def _information(self) -> tuple[Vector, Matrix]:
        """The eigenvalues of the information, rising, and their directions."""
        values, vectors = np.linalg.eigh(self.information)
        return values, vectors
