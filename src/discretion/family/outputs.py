"""Outputs as a part of a joint likelihood: a report has one of a few rows of likelihoods."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.engine.arrays import narrow
from discretion.estimate.noise import Matrix, Vector
from discretion.family.part import Floats, Indices, Keys, Part, Single


@dataclass(frozen=True)
class OutputFactor:
    """A row of likelihoods, of mean one, for each output of each law."""

    rows: Single  # (outputs of all laws, size)
    which: npt.NDArray[np.integer]  # (n,)

    @property
    def eigenvalues(self) -> Floats:
        size = self.rows.shape[1]
        own = ((self.rows.astype(np.float64) ** 2).mean(axis=1) - 1) / (size - 1)
        return own[self.which]

    @property
    def packed(self) -> Self:
        return replace(self, which=narrow(self.which, len(self.rows)))

    def likelihood(self, rows: slice) -> Single:
        return self.rows[self.which[rows]]


@dataclass(frozen=True)
class OutputPart(Part):
    """Answers that are outputs, of numbers or of matrices."""

    rows: Matrix  # (outputs of all laws, size): likelihoods, of mean one
    centred: Matrix  # (outputs of all laws, size): scores less their mean over the codes
    precision: Vector  # (outputs of all laws,): one over the variance of a contrast of scores
    which: Indices  # (n,)

    @classmethod
    def of(
        cls,
        name: str,
        axes: tuple[int, ...],
        tables: Sequence[Matrix],
        which: Indices,
        sizes: tuple[int, ...] = (),
    ) -> Self:
        """Return a part from P(y | code) of each law (outputs, size); ``sizes`` of several axes."""
        both = [unbiased(table) for table in tables]
        scores, precision = (np.concatenate(each) for each in zip(*both, strict=True))
        table = np.concatenate(list(tables))
        rows = relative(table)
        centred = scores - scores.mean(axis=1, keepdims=True)
        return cls(name, axes, sizes or (rows.shape[1],), rows, centred, precision, which)

    @property
    def size(self) -> int:
        return self.rows.shape[1]

    @property
    def factor(self) -> OutputFactor:
        return OutputFactor(self.rows.astype(np.float32), self.which)

    def scores(self, *, secret: bool) -> tuple[Matrix, Vector]:
        weighted = self.precision[:, None] * self.centred
        return weighted[self.which], self.precision[self.which]

    def keys(self, *, secret: bool) -> tuple[Keys, int]:
        return self.which.astype(np.uint64), len(self.rows)

    def at(self, rows: Indices) -> Self:
        return replace(self, which=self.which[rows])


def relative(table: Matrix) -> Matrix:
    """Return likelihoods of mean one for each output; ones for what no code gives."""
    mean = np.broadcast_to(table.mean(axis=1, keepdims=True), table.shape)
    return np.divide(table, mean, out=np.ones_like(table), where=mean > 0)


def unbiased(table: Matrix) -> tuple[Matrix, Vector]:
    """Return unbiased scores of the bins, and one over the variance of a contrast of them.

    With D the probabilities of outputs at the uniform law they are D^-1 A (A' D^-1 A)^-1. A law
    that does not identify all bins (few outputs, or a narrower range) has none: it counts nothing.
    """
    bins = table.shape[1]
    if np.linalg.matrix_rank(table) < bins:
        return np.zeros_like(table), np.zeros(len(table))
    weighted = relative(table)
    scores = weighted @ np.linalg.pinv(table.T @ weighted, rcond=1e-12)
    contrast = scores - scores.mean(axis=1, keepdims=True)
    variance = float((table.mean(axis=1) @ contrast**2).mean()) / (1 - 1 / bins)
    return scores, np.full(len(table), 1 / variance)
