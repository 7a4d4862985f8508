"""Intervals of a share that was estimated twice, the first time as one of those that were largest.

The first estimate x and the pooled one p are normal around the share f, and x was above a limit, or
else nobody would have asked again. The ends are the shares at which as large a p, or as small a
one, comes out with half of what is left of the confidence, given that x is above the limit. So all
of the second round counts, and of the first what the selection leaves (Fithian, Sun and Taylor 2014
call this data carving).
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr

from discretion.estimate.noise import Vector

FAR = 9.0  # standard errors, beyond which nothing is left of a normal law
POINTS = 1200  # at which a density is summed
FARTHEST = 20.0  # standard errors that an end may be away


@dataclass(frozen=True)
class Carved:
    """A pooled estimate and what it has to do with the first one, whose limit may be -inf."""

    value: float
    stderr: float
    first_stderr: float
    together: float  # the covariance of both
    least: float

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return low and high, within what a share can be and by a standard error into it."""
        low, high = (self._share_at((1 - sign * confidence) / 2) for sign in (1, -1))
        least, most = min(low, self.value, 1 - self.stderr), max(high, self.value, self.stderr)
        return max(least, 0.0), min(most, 1.0)

    def _share_at(self, chance: float) -> float:
        ends = self.value - FARTHEST * self.stderr, self.value + FARTHEST * self.stderr
        inside = [self._above(end) - chance for end in ends]
        if inside[0] > 0 or inside[1] < 0:
            return ends[0] if inside[0] > 0 else ends[1]
        return float(brentq(lambda share: self._above(share) - chance, *ends, xtol=1e-9))

    def _above(self, share: float) -> float:
        """Return how often the pooled estimate of a selected share is not below this one."""
        short = max(self.least - share, 0.0) / self.first_stderr
        if np.isinf(self.least):
            short = 0.0
        z = share + self.stderr * np.linspace(-FAR, FAR + short, POINTS)
        density = self._log_density(z, share)
        density = np.exp(density - density.max())
        reached = np.searchsorted(z, self.value)
        total = np.concatenate([[0.0], np.cumsum(density)])
        return float(1 - total[reached] / total[-1])

    def _log_density(self, z: Vector, share: float) -> Vector:
        """Return that of the pooled estimate given selection, but for a constant."""
        normal = -(((z - share) / self.stderr) ** 2) / 2
        if np.isinf(self.least):
            return np.asarray(normal)
        slope = self.together / self.stderr**2
        rest = self.first_stderr**2 - self.together * slope
        error = np.sqrt(max(rest, (1e-6 * self.first_stderr) ** 2))
        return np.asarray(normal + log_ndtr((share + slope * (z - share) - self.least) / error))
