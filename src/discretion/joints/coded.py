"""What coded reports say about codes: likelihoods, by one matrix product, and unbiased scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Vector
from discretion.mechanism import CodedLaw, Coding
from discretion.plan import Family
from discretion.table import ReportTable
from discretion.table.coded import Bits, Indices, cohorts_of, held_of, told_of, words_of

BLOCK = 1 << 14  # reports whose likelihoods are in memory at once

Single = npt.NDArray[np.float32]


@dataclass(frozen=True)
class CodedPart:
    """One question that all owners of a group answered with bits of words."""

    name: str
    axes: tuple[int, ...]  # of the table of cells
    sizes: tuple[int, ...]
    bits: Bits  # (n, bits), or digits
    cohorts: Indices  # (n,)
    laws: tuple[CodedLaw, ...]  # one for each level that occurs
    which: Indices  # (n,)

    @property
    def size(self) -> int:
        return self.sizes[0]

    @property
    def coding(self) -> Coding:
        return self.laws[0].coding

    @property
    def eigenvalues(self) -> Vector:
        """Fisher's eigenvalue of each report (n,), in units of a record."""
        own = np.empty(len(self.which))
        for start in range(0, len(own), BLOCK):
            rows = slice(start, start + BLOCK)
            likely = self.likelihood(rows).astype(np.float64)
            likely /= likely.mean(axis=1, keepdims=True)
            own[rows] = ((likely**2).mean(axis=1) - 1) / (self.size - 1)
        return own

    def likelihood(self, rows: slice) -> Single:
        """Return the likelihood of each code (rows, size), each row in units of its own."""
        told = self.bits[rows] / np.float32(self.coding.top)
        held = held_of(self.coding, told, self.cohorts[rows])
        logs = np.log([float(law.lift) for law in self.laws])[self.which[rows], None]
        return np.exp(logs.astype(np.float32) * (held - np.float32(self.coding.hashes / 2)))

    def scores(self) -> tuple[Matrix, Vector]:
        """Return centred scores (n, size), of mean one at the code and zero elsewhere, and weights.

        A weight is one over the variance of a contrast of scores at the uniform law. Where single
        bits do not tell all codes of a cohort apart, its reports count nothing.
        """
        own, other = np.array([law.means for law in self.laws], np.float64).T
        noises = np.array([law.variances for law in self.laws], np.float64)
        scores, weights = np.zeros((len(self.bits), self.size)), np.zeros(len(self.bits))
        words = words_of(self.coding).astype(np.float64)
        for cohort, back in enumerate(self._unmixed):
            mine, mean = self.cohorts == cohort, words[cohort].mean(axis=0)
            which = self.which[mine]
            bits = self.bits[mine] / self.coding.top
            told = (bits - other[which, None]) / (own - other)[which, None]
            scores[mine] = (told - mean) @ back
            noise = noises @ np.array([mean, 1 - mean])
            spread = (noise @ (back**2).sum(axis=1)) / (own - other) ** 2
            if back.any():
                weights[mine] = (1 / (spread / (self.size - 1) + 1 / self.size))[which]
        return scores, weights

    @property
    def _unmixed(self) -> tuple[Matrix, ...]:
        return unmixed(self.coding)


@cache
def unmixed(coding: Coding) -> tuple[Matrix, ...]:
    """Return for each cohort the matrix from told bits to contrasts of codes; zero for none.

    (bits, size): centred words times it is the identity less its mean.
    """
    return tuple(_unmixed(words.astype(np.float64)) for words in words_of(coding))


def is_linear(coding: Coding) -> bool:
    """Whether single bits tell the codes apart, in some cohort."""
    return any(matrix.any() for matrix in unmixed(coding))


def coded_part(
    reports: ReportTable, axes: Sequence[str], question: str, rows: Indices
) -> CodedPart:
    """Return what reports say about the codes of an attribute, bit by bit."""
    plan, place = reports.plan, axes.index(question)
    levels, y = reports.columns(question)
    used, which = np.unique(levels[rows], return_inverse=True)
    laws = tuple(plan.questions[question].law(level, Family.WORDS) for level in used.tolist())
    coding, mine = laws[0].coding, np.ascontiguousarray(y[rows])
    bits, cohorts = told_of(coding, mine), cohorts_of(coding, mine)
    return CodedPart(question, (place,), (coding.size,), bits, cohorts, laws, which)


def _unmixed(words: Matrix) -> Matrix:
    centred = words - words.mean(axis=0)
    if np.linalg.matrix_rank(centred) < len(words) - 1:
        return np.zeros(words.T.shape)
    return np.linalg.pinv(centred)
