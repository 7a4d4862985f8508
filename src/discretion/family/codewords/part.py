"""Codewords as a part of a joint likelihood: by one matrix product, and unbiased scores."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Self

import numpy as np

from discretion.estimate.noise import Matrix, Vector
from discretion.family.outputs import OutputFactor
from discretion.family.part import MOST_KEYS, Keys, Part, Single
from discretion.mechanism import CodedLaw, Encoding
from discretion.table.coded import Bits, Indices, codeword_bits, held_of

BLOCK = 1 << 14  # reports whose likelihoods are in memory at once


@dataclass(frozen=True)
class CodewordPart(Part):
    """Answers that are bits of codewords, and their own factor of the likelihood."""

    bits: Bits  # (n, bits), or quantised bits
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

    @property
    def packed(self) -> OutputFactor:
        return OutputFactor(self.likelihood(slice(None)), np.arange(len(self.which)))

    def likelihood(self, rows: slice) -> Single:
        scaled = self.bits[rows] / np.float32(self.encoding.top)
        held = held_of(self.encoding, scaled, self.cohorts[rows])
        logs = np.log([float(law.lift) for law in self.laws])[self.which[rows], None]
        return np.exp(logs.astype(np.float32) * (held - np.float32(self.encoding.hashes / 2)))

    def scores(self, *, secret: bool) -> tuple[Matrix, Vector]:
        """Return weighted scores (n, size), whose mean is the weight at the code, and weights.

        A weight is one over the variance of a contrast of scores at the uniform law. Where single
        bits do not distinguish all codes of a cohort, its reports count nothing.
        """
        own, other = np.array([law.means for law in self.laws], np.float64).T
        noises = np.array([law.variances for law in self.laws], np.float64)
        scores, weights = np.zeros((len(self.bits), self.size)), np.zeros(len(self.bits))
        codewords = codeword_bits(self.encoding).astype(np.float64)
        for cohort, back in enumerate(unmixed(self.encoding)):
            mine, mean = self.cohorts == cohort, codewords[cohort].mean(axis=0)
            which = self.which[mine]
            bits = self.bits[mine] / self.encoding.top
            debiased = (bits - other[which, None]) / (own - other)[which, None]
            scores[mine] = (debiased - mean) @ back
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
    """Return for each cohort the matrix from debiased bits to contrasts of codes; zero for none.

    (bits, size): centred codewords times it is the identity less its mean.
    """
    return tuple(_unmixed(codewords.astype(np.float64)) for codewords in codeword_bits(encoding))


def is_linear(encoding: Encoding) -> bool:
    """Whether single bits distinguish the codes, in some cohort."""
    return any(matrix.any() for matrix in unmixed(encoding))


def _unmixed(codewords: Matrix) -> Matrix:
    centred = codewords - codewords.mean(axis=0)
    if np.linalg.matrix_rank(centred) < len(codewords) - 1:
        return np.zeros(codewords.T.shape)
    return np.linalg.pinv(centred)
