"""Variants of local privacy: not every two values have the same bound.

A variant is what a plan states about an attribute, the same for everybody; an owner's level scales
it. It says how much of a level may distinguish any two codes, and makes the law that respects it.
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

    @property
    def opened(self) -> frozenset[int]:
        """The outputs that reveal a code: no other gives them, and they have no bound."""

    def allowed(self, one: int, other: int) -> int:
        """Return by how many thousandths of the level two codes may be distinguished."""

    def farthest(self) -> tuple[int, int]:
        """Return the two codes that may be distinguished most, of those never sent openly.

        The same code twice where there is no such pair.
        """

    def law(self, level: int) -> Matrix:
        """Return the law of a level."""

    def document(self, labels: Sequence[str]) -> dict[str, Any]:
        """Return what a plan states about the values."""

    def promise(self, labels: Sequence[str]) -> str:
        """Say what is promised about values, in a few words."""
