"""What is counted about one attribute at one grade: supports, bits, or outputs of numbers."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]


@dataclass(slots=True, eq=False)
class Tally:
    """Counts over reports; two tallies of different reports add up."""

    n: int  # reports
    supports: Counts  # (size,): reports whose support holds the code
    sizes: Counts  # (size + 1,): reports whose support has so many codes

    @classmethod
    def zero(cls, size: int) -> Self:
        return cls(0, np.zeros(size, np.int64), np.zeros(size + 1, np.int64))

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.n + other.n, self.supports + other.supports, self.sizes + other.sizes
        )

    def __sub__(self, other: Self) -> Self:
        return type(self)(
            self.n - other.n, self.supports - other.supports, self.sizes - other.sizes
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and self.document() == other.document()

    def document(self) -> dict[str, object]:
        return {"n": self.n, "supports": self.supports.tolist(), "sizes": self.sizes.tolist()}


@dataclass(slots=True, eq=False)
class BitCounts:
    """How often each bit of coded reports was set, by cohort; of digits their sum."""

    reports: Counts  # (cohorts,)
    counts: Counts  # (cohorts, bits)

    @property
    def n(self) -> int:
        return int(self.reports.sum())

    def __add__(self, other: Self) -> Self:
        return type(self)(self.reports + other.reports, self.counts + other.counts)

    def __sub__(self, other: Self) -> Self:
        return type(self)(self.reports - other.reports, self.counts - other.counts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BitCounts) and self.document() == other.document()

    def document(self) -> dict[str, object]:
        return {"n": self.reports.tolist(), "bits": self.counts.tolist()}


@dataclass(slots=True, eq=False)
class Outputs:
    """How often each output was reported; of a bundle of numbers, each level of each part."""

    n: int  # reports
    counts: Counts  # (outputs,), or (parts, levels)

    def __add__(self, other: Self) -> Self:
        return type(self)(self.n + other.n, self.counts + other.counts)

    def __sub__(self, other: Self) -> Self:
        return type(self)(self.n - other.n, self.counts - other.counts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outputs) and self.document() == other.document()

    def document(self) -> dict[str, object]:
        return {"n": self.n, "outputs": self.counts.tolist()}
