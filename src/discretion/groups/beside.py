"""All groups beside one: differences with a test, and ratios."""

from collections.abc import Iterator
from typing import Protocol

from discretion.comparisons import DifferenceEstimate
from discretion.estimate.documents import GroupComparison
from discretion.groups.ratio import RatioEstimate
from discretion.table.columns import Mask


class Compared(Protocol):
    """A result by group whose groups can be compared."""

    @property
    def groups(self) -> tuple[str, ...]: ...

    @property
    def learnt(self) -> Mask: ...

    @property
    def has_ratios(self) -> bool: ...

    def difference(self, first: str, second: str) -> DifferenceEstimate: ...

    def ratio(self, first: str, second: str) -> RatioEstimate: ...


def others(found: Compared, against: str) -> Iterator[str]:
    """Yield the other groups, as far as something is learnt about them."""
    known = zip(found.groups, found.learnt, strict=True)
    return (group for group, learnt in known if learnt and group != against)


def comparisons(found: Compared, against: str) -> list[GroupComparison]:
    """Return the differences from one group and the ratios to it, of each other group."""
    return [_comparison(found, group, against) for group in others(found, against)]


def _comparison(found: Compared, group: str, against: str) -> GroupComparison:
    difference = found.difference(group, against).document()
    ratios = found.ratio(group, against).document() if found.has_ratios else []
    return {
        "first": group,
        "second": against,
        "test": difference["test"],
        "differences": difference["differences"],
        "ratios": ratios,
    }
