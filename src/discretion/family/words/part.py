"""Words of bits as a part of a joint likelihood: by one matrix product, and unbiased scores."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Self

import numpy as np

from discretion.estimate.noise import Matrix, Vector
from discretion.family.part import MOST_KEYS, Keys, Part, Single
from discretion.mechanism import CodedLaw, Encoding
from discretion.table.coded import Bits, Indices, held_of, words_of

BLOCK = 1 << 14  # reports whose likelihoods are in memory at once


@dataclass(frozen=True)
class WordPart(Part):
    """Answers that are bits of words, and their own factor of the likelihood."""

    bits: Bits  # (n, bits), or digits
    cohorts: Indices  # (n,)
    laws: tuple[CodedLaw, ...]  # one for each level that occurs
    which: Indices  # (n,)

    @property
    def size(self) -> int:
        return self.sizes[0]

    @property
    def factor(self) -> Self:
        return self

    @property
    def encoding(self) -> Encoding:
        return self.laws[0].encoding

    @property
    def eigenvalues(self) -> Vector:
        own = np.empty(len(self.which))
        for start in range(0, len(own), BLOCK):
            rows = slice(start, start + BLOCK)
            likely = self.likelihood(rows).astype(np.float64)
            likely /= likely.mean(axis=1, keepdims=True)
            own[rows] = ((likely**2).mean(axis=1) - 1) / (self.size - 1)
        return own

    def likelihood(self, rows: slice) -> Single:
        told = self.bits[rows] / np.float32(self.encoding.top)
        held = held_of(self.encoding, told, self.cohorts[rows])
        logs = np.log([float(law.lift) for law in self.laws])[self.which[rows], None]
        return np.exp(logs.astype(np.float32) * (held - np.float32(self.encoding.hashes / 2)))

    def scores(self, *, secret: bool) -> tuple[Matrix, Vector]:
        """Return weighted scores (n, size), whose mean is the weight at the code, and weights.

        A weight is one over the variance of a contrast of scores at the uniform law. Where single
        bits do not tell all codes of a cohort apart, its reports count nothing.
        """
        own, other = np.array([law.means for law in self.laws], np.float64).T
        noises = np.array([law.variances for law in self.laws], np.float64)
        scores, weights = np.zeros((len(self.bits), self.size)), np.zeros(len(self.bits))
        words = words_of(self.encoding).astype(np.float64)
        for cohort, back in enumerate(unmixed(self.encoding)):
            mine, mean = self.cohorts == cohort, words[cohort].mean(axis=0)
            which = self.which[mine]
            bits = self.bits[mine] / self.encoding.top
            told = (bits - other[which, None]) / (own - other)[which, None]
            scores[mine] = (told - mean) @ back
            noise = noises @ np.array([mean, 1 - mean])
            spread = (noise @ (back**2).sum(axis=1)) / (own - other) ** 2
            if back.any():
                weights[mine] = (1 / (spread / (self.size - 1) + 1 / self.size))[which]
        return scores * weights[:, None], weights

    def keys(self, *, secret: bool) -> tuple[Keys, int]:
        return np.zeros(0, np.uint64), MOST_KEYS

    def at(self, rows: Indices) -> Self:
        own = self.bits[rows], self.cohorts[rows]
        return replace(self, bits=own[0], cohorts=own[1], which=self.which[rows])


@cache
def unmixed(encoding: Encoding) -> tuple[Matrix, ...]:
    """Return for each cohort the matrix from told bits to contrasts of codes; zero for none.

    (bits, size): centred words times it is the identity less its mean.
    """
    return tuple(_unmixed(words.astype(np.float64)) for words in words_of(encoding))


def is_linear(encoding: Encoding) -> bool:
    """Whether single bits tell the codes apart, in some cohort."""
    return any(matrix.any() for matrix in unmixed(encoding))


def _unmixed(words: Matrix) -> Matrix:
    centred = words - words.mean(axis=0)
    if np.linalg.matrix_rank(centred) < len(words) - 1:
        return np.zeros(words.T.shape)
    return np.linalg.pinv(centred)
