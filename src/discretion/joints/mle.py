"""The most likely table, how well the reports determine it, and around what."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from discretion.estimate import mle
from discretion.estimate.em import ascend
from discretion.estimate.expansion import Near
from discretion.estimate.likelihood import maximise
from discretion.estimate.noise import Matrix, Vector
from discretion.joints.likelihood import Table, TableLikelihood
from discretion.joints.moments import Moments, Roots

NATS = 1.0  # that expectation maximisation leaves to be gained where better steps follow
LEFT = 0.1  # that it leaves where none do, as tables are too large for their information
STEEP = 100  # of what rounding does to the likelihood: what it does to the certificate
MOST_PASSES = 300
GAIN = 1e-6  # nats still to be gained in all: no cell would move by 1.4e-3 standard errors
COARSE = 10  # times what rounding does on average: where few rows stand for many reports each
SHARP = 1e-3  # of what rounding does to the likelihood: what it does to that gain, at most
ROUNDED = 1e-5  # of a cell's information: directions with less are left where they are
MOST_CELLS = 1024  # of tables whose information is worked out: it has the square of that
SINGULAR = 1e-12  # information below which a contrast is as good as unknown
UNKNOWN = 4.0  # a deviation that says nothing about a frequency
LOOSE = 1.15  # of the moments' deviations as bounds: their shards estimate them to 5 % only
MIXED = 0.05  # of the uniform table in the start, so that no cell is dead


@dataclass(frozen=True)
class Maximum:
    """The most likely table, and the information near to it; of large tables, none."""

    f: Vector
    information: Matrix | None


def most_likely(likelihood: TableLikelihood, start: Vector) -> Maximum:
    """Climb from a table near ``start``; where it is matters for the time only.

    Expectation maximisation comes within a nat of the maximum. The information there is that at the
    maximum within a few per cent, so from there two or three steps to the peak of a parabola lead
    to the maximum itself, with exact zeros.
    """
    begin = (1 - MIXED) * start + MIXED / len(start)
    if len(start) > MOST_CELLS:
        return Maximum(_climbed(likelihood, begin, LEFT, LEFT / 5), None)
    near = _climbed(likelihood, begin, NATS, NATS)
    information = likelihood.information(near)
    least, blur = max(GAIN, SHARP * likelihood.blur), COARSE * likelihood.blur
    return Maximum(maximise(_Nearby.of(likelihood, information), near, least, blur), information)


def _climbed(likelihood: TableLikelihood, begin: Vector, left: float, gain: float) -> Vector:
    deficit = max(left, STEEP * likelihood.blur) / likelihood.n
    f = ascend(likelihood, begin, deficit, MOST_PASSES, max(gain, likelihood.blur)).f
    return f / f.sum()  # single precision loses a little on the way


@dataclass(frozen=True)
class _Nearby:
    """A likelihood whose curvature is taken from a table near by."""

    likelihood: TableLikelihood
    curvature: Matrix  # per report

    @classmethod
    def of(cls, likelihood: TableLikelihood, information: Matrix) -> Self:
        """Make the information definite, which rounding may leave it short of."""
        return cls(
            likelihood, (information + ROUNDED * np.diag(np.diag(information))) / likelihood.n
        )

    @property
    def n(self) -> float:
        return self.likelihood.n

    def at(self, f: Vector) -> Near:
        value, multiplier = self.likelihood.slope(f)
        return Near(f, value, multiplier, self.curvature)


@dataclass(frozen=True)
class Parabola:
    """The likelihood of a table near its maximum: a parabola in the cells, which needs no report.

    What the reports say of a table of two attributes is the most likely one and the information
    about its cells, hardly more: between it and the shrunk tables the parabola is off by some
    hundredths of a nat, where the reports leave several open. The information is that of the table
    at which expectation maximisation ends, a nat below the top.
    """

    shape: tuple[int, ...]
    n: float
    top: Vector  # the most likely table
    height: float  # the log-likelihood there
    multiplier: Vector  # the slope there, by which an EM step multiplies each cell
    curvature: Matrix  # the information about the cells

    @classmethod
    def of(cls, likelihood: TableLikelihood, top: Vector, information: Matrix) -> Self:
        """Take the slope of a likelihood at its maximum, where the information is known."""
        height, multiplier = likelihood.slope(top)
        return cls(likelihood.shape, likelihood.n, top, height, multiplier, information)

    @property
    def blur(self) -> float:
        """Nothing: there are no sums over reports in single precision."""
        return 0.0

    def slope(self, f: Vector) -> tuple[float, Vector]:
        """Return the height, and what an EM step would multiply each cell with.

        The mean of the multiplier is made one, as it is of every likelihood: a constant in it moves
        no table, but a step that took it for a slope would leave the simplex.
        """
        away = f - self.top
        pull = self.curvature @ away
        value = self.height + self.n * float(self.multiplier @ away) - float(pull @ away) / 2
        multiplier = self.multiplier - pull / self.n
        return value, multiplier - f @ multiplier + 1

    def information(self, f: Vector) -> Matrix:
        """Return the information about the cells, the same wherever it is asked for."""
        return self.curvature

    def information_along(self, f: Vector, slopes: Matrix) -> Matrix:
        """Return the information about coordinates that move the cells along ``slopes``."""
        along: Matrix = slopes.T @ self.curvature @ slopes
        return along


def _centred(matrix: Matrix) -> Matrix:
    """Take off what is constant along rows or columns."""
    return matrix - matrix.mean(0) - matrix.mean(1)[:, None] + matrix.mean()


def root(information: Matrix, moments: Moments) -> Roots:
    """Return deviations (cells - 1, ...) whose products sum to the inverse of the information.

    Cells near zero have little observed information, though the reports show that they are rare; a
    less efficient estimate of the same table knows how well. So along none of the directions that
    the information distinguishes is the deviation larger than that of the moments. The directions
    are contrasts: what is known of marginals stays known where their interactions are not.
    """
    shape = moments.value.shape
    values, vectors = np.linalg.eigh(
        _centred(information) - 1
    )  # puts the constant vector first, and alone
    directions = vectors[:, 1:].T
    along = moments.root.reshape(len(moments.root), -1) @ directions.T
    unknown = sum(
        (_component(directions.reshape(-1, *shape), kept) ** 2).sum(axis=0)
        for kept in moments.unknown
    )
    most = np.sqrt((along**2).sum(axis=0) + UNKNOWN**2 * unknown)
    size = np.minimum(1 / np.sqrt(np.maximum(values[1:], SINGULAR)), LOOSE * most)
    return (size[:, None] * directions).reshape(-1, *shape)


def peak(likelihood: TableLikelihood, f: Vector, deviations: Roots) -> Vector:
    """Return the peak of the likelihood off the simplex, by one step from the most likely table."""
    along = deviations.reshape(len(deviations), -1)
    _, slope = likelihood.slope(f)
    return mle.peak(likelihood.slope, f, likelihood.n * (along @ slope) @ along)


def _component(tables: Table, kept: tuple[int, ...]) -> Table:
    """Return what in tables (r, *shape) is a contrast along just these axes, (cells, r)."""
    for axis in range(tables.ndim - 1):
        mean = tables.mean(axis=1 + axis, keepdims=True)
        tables = tables - mean if axis in kept else np.broadcast_to(mean, tables.shape)
    return tables.reshape(len(tables), -1).T
