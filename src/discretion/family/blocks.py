"""Blocks: each report is about several numbers at once, each at one of a few levels."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from discretion.family.counts import Outputs
from discretion.family.family import ReportFamily
from discretion.mechanism import Choice, HalfSpace, Marginal
from discretion.schema import Bundle, Numeric
from discretion.table.columns import Bytes, Levels
from discretion.table.outputs import count_part_levels


@dataclass(frozen=True)
class Blocks(ReportFamily[Outputs]):
    """Reports about a bundle of numbers, for their means."""

    tabulated = False

    @property
    def bundle(self) -> Bundle:
        bundle = self.question.attribute
        assert isinstance(bundle, Bundle)
        return bundle

    def counted(self, strata: Levels, y: Bytes) -> Iterable[tuple[int, Outputs]]:
        rows = count_part_levels(y, strata, self.bundle.sizes)
        return ((stratum, Outputs(n, counts)) for stratum, n, counts in rows)

    def restored(self, stratum: int, document: Mapping[str, Any]) -> Outputs:
        shape = len(self.bundle.parts), self.bundle.sizes[0]
        return Outputs.restored(self.name, shape, document)

    def marginal_law(self, number: Numeric, level: int) -> Marginal:
        """Return the law of what a report says about one of the numbers."""
        levels = self.bundle.sizes[self.question.parts.index(number.name)]
        return Marginal(number.size, levels, self._own(level))

    def _own(self, level: int) -> Fraction:
        """Return how often a report has the own level of one of its numbers."""
        law, levels = self.law(level), self.bundle.sizes[0]
        match law:
            case HalfSpace():
                return law.own
            case Choice():
                keep, other = law.inclusion.own, law.inclusion.other
                return keep + other * (Fraction(law.size, levels) - 1)
        raise TypeError(f"no margin of {law!r}")
