"""Codewords: each report is bits, or quantised bits, and every code has some as its codeword."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.mle import Informed
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.shards import likelihood_of
from discretion.family.codewords.likelihood import CodedLikelihood, distinguishes
from discretion.family.codewords.linear import PooledBits, Spectrum, spectra
from discretion.family.codewords.part import CodewordPart, is_linear
from discretion.family.counts import BitCounts
from discretion.family.family import Answers, Displacement, LabelFamily, share_variance
from discretion.family.goodness import bits_pvalue, codeword_pvalue
from discretion.mechanism import CodedLaw, Encoding
from discretion.plan import Family
from discretion.table import Reports
from discretion.table.coded import cohorts_of, count_codewords, reported_bits
from discretion.table.columns import Bytes, Codes, Levels


@dataclass(frozen=True)
class Codewords(LabelFamily[BitCounts]):
    """Reports of Bloom filters and of noisy histograms."""

    reported = "words"

    @property
    def encoding(self) -> Encoding:
        return self.law(self.menu[0]).encoding

    def law(self, stratum: int) -> CodedLaw:
        return self.question.law(stratum, Family.CODEWORDS)

    def variance(self, level: int) -> Fraction:
        return share_variance(self.law(level), self.encoding.hashes)

    def strata(self, levels: Levels, y: Bytes) -> Codes:
        """Return the level with the cohort, which an owner keeps for everything she reports."""
        cohorts = cohorts_of(self.encoding, np.ascontiguousarray(y))
        return levels.astype(np.int64) * self.encoding.cohorts + cohorts

    def counted(self, strata: Levels, y: Bytes) -> Iterable[tuple[int, BitCounts]]:
        used, n, counts = count_codewords(self.encoding, y, strata)
        return zip(used.tolist(), map(BitCounts, n, counts), strict=True)

    def restored(self, stratum: int, document: Mapping[str, object]) -> BitCounts:
        encoding = self.encoding
        shape = encoding.cohorts, encoding.bits
        return BitCounts.restored(self.name, shape, encoding.top, document)

    def pooled(self, counts: Mapping[int, BitCounts], cap: float | None = None) -> PooledBits:
        self.refuse(cap)
        return PooledBits([(self.law(level), tally) for level, tally in counts.items()])

    def likelihood(self, counts: Mapping[int, BitCounts], reports: Reports | None) -> Informed:
        assert reports is not None
        seen = np.sum([tally.reports for tally in counts.values()], axis=0) > 0
        if not distinguishes(self.encoding, seen):
            rule = f"the codewords of {self.name!r} do not distinguish all its values"
            more = "the plan needs more bits or cohorts, or these more reports"
            raise EstimateError(f"{rule}: {more}")
        return likelihood_of(reports, self.name, partial(CodedLikelihood.of, self.name))

    def displaced(
        self, counts: Mapping[int, BitCounts], share: float, added: float, cap: float | None = None
    ) -> Displacement:
        """Return what false reports at each level do, in the worst cohort."""
        pooled, levels = self.pooled(counts, cap), self.some_levels
        moved = np.array(
            [
                [
                    _moved(pooled, self.law(level), own, share, added)
                    for own in spectra(self.encoding)
                ]
                for level in levels
            ]
        )
        return Displacement(levels, moved[:, :, 0].max(axis=1), moved[:, :, 1].min(axis=1))

    def pvalues(self, stratum: int, counts: BitCounts) -> tuple[float | None, float | None]:
        law = self.law(stratum)
        return codeword_pvalue(law, counts), bits_pvalue(law, counts)

    def part_of(self, answers: Answers, mixing: Matrix | None) -> CodewordPart:
        encoding, laws = self.encoding, tuple(map(self.law, answers.strata))
        bits, cohorts = reported_bits(encoding, answers.y), cohorts_of(encoding, answers.y)
        sizes = (encoding.size,)
        return CodewordPart(self.name, answers.axes, sizes, bits, cohorts, laws, answers.which)

    def check_linear(self) -> None:
        if not is_linear(self.encoding):
            rule = f"single bits do not distinguish the values of {self.name!r}"
            raise EstimateError(f"{rule}, as codewords are linearly dependent: use method='mle'")


def _moved(
    pooled: PooledBits, law: CodedLaw, own: Spectrum, share: float, added: float
) -> tuple[Vector, Vector]:
    """Return the changes by the worst codewords of one level and cohort, information and all.

    The estimate is linear in the bits that are added: each is set as the sign of its part says.
    """
    size, weights = law.size, own.weights(law)
    more = (own.vectors * (weights * own.values)) @ own.vectors.T
    inverse = np.linalg.inv((1 - share) * pooled.information + added * more + 1 / size) - 1 / size
    rest = (1 - share) * inverse @ pooled.score + 1 / size - pooled.value
    slopes = added * inverse @ ((own.vectors * weights) @ (own.vectors.T @ own.codewords))
    own_mean, other = map(float, law.means)
    one, none = (1 - other) / (own_mean - other) - own.mean, -other / (own_mean - other) - own.mean
    parts = slopes * one, slopes * none
    return rest + np.maximum(*parts).sum(axis=1), rest + np.minimum(*parts).sum(axis=1)
