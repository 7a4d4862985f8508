"""One way to ask: which questions an owner draws, and at which levels she answers them."""

from collections.abc import Sequence
from dataclasses import dataclass

from discretion.plan.plan import Contract

Names = tuple[str, ...]
Levels = dict[Names, int]  # of one owner: for an attribute, or for several as one cell


@dataclass(frozen=True)
class Block:
    """Attributes that are one question: one report is about all of them."""

    names: Names
    mechanism: str
    rounded: int = 0  # levels to which each number of several is rounded


@dataclass(frozen=True)
class Design:
    """Each owner draws ``sample`` of the groups, beforehand, and answers all questions in them.

    Her total is divided evenly among the groups that she draws, and there in proportion to the
    attributes of a question.
    """

    name: str
    groups: tuple[tuple[Block, ...], ...]
    sample: int = 1
    doing: str = ""  # what owners are asked for, as a gerund

    def __str__(self) -> str:
        return self.name

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Every question."""
        return tuple(block for group in self.groups for block in group)

    @property
    def largest(self) -> int:
        """The attributes of the largest question."""
        return max(len(block.names) for block in self.blocks)

    @property
    def contract(self) -> Contract:
        """What is promised: less where attributes are one question."""
        return Contract.ATTRIBUTE if self.largest == 1 else Contract.RECORD

    def levels(self, total: int) -> tuple[Levels, ...]:
        """Return the levels, in whole thousandths, of the questions of each group."""
        return tuple(_evenly(group, total // self.sample) for group in self.groups)

    def alone(self, total: int, names: Sequence[str]) -> int:
        """Return the level that bounds what reports reveal about one of these attributes alone."""
        levels = [item for group in self.levels(total) for item in group.items()]
        return max(level for asked, level in levels if not set(asked).isdisjoint(names))


def _evenly(group: Sequence[Block], total: int) -> Levels:
    count = sum(len(block.names) for block in group)
    return {block.names: total * len(block.names) // count for block in group}
