"""Variants of local privacy: not every two values are told apart by the same epsilon.

A variant is what a plan states about an attribute, the same for everybody; an owner's level scales
it. It says by how much of a level any two codes may be told apart, and makes the law that keeps to
it.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from discretion.mechanism.matrix import Matrix

WHOLLY = 1000  # thousandths of a level: as much as local differential privacy allows any two


class Variant(Protocol):
    """Frozen and hashable: the parameters of an attribute's law, but for the level."""

    def __hash__(self) -> int: ...

    @property
    def size(self) -> int:
        """The number of codes."""
        ...

    @property
    def opened(self) -> frozenset[int]:
        """The outputs that tell a code openly: no other gives them, and they have no bound."""
        ...

    def allowed(self, one: int, other: int) -> int:
        """Return by how many thousandths of the level two codes may be told apart."""
        ...

    def farthest(self) -> tuple[int, int]:
        """Return two codes that may be told apart most, of those that are never told openly.

        The same code twice where there is no such pair.
        """
        ...

    def law(self, level: int) -> Matrix:
        """Return the law of a level."""
        ...

    def document(self, labels: Sequence[str]) -> dict[str, Any]:
        """Return what a plan states about the values."""
        ...

    def promise(self, labels: Sequence[str]) -> str:
        """Say what is promised about values, in a few words."""
        ...
