"""Whose answers are reported: random laws in which attributes depend on each other, and Adult."""

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from papers.lopub.data import CENSUS, Survey

SEED = 29_100  # of the random laws, which are fixed beforehand
CLASSES, CONCENTRATION = 4, 0.7

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Pair = tuple[int, int]


class Population(Protocol):
    """Whose answers are simulated, and what is true of them."""

    @property
    def sizes(self) -> tuple[int, ...]: ...

    def pair(self, one: int, other: int) -> Array: ...

    def crowd(self, n: int, rng: np.random.Generator) -> Codes: ...


class Law(NamedTuple):
    """A mixture of classes in which attributes are independent."""

    weights: Array  # (classes,)
    shares: Array  # (attributes, classes, values)

    @classmethod
    def drawn(cls, values: int, attributes: int, number: int) -> "Law":
        rng = np.random.default_rng([SEED, values, attributes, number])
        weights = rng.dirichlet(np.full(CLASSES, 2.0))
        shares = rng.dirichlet(np.full(values, CONCENTRATION), (attributes, CLASSES))
        return cls(weights, shares)

    @property
    def sizes(self) -> tuple[int, ...]:
        return (self.shares.shape[2],) * len(self.shares)

    def pair(self, one: int, other: int) -> Array:
        return np.asarray(
            np.einsum("z,zi,zj->ij", self.weights, self.shares[one], self.shares[other])
        )

    def crowd(self, n: int, rng: np.random.Generator) -> Codes:
        """Draw the codes of n people."""
        own = rng.choice(len(self.weights), n, p=self.weights)
        below = self.shares.cumsum(axis=2)[:, own].transpose(1, 0, 2)
        drawn = rng.random((n, len(self.shares), 1))
        codes = (drawn > below).sum(axis=2)
        return np.minimum(codes, self.shares.shape[2] - 1)


class Records(NamedTuple):
    """Records of a file, each of which is somebody."""

    codes: Codes
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, raw: pa.Table, survey: Survey = CENSUS) -> "Records":
        records = survey.records(raw)
        columns = [
            pc.index_in(records[own.name], pa.array(own.labels))
            if own.labels
            else records[own.name]
            for own in survey.fields
        ]
        codes = np.column_stack([column.to_numpy().astype(np.int64) for column in columns])
        return cls(codes, survey.shape)

    def pair(self, one: int, other: int) -> Array:
        table = np.zeros((self.sizes[one], self.sizes[other]))
        np.add.at(table, (self.codes[:, one], self.codes[:, other]), 1 / len(self.codes))
        return table

    def crowd(self, n: int, rng: np.random.Generator) -> Codes:
        return rng.permutation(self.codes)[:n]
