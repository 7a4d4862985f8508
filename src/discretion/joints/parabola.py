"""The likelihood of a table near its maximum: a parabola in the cells, which needs no report.

What the reports say of a table of two attributes is the most likely one and the information about
its cells, hardly more: between it and the shrunk tables the parabola is off by some hundredths of a
nat, where the reports leave several open. Models that are fitted to it cost no pass over reports.
The information is that of the table at which expectation maximisation ends, a nat below the top.
"""

from dataclasses import dataclass
from typing import Self

from discretion.estimate.noise import Matrix, Vector
from discretion.joints.likelihood import TableLikelihood


@dataclass(frozen=True)
class Parabola:
    """A ``TableLikelihood`` with the height and the slope of one table, and constant curvature."""

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
