"""Sketches: each report is about the bucket of a text, in one of many cohorts of hash functions.

Every report is debiased to a number for each bucket of its cohort that is, on average, 1 for the
bucket of the text and 0 for others (for codewords: 1 for each of its bits). Weighted by one over
the variance and summed, they estimate how many texts are in each bucket. See
docs/proofs/hashing.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NoReturn

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector
from discretion.family.counts import BitCounts
from discretion.family.family import ReportFamily, share_variance
from discretion.mechanism import Encoding, SketchLaw
from discretion.plan import Family
from discretion.table.coded import count_codewords
from discretion.table.columns import Bytes, Codes, Levels
from discretion.table.hashed import transformed
from discretion.table.sketch import count_sketch, reported_for
from discretion.table.support import Counts


@dataclass(frozen=True, slots=True)
class Channel:
    """A level: how often the bucket of a text, and any other, is reported; and the counts."""

    own: float
    other: float
    signed: bool  # whether a report holds a sign for every bucket
    reports: Vector  # (cohorts,)
    counts: Counts  # (cohorts, buckets), or of signs (cohorts, 2 buckets)

    @classmethod
    def of(cls, law: SketchLaw, tally: BitCounts) -> "Channel":
        own, other = map(float, law.bucket_means)
        return cls(own, other, law.signed, tally.reports.astype(np.float64), tally.counts)

    @property
    def gap(self) -> float:
        return self.own - self.other

    @property
    def debiased(self) -> Matrix:
        """An unbiased estimate of how many texts are in each bucket: (cohorts, buckets)."""
        if not self.signed:
            return (self.counts - self.reports[:, None] * self.other) / self.gap
        return transformed(self.counts[:, ::2] - self.counts[:, 1::2]) / self.gap

    def variance(self, share: Vector | float) -> Vector:
        """Return the variance of one debiased report about a bucket with a share of the texts."""
        gap = self.gap
        if self.signed:
            return np.asarray(1 / gap**2 - np.square(share))
        probability = self.other + gap * np.asarray(share)
        return probability * (1 - probability) / gap**2


@dataclass(frozen=True)
class Sketch:
    """The buckets of all cohorts, by all reports about one text attribute."""

    encoding: Encoding
    channels: Sequence[Channel]
    n: int

    @property
    def unit(self) -> float:
        """The probability that an unrelated text falls into a bucket."""
        return self.encoding.hashes / self.encoding.bits

    @property
    def each(self) -> float:
        """How many texts an owner has."""
        return 1.0

    @property
    def alone(self) -> float:
        """How much of a text is in its bucket beyond what its owner's others add to any."""
        return 1 - (self.each - 1) * self.unit

    @property
    def base(self) -> float:
        """The share of owners who are in the bucket of a text that nobody has."""
        return self.each * self.unit

    @cached_property
    def weights(self) -> Vector:
        """One over the variance of a report at a bucket where little is: (levels,)."""
        return np.array([1 / float(c.variance(self.unit)) for c in self.channels])

    @cached_property
    def weight(self) -> Vector:
        """The weight of all reports of each cohort."""
        reports = np.array([channel.reports for channel in self.channels])
        return np.asarray(self.weights @ reports)

    @cached_property
    def totals(self) -> Matrix:
        """The weight of the texts in each bucket: (cohorts, buckets)."""
        pairs = zip(self.weights, self.channels, strict=True)
        return np.asarray(sum(w * channel.debiased for w, channel in pairs))

    def noise(self, share: Vector) -> Vector:
        """Return the variance of the estimate of a bucket's share, all cohorts together.

        A codeword has several bits: what is random in each is averaged, who has the text is not.
        """
        total = np.zeros_like(share)
        for weight, channel in zip(self.weights, self.channels, strict=True):
            drawn = channel.variance(share)
            who = share * (1 - share)
            each = who + (drawn - who) / self.encoding.hashes
            total += weight**2 * channel.reports.sum() * each
        return total / self.weight.sum() ** 2

    def spread(self, share: Matrix) -> Matrix:
        """Return the variance of the total of each bucket (cohorts, buckets), given its share."""
        pairs = zip(self.weights, self.channels, strict=True)
        return np.asarray(
            sum(w**2 * c.reports[:, None] * c.variance(share) for w, c in pairs), np.float64
        )

    @cached_property
    def concentration(self) -> float:
        """The sum of the squares of all texts' frequencies, whatever the texts are.

        Frequent texts make the squares of their buckets' shares larger than uniform hashing would.
        """
        used, share = self.weight > 0, np.zeros_like(self.totals)
        share[used] = self.totals[used] / self.weight[used, None]
        noise = self.spread(share)  # the sums are right though single shares are far off
        squares = (self.totals**2 - noise)[used].sum(axis=1) / self.weight[used] ** 2
        mean = float(squares @ self.weight[used]) / self.weight.sum() / self.encoding.hashes
        return min(max((mean - self.each * self.base) / (1 - self.unit), 0.0), self.each)


@dataclass(frozen=True)
class Sketches(ReportFamily[BitCounts]):
    """Reports about texts that nobody listed before; analysts bring candidates."""

    tabulated = False
    open = True

    @property
    def encoding(self) -> Encoding:
        return self.question.encoding

    def law(self, stratum: int) -> SketchLaw:
        return self.question.law(stratum, Family.SKETCHES)

    def sketched(self) -> "Sketches":
        return self

    def variance(self, level: int) -> Fraction:
        return share_variance(self.law(level), self.encoding.hashes)

    def labelled(self) -> NoReturn:
        raise EstimateError(f"{self.name!r} is a text: ask for the frequencies of candidates")

    def counted(self, strata: Levels, y: Bytes) -> Iterable[tuple[int, BitCounts]]:
        law = self.law(self.menu[0])
        if law.form.n_bits:
            used, n, counts = count_codewords(self.encoding, y, strata)
        else:
            used, n, counts = count_sketch(law, y, strata)
        return zip(used.tolist(), map(BitCounts, n, counts), strict=True)

    def restored(self, stratum: int, document: Mapping[str, object]) -> BitCounts:
        law = self.law(self.menu[0])
        shape = law.cohorts, law.columns
        return BitCounts.restored(self.name, shape, self.encoding.top, document)

    def debiased(self, level: int, y: Bytes, texts: Codes) -> Matrix:
        """Return a number for each report and text (n, texts): on average 1 if it is the owner's.

        For another text it is 0, unless that shares a bucket with hers.
        """
        law = self.law(level)
        own, other = map(float, law.bucket_means)
        middle, scale = (0.5, (own - other) / 2) if law.signed else (other, own - other)
        return (reported_for(law, self.encoding, y, texts) - middle) / scale

    def sketch(self, counts: Mapping[int, BitCounts]) -> Sketch:
        """Return the pooled linear estimate of all buckets."""
        channels = [Channel.of(self.law(level), tally) for level, tally in counts.items()]
        return Sketch(self.encoding, channels, sum(tally.n for tally in counts.values()))
