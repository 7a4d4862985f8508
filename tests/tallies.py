"""Counts of a question, as what they are: an aggregate has those of all families."""

from typing import TypeVar

from discretion.aggregate import Aggregate
from discretion.family.family import Counts

C = TypeVar("C", bound=Counts)


def counted_as(data: Aggregate, name: str, kind: type[C]) -> dict[int, C]:
    """Return the counts by stratum, all of which must be of one kind."""
    found: dict[int, C] = {}
    for stratum, counts in data.counted(name).items():
        assert isinstance(counts, kind)
        found[stratum] = counts
    return found
