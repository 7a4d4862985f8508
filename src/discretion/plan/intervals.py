"""The tree of intervals of an ordered attribute: ``{hierarchy: {fanout: 2, depths: auto}}``."""

from collections.abc import Mapping

from discretion.mechanism.hierarchy import MOST_DEPTHS, depths_of
from discretion.plan.field import Field
from discretion.plan.parameters import Intervals

FANOUT, MOST_FANOUT = 2, 16  # two children lose least to sampled depths
FANOUT_FIELD, DEPTHS_FIELD, ALL = "fanout", "depths", "auto"
FLAT = 16  # labels up to which a report about each is more precise than one about an interval


def read_intervals(field: Field, mechanism: str, size: int) -> Intervals:
    """Return the tree of an attribute of so many codes; to single codes, if no depth is stated."""
    fields: Mapping[str, Field] = {}
    if isinstance(field.value, Mapping) and mechanism in field.value:
        stated = field.mapping((mechanism,))[mechanism]
        fields = stated.mapping((), (FANOUT_FIELD, DEPTHS_FIELD))
    fanout = FANOUT
    if FANOUT_FIELD in fields:
        fanout = fields[FANOUT_FIELD].whole(2, MOST_FANOUT)
    depths = most = min(depths_of(size, fanout), MOST_DEPTHS)
    if DEPTHS_FIELD in fields and fields[DEPTHS_FIELD].value != ALL:
        depths = fields[DEPTHS_FIELD].whole(1, most)
    return Intervals(mechanism=mechanism, fanout=fanout, depths=depths)
