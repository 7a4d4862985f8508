"""A likelihood near a point f of the simplex, to the second order, and where that is largest.

Per report the slope is G, the mean of the scores L / (L f), and the curvature C is the mean of
their products. Only contrasts can move, so C may lose what is constant along rows or columns.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import scipy

from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.estimate.quadratic import Start, minima

TINY = 1e-300
FAINT = 1e-3  # of an even share: codes below are likely to be zero
OVERSHOT = 1.5  # times the curvature that is taken: from twice that on steps go to and fro
ROUNDING = 1e-12  # relative error of a log-likelihood and of a mean of scores


class Expansion(Protocol):
    """Height, slope and curvature; a curvature that is only near costs steps, never accuracy."""

    @property
    def value(self) -> float:
        """The log-likelihood at f, of all reports."""

    @property
    def multiplier(self) -> Vector:
        """The slope G for each report."""

    @property
    def remaining(self) -> float:
        """What is still to be gained for each report."""

    def peak(self, stretch: float) -> Vector:
        """Return the g that maximises G'(g - f) - stretch (g - f)' C (g - f) / 2."""

    def stretch(self, step: Vector, fall: Vector) -> float:
        """Return what C has to be multiplied with so that the slope falls so much in a step."""


@dataclass(frozen=True)
class Certified:
    """A slope certifies what is still to be gained, at most, whatever the curvature is."""

    f: Vector
    value: float
    multiplier: Vector

    @property
    def remaining(self) -> float:
        return float(self.multiplier.max() - 1)


@dataclass(frozen=True)
class Diagonal(Certified):
    """The curvature is the diagonal of that of L / (L f) - 1, for any number of codes."""

    curvature: Vector  # (size,)

    def peak(self, stretch: float) -> Vector:
        stiffness = stretch * self._stiffness
        g = simplex(self.f + (self.multiplier - 1) / stiffness, stiffness)
        return g / g.sum()

    def stretch(self, step: Vector, fall: Vector) -> float:
        """Compare the fall with the step in the metric of the inverse, on codes above zero.

        That is the larger of the two classic choices, which asks for the shorter step. What falls
        alike for all codes does not count.
        """
        give = np.where(self.f + step > 0, 1 / self._stiffness, 0.0)
        apart = fall - (fall @ give) / give.sum()
        return float((apart**2 @ give) / (fall @ step))

    @cached_property
    def _stiffness(self) -> Vector:
        return np.maximum(self.curvature, ROUNDING)


@dataclass(frozen=True)
class Dense(Certified):
    """The curvature is A'A, as needed for few outcomes and for similar laws."""

    root: Matrix  # A: (outcomes, laws)

    def peak(self, stretch: float) -> Vector:
        """Fit A g to A f + b by least squares, with A'b the slope over the stretch.

        Such a b is A f: C f = G. Since g sums to one, the target joins the columns of A, and Dax's
        device makes of it plain non-negative least squares.
        """
        target = self.root @ self.f * (1 + 1 / stretch)
        rows = np.vstack([self.root - target[:, None], np.ones(len(self.f))])
        g, _ = scipy.optimize.nnls(rows, np.append(np.zeros(len(self.root)), 1.0))
        return g / g.sum()

    def stretch(self, step: Vector, fall: Vector) -> float:
        bend = float(np.sum((self.root @ step) ** 2))
        return float(fall @ step) / max(bend, TINY)


@dataclass(frozen=True)
class Curved(Certified):
    """The curvature is A'A, worked out if it is asked for: many outcomes cost no more than few."""

    probabilities: Matrix  # (outcomes, laws)
    weight: Vector  # (outcomes,), by which it becomes A

    def peak(self, stretch: float) -> Vector:
        """Minimise g' C g / 2 - (1 + 1 / stretch) G'g: C f is G."""
        pull = self.multiplier * (1 + 1 / stretch)
        g = minima(self.curvature, pull[None], ((np.ones(len(pull)), 1.0),)).f[0, 0]
        return g / g.sum()

    def stretch(self, step: Vector, fall: Vector) -> float:
        bend = float(np.sum((self.weight * (self.probabilities @ step)) ** 2))
        return float(fall @ step) / max(bend, TINY)

    @cached_property
    def curvature(self) -> Matrix:
        """C: (laws, laws)."""
        root = self.probabilities * self.weight[:, None]
        return root.T @ root


@dataclass(frozen=True)
class Near:
    """The curvature is that of a point near by, for likelihoods where each costs many slopes.

    A slope in single precision has no sharp certificate: some code out of many always seems to
    have something to gain. A curvature that is nearly right says what there is to gain, and by how
    many standard errors the codes would move for it: by the root of twice that at most.
    """

    f: Vector
    value: float
    multiplier: Vector
    curvature: Matrix  # (codes, codes), positive definite where codes sum to zero

    @property
    def remaining(self) -> float:
        return float(self.multiplier @ (self.peak(1.0) - self.f))

    def peak(self, stretch: float) -> Vector:
        return self._peak if stretch == 1.0 else self._ahead(stretch)

    def stretch(self, step: Vector, fall: Vector) -> float:
        """Compare the fall with the bend, where the slope falls so fast that steps overshoot."""
        steeper = float(fall @ step) / max(float(step @ self.curvature @ step), TINY)
        return steeper if steeper > OVERSHOT else 1.0

    @cached_property
    def _peak(self) -> Vector:
        return self._ahead(1.0)

    def _ahead(self, stretch: float) -> Vector:
        """Minimise g' C g / 2 - (G / stretch + C f)'g, from the support of the diagonal's peak."""
        pull = self.multiplier / stretch + self.curvature @ self.f
        ahead = self.f + (self.multiplier - 1) / (stretch * np.diag(self.curvature))
        positive = (ahead > 0) & (self.f > FAINT / len(self.f))
        begin = Start.on(self.curvature, positive)
        g = minima(self.curvature, pull[None], ((np.ones(len(pull)), 1.0),), begin).f[0, 0]
        return g / g.sum()
