"""Frequencies from the outputs of matrices: counts of columns, which tell all that reports do.

In the reports of one level, outputs have the chances A f, A being the law's matrix. So the linear
estimate comes by least squares, with weights from the laws and the numbers of reports alone, the
chances being those at the uniform law; and the likelihood is a mixture of known laws. Derivation:
docs/proofs/variants.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from discretion.aggregate import Outputs
from discretion.errors import EstimateError
from discretion.estimate.likelihood import MixtureLikelihood
from discretion.estimate.mle import fit
from discretion.estimate.noise import Matrix, Vector, simplex, smoothed
from discretion.estimate.spread import Spread
from discretion.mechanism import Matrix as MatrixLaw
from discretion.table.outputs import chances

DEPENDENT = 1e-9  # of the largest information: what is below is rounding

MatrixLevels = Sequence[tuple[MatrixLaw, Outputs]]


@dataclass(frozen=True, eq=False)
class Channel:
    """A law as an analyst has it: what a report of each output says."""

    chances: Matrix  # (outputs, size): A
    scores: Matrix  # (size, outputs): A' D^-1, with D the chances at the uniform law

    @cached_property
    def information(self) -> Matrix:
        """What one report tells at the uniform law, with that of the sum: (size, size)."""
        return self.scores @ self.chances


@lru_cache(maxsize=64)
def channel(law: MatrixLaw) -> Channel:
    """Return the channel of a law."""
    table = chances(law)
    return Channel(table, (table / table.mean(axis=1, keepdims=True)).T)


@dataclass(frozen=True)
class PooledOutputs:
    """An estimate from the outputs of several levels; it sums to one."""

    levels: MatrixLevels

    @property
    def n(self) -> int:
        return sum(tally.n for _, tally in self.levels)

    @property
    def tells(self) -> bool:
        values = np.linalg.eigvalsh(self.information)
        return bool(values[0] > DEPENDENT * values[-1])

    @cached_property
    def value(self) -> Vector:
        if not self.tells:
            raise EstimateError("outputs at these levels do not tell all values apart")
        return np.asarray(np.linalg.solve(self.information, self.score), np.float64)

    @cached_property
    def score(self) -> Vector:
        """What all reports say together, in units of the information."""
        each = (channel(law).scores @ tally.counts for law, tally in self.levels)
        return sum(each, np.zeros(self.levels[0][0].size))

    @cached_property
    def information(self) -> Matrix:
        """The information of all reports, by the weights."""
        each = (tally.n * channel(law).information for law, tally in self.levels)
        return sum(each, np.zeros(2 * (self.levels[0][0].size,)))

    def covariance(self, f: Vector) -> Matrix:
        """Return the covariance for the population, at frequencies f on the simplex."""
        total = np.zeros((len(f), len(f)))
        for law, tally in self.levels:
            own = channel(law)
            chance, mean = own.chances @ f, own.information @ f
            total += tally.n * ((own.scores * chance) @ own.scores.T - np.outer(mean, mean))
        back = np.linalg.inv(self.information)
        return back @ total @ back.T


@dataclass(frozen=True)
class ColumnLikelihood(MixtureLikelihood):
    """Counts of the outputs of all levels; the laws of the mixture are the codes."""

    def curvature(self, f: Vector) -> Matrix:
        """Return the mean of L L' / (L f)^2."""
        scores = self.chance * (np.sqrt(self.counts / self.n) / (self.chance @ f))[:, None]
        return scores.T @ scores


def mle(levels: MatrixLevels) -> tuple[Vector, Spread]:
    """Return the most likely frequencies and their spread for the population.

    Outputs that nobody sent say nothing more, as the chances of all sum to one.
    """
    chance = np.concatenate([channel(law).chances for law, _ in levels])
    counts = np.concatenate([tally.counts for _, tally in levels]).astype(np.float64)
    seen = counts > 0
    linear = PooledOutputs(levels)
    start = smoothed(simplex(linear.value), linear.n)
    return fit(ColumnLikelihood(chance[seen], counts[seen]), start, linear.covariance)
