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
    """The covariance of an estimate; its diagonal may be had for less than the whole."""

    @property
    def covariance(self) -> Matrix: ...

    @property
    def variance(self) -> Vector: ...


@dataclass(frozen=True, eq=False)
class Known:
    """A covariance that is there."""

    covariance: Matrix  # (size, size)

    @property
    def variance(self) -> Vector:
        return np.diag(self.covariance)


@dataclass(frozen=True, eq=False)
class Deviations:
    """Deviations whose products sum up to the covariance."""

    root: Matrix  # (r, size)

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

    @cached_property
    def covariance(self) -> Matrix:
        return self.work()

    @property
    def variance(self) -> Vector:
        return np.diag(self.covariance)

    def __reduce__(self) -> tuple[type[Known], tuple[Matrix]]:
        return Known, (self.covariance,)


@dataclass(frozen=True, eq=False)
class NoiseSpread:
    """The noise of an estimate at frequencies f; the variances cost no more than f did."""

    noise: Noise
    f: Vector

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

    @cached_property
    def covariance(self) -> Matrix:
        return self.whole.covariance - ANSWER.covariance(self.f) / self.n

    @property
    def variance(self) -> Vector:
        return self.whole.variance - ANSWER.variance(self.f) / self.n
