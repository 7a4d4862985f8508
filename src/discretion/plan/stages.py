"""A mechanism in two stages, as in ``{lgrr: {first: 0.5}}``: what one report alone may spend."""

from collections.abc import Mapping

from discretion.mechanism.staged import WHOLE, Stages
from discretion.plan.field import Field

FIRST = "first"
HALF = WHOLE // 2  # of the level, for the first report, where an author says nothing


def read_stages(field: Field, mechanism: str) -> Stages:
    """Return the part of the level that the first report alone may spend."""
    if not isinstance(field.value, Mapping):
        return Stages(HALF)
    stated = field.mapping((mechanism,))[mechanism].mapping((), (FIRST,))
    return Stages(_part(stated[FIRST]) if FIRST in stated else HALF)


def _part(field: Field) -> int:
    """Return a part in thousandths; the whole level would leave nothing for later rounds."""
    part = field.number() * WHOLE
    if part.denominator != 1 or not 0 < part < WHOLE:
        field.fail("must be a part of the level, above 0 and below 1, in whole thousandths")
    return int(part)
