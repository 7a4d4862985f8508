"""A mechanism in two stages, as in ``{lgrr: {first: 0.5}}``: what one report alone may spend."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discretion.mechanism import SupportLaw, staged_law
from discretion.mechanism.hashing import MOST_BUCKETS
from discretion.mechanism.staged import WHOLE, Stages
from discretion.plan.field import Field
from discretion.plan.parameters import Sets
from discretion.schema import Attribute

FIRST, BUCKETS = "first", "buckets"
HALF = WHOLE // 2  # of the level, for the first report, where an author says nothing
HASHED, FEWEST = "loloha", 2  # to two buckets, where an author says nothing


@dataclass(frozen=True, kw_only=True)
class Staged(Sets):
    """Of labels, in two stages: the plan states what the first report alone may spend."""

    stages: Stages

    @property
    def staged(self) -> bool:
        return True

    @property
    def first(self) -> int:
        return self.stages.first

    @property
    def cohorts(self) -> int:
        return self.stages.cohorts

    @property
    def apart(self) -> bool:
        return self.cohorts > 1

    @property
    def merged(self) -> str:
        shared = "that the function of this device puts into one bucket"
        return "" if self.stages.buckets is None else shared

    def law(self, attribute: Attribute, level: int) -> SupportLaw:
        return staged_law(self.mechanism, attribute.size, level, self.stages)

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        buckets = {} if self.stages.buckets is None else {"buckets": self.stages.buckets}
        return {**buckets, "first": self.stages.first}


def read_stages(field: Field, mechanism: str) -> Stages:
    """Return the part of the level that the first report alone may spend, and the buckets."""
    stated: Mapping[str, Field] = {}
    if isinstance(field.value, Mapping):
        known = (FIRST, BUCKETS) if mechanism == HASHED else (FIRST,)
        stated = field.mapping((mechanism,))[mechanism].mapping((), known)
    first = _part(stated[FIRST]) if FIRST in stated else HALF
    if mechanism != HASHED:
        return Stages(first)
    buckets = stated[BUCKETS].whole(FEWEST, MOST_BUCKETS) if BUCKETS in stated else FEWEST
    return Stages(first, buckets)


def plain_stages(mechanism: str) -> Stages:
    """Return what a mechanism has whose author states only its name."""
    return Stages(HALF, FEWEST if mechanism == HASHED else None)


def _part(field: Field) -> int:
    """Return a part in thousandths; the whole level would leave nothing for later rounds."""
    part = field.number() * WHOLE
    if part.denominator != 1 or not 0 < part < WHOLE:
        field.fail("must be a part of the level, above 0 and below 1, in whole thousandths")
    return int(part)
