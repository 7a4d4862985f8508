"""Numbers: each report is an output that is decoded to a number on a grid.

Blocks: each report is about several numbers at once, each at one of a few levels.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from discretion.budget.level import range_of
from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector
from discretion.family.counts import Outputs
from discretion.family.family import Answers, ReportFamily
from discretion.family.outputs import OutputPart
from discretion.mechanism import Marginal, NumberLaw
from discretion.mechanism.law import Decodable
from discretion.plan import Family
from discretion.schema import Numeric
from discretion.table.columns import Bytes, Codes, Levels, codes
from discretion.table.outputs import below, count_outputs, count_part_levels

OUTPUTS = 128  # neighbouring outputs are joined to so many, beside those of single points


@dataclass(frozen=True)
class Numbers(ReportFamily[Outputs]):
    """Reports about a number by itself, in all of its range or in a part of it."""

    @property
    def number(self) -> Numeric:
        number = self.question.attribute.number
        assert number is not None
        return number

    def law(self, stratum: int) -> NumberLaw:
        return self.question.law(stratum, Family.NUMBERS)

    def variance(self, level: int) -> Fraction | None:
        """Return that of the mean; the answers lie at the ends and in the middle alike."""
        law = self.law(level)
        if not law.pieces:
            return None
        last = law.size - 1
        noise = sum((law.variance(code) for code in (0, last // 2, last)), Fraction(0)) / 3
        return noise / last**2 + Fraction(1, 6)

    @property
    def mean_only(self) -> bool:
        return self.law(self.menu[0]).n_outputs == 2

    def first_point(self, stratum: int) -> int:
        """Return the grid point at which the range of a stratum begins."""
        number = self.number
        return (number.within(range_of(stratum)).low - number.low) // number.step

    def counted(self, strata: Levels, y: Bytes) -> Iterable[tuple[int, Outputs]]:
        rows = count_outputs(y, strata, lambda stratum: self.law(stratum).n_outputs)
        return ((stratum, Outputs(n, counts)) for stratum, n, counts in rows)

    def restored(self, stratum: int, document: Mapping[str, object]) -> Outputs:
        return Outputs.restored(self.name, (self.law(stratum).n_outputs,), document)

    def part_of(self, answers: Answers, mixing: Matrix | None) -> OutputPart:
        assert mixing is not None
        outputs = codes(answers.y)
        which, tables, first = np.empty(len(outputs), np.int64), [], 0
        for i, stratum in enumerate(answers.strata):
            edges, probabilities = self._probabilities(mixing, stratum)
            mine = answers.which == i
            which[mine] = first + np.searchsorted(edges, outputs[mine], side="right") - 1
            tables.append(probabilities)
            first += len(probabilities)
        return OutputPart.of(self.name, answers.axes, tables, which)

    def coin_of(self, answers: Answers, mixing: Matrix | None) -> OutputPart:
        """Return answers about a coin that shows heads with probability (x - low) / (high - low).

        Decoded reports are unbiased for x whatever its distribution, hence for the coin.
        """
        assert mixing is not None
        which, rows, scores, precision, first = codes(answers.y), [], [], [], 0
        for i, stratum in enumerate(answers.strata):
            law, noise = self.law(stratum), self.variance(stratum)
            if noise is None or law.size != self.number.size:
                rule = "in narrower ranges, or by laplace, have no unbiased decoding"
                raise EstimateError(
                    f"reports about {self.name!r} {rule}: their mean has no weights"
                )
            heads = decoded(law) / (law.size - 1)
            edges, probabilities = self._probabilities(mixing, stratum)
            probabilities /= probabilities.mean(axis=1, keepdims=True)
            rows.append(np.repeat(probabilities, np.diff(edges), axis=0))
            scores.append(np.column_stack([0.5 - heads, heads - 0.5]))
            precision.append(np.full(len(heads), 1 / float(noise)))
            which = np.where(answers.which == i, first + which, which)
            first += len(heads)
        likely, centred = np.concatenate(rows), np.concatenate(scores)
        weight = np.concatenate(precision)
        return OutputPart(self.name, answers.axes, (2,), likely, centred, weight, which)

    def _probabilities(self, mixing: Matrix, stratum: int) -> tuple[Codes, Matrix]:
        """Return edges of joined outputs, and how likely those are in each bin: (outputs, bins)."""
        law = self.law(stratum)
        edges, first = joined(law), self.first_point(stratum)
        inside = np.clip(np.arange(len(mixing)) - first, 0, law.size - 1)
        probabilities: Matrix = np.diff(below(law, edges), axis=0)[:, inside] @ mixing
        return edges, probabilities


def decoded(law: Decodable) -> Vector:
    """Return what each output stands for, in steps of the law's grid."""
    return np.concatenate(
        [float(p.origin) + float(p.pitch) * np.arange(p.start, p.stop) for p in law.pieces]
    )


@cache
def joined(law: Decodable) -> Codes:
    """Return edges of joined outputs, none across pieces that are decoded apart.

    Joining neighbours loses little: a window is much wider.
    """
    ends = [(p.start, p.stop) for p in law.pieces] or [(0, law.n_outputs)]
    return np.unique(np.concatenate([_parted(start, stop) for start, stop in ends]))


def _parted(start: int, stop: int) -> Codes:
    count = min(OUTPUTS, stop - start)
    return start + (np.arange(count + 1) * (stop - start)) // count


@dataclass(frozen=True)
class Blocks(ReportFamily[Outputs]):
    """Reports about a bundle of numbers, for their means."""

    tabulated = False

    @property
    def sizes(self) -> tuple[int, ...]:
        """The levels of each number."""
        return tuple(part.size for part in self.question.attribute.parts)

    def counted(self, strata: Levels, y: Bytes) -> Iterable[tuple[int, Outputs]]:
        rows = count_part_levels(y, strata, self.sizes)
        return ((stratum, Outputs(n, counts)) for stratum, n, counts in rows)

    def restored(self, stratum: int, document: Mapping[str, object]) -> Outputs:
        shape = len(self.sizes), self.sizes[0]
        return Outputs.restored(self.name, shape, document)

    def marginal_law(self, number: Numeric, level: int) -> Marginal:
        """Return the law of what a report says about one of the numbers."""
        levels = self.sizes[self.question.parts.index(number.name)]
        own = self.question.law(level, Family.BLOCKS).own_level(self.sizes[0])
        return Marginal(number.size, levels, own)
