"""Sketches: each report is about the cell of a text, in one of many cohorts of hash functions.

Every report is debiased to a number for each cell of its cohort that is, on average, 1 for the cell
of the text and 0 for others (for bits of words: 1 for each of its bits). Weighted by one over the
variance and summed, they tell how many texts lie in each cell. See docs/proofs/hashing.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector
from discretion.family.counts import BitCounts
from discretion.family.family import ReportFamily
from discretion.mechanism import Bloom, Encoding, Hashed, Signs
from discretion.table.coded import count_words
from discretion.table.columns import Bytes, Levels
from discretion.table.hashed import transformed
from discretion.table.sketch import count_sketch
from discretion.table.support import Counts


@dataclass(frozen=True, slots=True)
class Channel:
    """A level: how often the cell of a text, and another one, is told; and what was counted."""

    own: float
    other: float
    signed: bool  # whether a report tells a sign of every cell
    reports: Vector  # (cohorts,)
    counts: Counts  # (cohorts, cells), or of signs (cohorts, 2 cells)

    @classmethod
    def of(cls, law: Bloom | Hashed, tally: BitCounts) -> "Channel":
        reports, counts = tally.reports.astype(np.float64), tally.counts
        if isinstance(law, Bloom):
            own, other = map(float, law.means)
            return cls(own, other, False, reports, counts)
        own = float(law.inclusion.own)
        other = (1 - own) / (law.hashing.n_buckets - 1)
        return cls(own, other, isinstance(law.hashing, Signs), reports, counts)

    @property
    def told(self) -> Matrix:
        """How many texts lie in each cell, without bias: (cohorts, cells)."""
        gap = self.own - self.other
        if not self.signed:
            return (self.counts - self.reports[:, None] * self.other) / gap
        return transformed(self.counts[:, ::2] - self.counts[:, 1::2]) / gap

    def variance(self, share: Vector | float) -> Vector:
        """Return the variance of what one report tells about a cell with a share of the texts."""
        gap = self.own - self.other
        if self.signed:
            return np.asarray(1 / gap**2 - np.square(share))
        chance = self.other + gap * np.asarray(share)
        return chance * (1 - chance) / gap**2


@dataclass(frozen=True)
class Cells:
    """The cells of all cohorts, by all reports about one text attribute."""

    encoding: Encoding
    channels: Sequence[Channel]
    n: int

    @property
    def base(self) -> float:
        """How often a text that has nothing to do with a cell lies in it."""
        return self.encoding.hashes / self.encoding.bits

    @cached_property
    def weights(self) -> Vector:
        """One over the variance of a report at a cell where little is: (levels,)."""
        return np.array([1 / float(c.variance(self.base)) for c in self.channels])

    @cached_property
    def weight(self) -> Vector:
        """The weight of all reports of each cohort."""
        reports = np.array([channel.reports for channel in self.channels])
        return np.asarray(self.weights @ reports)

    @cached_property
    def told(self) -> Matrix:
        """The weight of the texts in each cell: (cohorts, cells)."""
        pairs = zip(self.weights, self.channels, strict=True)
        return np.asarray(sum(w * channel.told for w, channel in pairs))

    def noise(self, share: Vector) -> Vector:
        """Return the variance of the estimate of a cell's share, all cohorts together.

        A word has several bits: what is random in each is averaged, who has the text is not.
        """
        total = np.zeros_like(share)
        for weight, channel in zip(self.weights, self.channels, strict=True):
            drawn = channel.variance(share)
            who = share * (1 - share)
            each = who + (drawn - who) / self.encoding.hashes
            total += weight**2 * channel.reports.sum() * each
        return total / self.weight.sum() ** 2

    def spread(self) -> Matrix:
        """Return the variance of what is told of each cell (cohorts, cells)."""
        heard = self.weight > 0
        share = np.zeros_like(self.told)
        share[heard] = np.clip(self.told[heard] / self.weight[heard, None], 0, 1)
        pairs = zip(self.weights, self.channels, strict=True)
        return np.asarray(
            sum(w**2 * c.reports[:, None] * c.variance(share) for w, c in pairs), np.float64
        )

    @cached_property
    def concentration(self) -> float:
        """The sum of the squares of all texts' frequencies, whatever the texts are: 0 to 1.

        Texts that share a cell make its share's square larger than chance would.
        """
        heard = self.weight > 0
        squares = (self.told**2 - self.spread())[heard].sum(axis=1) / self.weight[heard] ** 2
        mean = float(squares @ self.weight[heard]) / self.weight.sum() / self.encoding.hashes
        return min(max((mean - self.base) / (1 - self.base), 0.0), 1.0)


@dataclass(frozen=True)
class Sketches(ReportFamily[BitCounts]):
    """Reports about texts that nobody listed before; analysts bring candidates."""

    tabulated = False

    @property
    def encoding(self) -> Encoding:
        return self.question.encoding

    def law(self, stratum: int) -> Bloom | Hashed:
        law = self.question.law(stratum)
        assert isinstance(law, Bloom | Hashed)
        return law

    def labelled(self) -> NoReturn:
        raise EstimateError(f"{self.name!r} is a text: frequencies with candidates tell of it")

    def counted(self, strata: Levels, y: Bytes) -> Iterable[tuple[int, BitCounts]]:
        law = self.law(self.menu[0])
        if isinstance(law, Hashed):
            used, n, counts = count_sketch(law, y, strata)
        else:
            used, n, counts = count_words(law.encoding, y, strata)
        return zip(used.tolist(), map(BitCounts, n, counts), strict=True)

    def restored(self, stratum: int, document: Mapping[str, Any]) -> BitCounts:
        law = self.law(self.menu[0])
        shape = law.cohorts, law.columns
        return BitCounts.restored(self.name, shape, self.encoding.top, document)

    def cells(self, counts: Mapping[int, BitCounts]) -> Cells:
        """Return the pooled linear estimate of all cells."""
        channels = [Channel.of(self.law(level), tally) for level, tally in counts.items()]
        return Cells(self.encoding, channels, sum(tally.n for tally in counts.values()))
