"""Columns of a matrix: each report is an output of a variant of local privacy.

In the reports of one level, outputs have the probabilities A f, A being the law's matrix. So the
linear estimate comes by least squares, with weights from the laws and the numbers of reports alone,
the probabilities being those at the uniform law; and the likelihood is a mixture of known laws.
Derivation: docs/proofs/variants.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np

from discretion.budget.level import RANGE
from discretion.errors import EstimateError
from discretion.estimate.likelihood import MixtureLikelihood
from discretion.estimate.linear import Pooled
from discretion.estimate.noise import Matrix, Vector, simplex, smoothed
from discretion.family.counts import Outputs
from discretion.family.family import Answers, Displacement, LabelFamily
from discretion.family.goodness import columns_pvalue
from discretion.family.outputs import OutputPart, relative
from discretion.mechanism import Matrix as MatrixLaw
from discretion.plan import Family
from discretion.table import Reports
from discretion.table.columns import Bytes, Levels, codes
from discretion.table.outputs import count_outputs, probabilities

UNIDENTIFIABLE = "outputs at these levels do not identify all values"
DEPENDENT = 1e-9  # of the largest information: what is below is rounding

ColumnLevels = Sequence[tuple[MatrixLaw, Outputs]]


@dataclass(frozen=True, eq=False)
class Channel:
    """A law as an analyst has it: what a report of each output says."""

    probabilities: Matrix  # (outputs, size): A
    scores: Matrix  # (size, outputs): A' D^-1, with D the probabilities at the uniform law

    @cached_property
    def information(self) -> Matrix:
        """The information of one report at the uniform law, with that of the sum: (size, size)."""
        return self.scores @ self.probabilities


@lru_cache(maxsize=64)
def channel(law: MatrixLaw) -> Channel:
    """Return the channel of a law."""
    table = probabilities(law)
    return Channel(table, relative(table).T)


@dataclass(frozen=True)
class PooledColumns(Pooled):
    """An estimate from the outputs of several levels; it sums to one."""

    levels: ColumnLevels

    @property
    def identifiable(self) -> bool:
        values = np.linalg.eigvalsh(self.information)
        return bool(values[0] > DEPENDENT * values[-1])

    @cached_property
    def value(self) -> Vector:
        if not self.identifiable:
            raise EstimateError(UNIDENTIFIABLE)
        return np.asarray(np.linalg.solve(self.information, self.score), np.float64)

    @property
    def start(self) -> Vector:
        return smoothed(simplex(self.value), self.n)

    @property
    def shares(self) -> Vector:
        """By the trace of each level's information about contrasts."""
        traces = np.array(
            [t.n * (np.trace(channel(law).information) - law.size) for law, t in self.levels]
        )
        return traces / traces.sum()

    @property
    def likelihood(self) -> "ColumnLikelihood":
        """The likelihood of the frequencies; outputs that nobody sent add nothing to it."""
        if not self.identifiable:
            raise EstimateError(UNIDENTIFIABLE)
        probability = np.concatenate([channel(law).probabilities for law, _ in self.levels])
        counts = np.concatenate([tally.counts for _, tally in self.levels]).astype(np.float64)
        return ColumnLikelihood(probability[counts > 0], counts[counts > 0])

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
        total = np.zeros((len(f), len(f)))
        for law, tally in self.levels:
            own = channel(law)
            probability, mean = own.probabilities @ f, own.information @ f
            total += tally.n * ((own.scores * probability) @ own.scores.T - np.outer(mean, mean))
        back = np.linalg.inv(self.information)
        return back @ total @ back.T


@dataclass(frozen=True)
class ColumnLikelihood(MixtureLikelihood):
    """Counts of the outputs of all levels; the laws of the mixture are the codes."""

    def curvature(self, f: Vector) -> Matrix:
        scores = (
            self.probabilities * (np.sqrt(self.counts / self.n) / (self.probabilities @ f))[:, None]
        )
        return scores.T @ scores


def _moved(pooled: PooledColumns, own: Channel, share: float, added: float) -> Matrix:
    """Return how far the estimate moves by false reports of each output: (size, outputs)."""
    whole = (1 - share) * pooled.information + added * own.information
    score = (1 - share) * pooled.score[:, None] + added * own.scores
    return np.asarray(np.linalg.solve(whole, score) - pooled.value[:, None])


@dataclass(frozen=True)
class Columns(LabelFamily[Outputs]):
    """Reports by variants of local privacy: not all pairs of values are protected alike."""

    reported = "columns of a matrix"
    sufficient = True

    def law(self, stratum: int) -> MatrixLaw:
        return self.question.law(stratum, Family.COLUMNS)

    def variance(self, level: int) -> Fraction:
        """Return the largest of them, each with the other half spread evenly over the others."""
        law = self.law(level)
        one = PooledColumns([(law, Outputs(1, np.zeros(law.n_outputs, np.int64)))])
        rest = 0.5 / (law.size - 1)
        halves = (np.where(np.arange(law.size) == v, 0.5, rest) for v in range(law.size))
        return Fraction(max(float(one.covariance(f)[v, v]) for v, f in enumerate(halves)))

    def counted(self, strata: Levels, y: Bytes) -> Iterable[tuple[int, Outputs]]:
        rows = count_outputs(y, strata, lambda level: self.law(level).n_outputs)
        return ((level, Outputs(n, counts)) for level, n, counts in rows)

    def restored(self, stratum: int, document: Mapping[str, object]) -> Outputs:
        return Outputs.restored(self.name, (self.law(stratum).n_outputs,), document)

    def pooled(self, counts: Mapping[int, Outputs], cap: float | None = None) -> PooledColumns:
        self.refuse(cap)
        return PooledColumns([(self.law(level), tally) for level, tally in counts.items()])

    def likelihood(
        self, counts: Mapping[int, Outputs], reports: Reports | None
    ) -> ColumnLikelihood:
        return self.pooled(counts).likelihood

    def displaced(
        self, counts: Mapping[int, Outputs], share: float, added: float, cap: float | None = None
    ) -> Displacement:
        """Return what false reports at each level do, all with one output and of any length."""
        pooled, moved = self.pooled(counts, cap), []
        for level in self.some_levels:
            own = [channel(self.law(level + RANGE * place)) for place in self.places]
            moved.append(np.hstack([_moved(pooled, each, share, added) for each in own]))
        most, least = ([side(each, axis=1) for each in moved] for side in (np.max, np.min))
        return Displacement(self.some_levels, np.array(most), np.array(least))

    def pvalues(self, stratum: int, counts: Outputs) -> tuple[float | None, float | None]:
        return None, columns_pvalue(self.law(stratum), counts)

    def part_of(self, answers: Answers, mixing: Matrix | None) -> OutputPart:
        tables = [probabilities(self.law(level)) for level in answers.strata]
        which = answers.which * len(tables[0]) + codes(answers.y)
        sizes = tuple(part.size for part in self.question.attribute.parts)
        return OutputPart.of(self.name, answers.axes, tables, which, sizes)
