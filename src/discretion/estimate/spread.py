"""How uncertain an estimate is, worked out when it is asked for.

A dense covariance costs the square of the codes, and that of the mle as much for every report. A
caller who only wants the frequencies does not pay for it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from discretion.estimate.noise import ANSWER, Matrix, Noise, Vector


class Spread(Protocol):
    """The covariance of an estimate; its diagonal may be had for less than the whole.

    Intervals are around the estimate moved by the shift: a maximum that keeps to what can be is
    not where it would be if it did not.
    """

    @property
    def shift(self) -> Vector | float: ...

    @property
    def covariance(self) -> Matrix: ...

    @property
    def variance(self) -> Vector: ...


@dataclass(frozen=True, eq=False)
class Known:
    """A covariance that is there."""

    covariance: Matrix  # (size, size)
    shift: Vector | float = 0.0

    @property
    def variance(self) -> Vector:
        return np.diag(self.covariance)


@dataclass(frozen=True, eq=False)
class Deviations:
    """Deviations whose products sum up to the covariance."""

    root: Matrix  # (r, size)
    shift: Vector | float = 0.0

    @property
    def covariance(self) -> Matrix:
        return self.root.T @ self.root

    @property
    def variance(self) -> Vector:
        return (self.root**2).sum(axis=0)


@dataclass(frozen=True, eq=False)
class Later:
    """A covariance that is worked out once, from the reports; a copy carries it, not them."""

    work: Callable[[], Matrix]
    moved: Callable[[], Vector | float] = float  # the shift

    @cached_property
    def covariance(self) -> Matrix:
        return self.work()

    @cached_property
    def shift(self) -> Vector | float:
        return self.moved()

    @property
    def variance(self) -> Vector:
        return np.diag(self.covariance)

    def __reduce__(self) -> tuple[type[Known], tuple[Matrix, Vector | float]]:
        return Known, (self.covariance, self.shift)


@dataclass(frozen=True, eq=False)
class NoiseSpread:
    """The noise of an estimate at frequencies f; the variances cost no more than f did."""

    noise: Noise
    f: Vector
    shift: Vector | float = 0.0

    @cached_property
    def covariance(self) -> Matrix:
        return self.noise.covariance(self.f)

    @property
    def variance(self) -> Vector:
        return self.noise.variance(self.f)


@dataclass(frozen=True, eq=False)
class Stratified:
    """Independent parts, each with a factor, and the products of some rows."""

    parts: tuple[tuple[float, Spread], ...]
    rows: Matrix  # (few, size)
    shift: Vector | float = 0.0

    @cached_property
    def covariance(self) -> Matrix:
        own = (factor * part.covariance for factor, part in self.parts)
        return sum(own, self.rows.T @ self.rows)

    @property
    def variance(self) -> Vector:
        return sum(
            (factor * part.variance for factor, part in self.parts), (self.rows**2).sum(axis=0)
        )


@dataclass(frozen=True, eq=False)
class AroundOwners:
    """The spread around n owners' own frequencies, which lie near f, not the population's."""

    whole: Spread
    f: Vector
    n: int

    @property
    def shift(self) -> Vector | float:
        return self.whole.shift

    @cached_property
    def covariance(self) -> Matrix:
        return self.whole.covariance - ANSWER.covariance(self.f) / self.n

    @property
    def variance(self) -> Vector:
        return self.whole.variance - ANSWER.variance(self.f) / self.n
