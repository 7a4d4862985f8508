"""Blocks: each report is about several numbers at once, each at one of a few levels."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from discretion.family.counts import Outputs
from discretion.family.family import ReportFamily
from discretion.mechanism import Marginal
from discretion.plan import Family
from discretion.schema import Numeric
from discretion.table.columns import Bytes, Levels
from discretion.table.outputs import count_part_levels


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
