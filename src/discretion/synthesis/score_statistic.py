"""The score statistic of two attributes: the score at independence, and its covariance."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from discretion.estimate.noise import Matrix, Vector
from discretion.family.part import Single

BLOCK = 1 << 22  # entries of products that are in memory at once


class Sample(NamedTuple):
    """Reports: the products of both sides are what each adds to a score."""

    left: Single  # (reports, contrasts) of one attribute, or ones
    right: Single  # (reports, contrasts) of the other, or interactions
    times: Vector  # (reports,): how many others each stands for


@dataclass(frozen=True, eq=False)
class ScoreStatistic:
    """The score c of the interactions, with covariance V, from n reports about both attributes.

    Near independence V^-1 c estimates theta with covariance V^-1.
    """

    value: Vector
    covariance: Matrix
    n: int
    sampled: bool = False  # whether V is that of what the reports add to c, as they were drawn
    samples: tuple[Sample, ...] = ()

    @classmethod
    def nothing(cls, size: int) -> Self:
        """Return the statistic of no reports."""
        return cls(np.zeros(size), np.zeros((size, size)), 0)

    def __add__(self, other: "ScoreStatistic") -> "ScoreStatistic":
        """Add the statistic of other reports."""
        return ScoreStatistic(
            self.value + other.value,
            self.covariance + other.covariance,
            self.n + other.n,
            self.sampled or other.sampled,
            (*self.samples, *other.samples),
        )

    def excess(self, whitening: Matrix) -> float:
        """Return the variance of the squared score that a normal one would not have.

        The score z of K whitened interactions has E |z|^4 - K^2 = 2 K + sum E |z_i|^4 - (K^2 + 2 K)
        / n, if all n reports weigh alike.
        """
        size, fourth = whitening.shape[1], 0.0
        for left, right, times in self.samples:
            step = max(1, BLOCK // len(whitening))
            for start in range(0, len(left), step):
                rows = slice(start, start + step)
                added = (left[rows, :, None] * right[rows, None]).reshape(-1, len(whitening))
                squares = ((added @ whitening.astype(np.float32)) ** 2).sum(axis=1)
                fourth += float(times[rows] @ squares.astype(np.float64) ** 2)
        return max(fourth - size * (size + 2) / self.n, 0.0)
