"""What the reports of a group of owners say about one question of a table of several attributes."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector

if TYPE_CHECKING:
    from discretion.family.sets.part import SetPart

MOST_KEYS = 1 << 65  # more than an integer of 64 bits can hold

Single = npt.NDArray[np.float32]
Floats = npt.NDArray[np.floating]
Indices = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]


class Factor(Protocol):
    """The likelihood of each cell that the question distinguishes, report by report."""

    @property
    def eigenvalues(self) -> Floats:
        """Fisher's eigenvalue of each report (n,), in units of a record, hence at most 1."""

    def likelihood(self, rows: slice) -> Single:
        """Return the likelihood of each cell (rows, size), each row in units of its own."""

    @property
    def packed(self) -> "Factor":
        """The same in few bytes, for a device, with a likelihood that is array code."""


@dataclass(frozen=True)
class Part(ABC):
    """One question that all owners of a group answered."""

    name: str
    axes: tuple[int, ...]  # of the table of cells: one, or for a bundle several
    sizes: tuple[int, ...]

    @property
    @abstractmethod
    def size(self) -> int:
        """How many cells the question distinguishes."""

    @property
    @abstractmethod
    def factor(self) -> Factor:
        """The factor of the likelihood, with levels that are disclosed."""

    @abstractmethod
    def scores(self, *, secret: bool) -> tuple[Matrix, Vector]:
        """Return weighted centred scores (n, size), and their weighted mean at the own code (n,).

        Their quotient of sums is unbiased. ``secret``: without the levels.
        """

    @abstractmethod
    def keys(self, *, secret: bool) -> tuple[Keys, int]:
        """Return for each row which answer it has, and how many there could be.

        Where 64 bits do not suffice there are no keys.
        """

    @abstractmethod
    def at(self, rows: Indices) -> Self:
        """Return the same of some rows."""

    @property
    def alike(self) -> tuple[object, ...] | None:
        """What parts about other questions have to have in common to be one with it; None: none."""
        return None

    def sets(self) -> "SetPart":
        """Return the same part, if its reports are sets of codes; else refuse."""
        rule = "this method needs sets of codes"
        raise EstimateError(f"{rule}, and {self.name!r} has outputs of another kind")
