"""Owners with sets of a stated size, and numbers of their keys, drawn from a law of our own."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
FADING = 0.8  # the weight of the i-th item is i to the power of minus that
SPREAD, MEANS, MEANS_SEED = 0.3, 0.8, 5  # of numbers about their key's mean; how far means go
STEPS = 100  # of numbers, from 0 to 1


class Owners(NamedTuple):
    """Which items each has, all of them equally many, and a number from -1 to 1 for each."""

    size: int  # items there are
    items: Codes  # (n, length), different ones in a row
    numbers: Vector  # (n, length)

    @classmethod
    def of(cls, size: int, length: int, n: int, rng: np.random.Generator) -> "Owners":
        """Draw sets of items one by one, by their weight among those that are left."""
        weights = np.log(np.arange(1.0, size + 1)) * -FADING
        keys = weights + rng.gumbel(size=(n, size))
        items = np.argpartition(-keys, length, axis=1)[:, :length]
        means = np.random.default_rng(MEANS_SEED).permutation(np.linspace(-MEANS, MEANS, size))
        numbers = np.clip(means[items] + rng.normal(0, SPREAD, items.shape), -1, 1)
        return cls(size, items, np.round(numbers * STEPS) / STEPS)

    @property
    def n(self) -> int:
        return len(self.items)

    @property
    def length(self) -> int:
        return self.items.shape[1]

    @property
    def shares(self) -> Vector:
        """The share of owners with each item."""
        return np.bincount(self.items.ravel(), minlength=self.size) / self.n

    @property
    def products(self) -> Vector:
        """The mean over all owners of each item's number, 0 for those without it."""
        return np.bincount(self.items.ravel(), self.numbers.ravel(), self.size) / self.n

    def one(self, rng: np.random.Generator) -> tuple[Codes, Vector]:
        """Draw one item of each owner, with its number."""
        at = np.arange(self.n), rng.integers(0, self.length, self.n)
        return self.items[at], self.numbers[at]
