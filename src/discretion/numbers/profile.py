"""How much less likely than the best distribution of bins others are: a profile likelihood.

A distribution lacks twice what its log-likelihood is short of the maximum. Around that the lack is
a parabola, so that the best distribution for which a linear function, such as F(t), has a given
value comes from a small quadratic problem.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
import scipy

from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.quadratic import Equation, Minima, Start, minima

ROUNDING = 1e-9  # of probabilities
NEAR = 0.01  # of the allowed lack, at which a bound is found: half a percent of its distance


@dataclass(frozen=True, eq=False)
class Profile:
    """What distributions lack, up to a constant: f' information f - 2 pull' f on the simplex."""

    information: Matrix  # (bins, bins)
    pull: Vector  # (bins,)
    start: Start | None = None  # near the best one

    @classmethod
    def around(cls, value: Vector, information: Matrix, start: Start) -> Self:
        """Expand twice the log-likelihood to the second order around its maximum.

        The slope of the log-likelihood is information @ value. So the lack of f that sum to one is
        (f - value)' information (f - value) - 2 value' information (f - value), of which the second
        term keeps f out of empty bins.
        """
        return cls(information, 2 * information @ value, start)

    def smoother(self, firmness: float, about: Vector) -> "Profile":
        """Add a prior: f / about of inner neighbours differ by about firmness^(-1/2)."""
        inner = np.eye(len(about))[1:-1] / about[1:-1, None]
        rows = np.diff(inner, axis=0)
        return Profile(self.information + firmness * rows.T @ rows, self.pull)

    def best(self, *equations: Equation) -> Vector:
        """Return the f >= 0 that lacks least, of those that sum to one and fulfil equations."""
        return self._minima(self.pull[None], equations, 1 + len(equations)).f[0, 0]

    def best_of(self, pulls: Matrix, *equations: Equation, start: Start | None = None) -> Minima:
        """Return the best f of other reports, by their pulls, without and with each equation."""
        return self._minima(pulls, equations, 1, start)

    def _minima(
        self,
        pulls: Matrix,
        equations: tuple[Equation, ...],
        first: int,
        start: Start | None = None,
    ) -> Minima:
        whole = ((np.ones(len(self.pull)), 1.0), *equations)
        return minima(self.information, pulls, whole, start or self.start, first)

    def lack(self, f: Vector) -> float:
        return float(self.lack_of(self.pull, f))

    def lack_of(self, pulls: Matrix, f: Matrix) -> Vector:
        """Return the same of other reports, by their pulls."""
        lacks: Vector = np.sum((f @ self.information - 2 * pulls) * f, axis=-1)
        return lacks

    def pulls(self, truth: Vector, noise: Matrix) -> Matrix:
        """Return the pulls of reports drawn as if this f were the truth; their noise is given."""
        return self.information @ truth + noise


@dataclass(frozen=True, eq=False)
class Question:
    """What row @ f may be."""

    profile: Profile
    row: Vector  # (bins,)
    found: dict[float, Vector] = field(default_factory=dict, init=False)

    @cached_property
    def best(self) -> Vector:
        return self.profile.best()

    def best_at(self, at: float) -> Vector:
        """Return the best distribution with row @ f = at."""
        if at not in self.found:
            self.found[at] = self.profile.best((self.row, at))
        return self.found[at]

    def lack(self, at: float) -> float:
        """Return how much the best distribution with row @ f = at lacks."""
        return max(self.profile.lack(self.best_at(at)) - self.profile.lack(self.best), 0.0)

    def excess(self, at: float) -> float:
        """Return the root of that, negative if the best distribution of all has more than this."""
        found = self.profile.best_of(self.profile.pull[None], (self.row, at))
        self.found[at] = found.f[0, 1]
        return float(self._excesses(at, found)[0])

    def excesses(
        self, at: float, pulls: Matrix, start: Start | None = None
    ) -> tuple[Vector, Start]:
        """Return the same of other reports, by their pulls, and where further ones may begin."""
        found = self.profile.best_of(pulls, (self.row, at), start=start)
        return self._excesses(at, found), found.end

    def _excesses(self, at: float, found: Minima) -> Vector:
        distance = np.sqrt(np.maximum(found.height[:, 1] - found.height[:, 0], 0.0))
        return np.copysign(distance, at - found.f[:, 0] @ self.row)

    def bounds(self, allowed: float) -> tuple[float, float]:
        """Return the least and the largest value that lacks no more than is allowed."""
        least, most = float(self.row.min()), float(self.row.max())
        here = min(max(float(self.row @ self.best), least), most)
        low, high = (self._bound(here, end, allowed) for end in (least, most))
        return min(low, here), max(high, here)

    def _bound(self, here: float, end: float, allowed: float) -> float:
        """Return where, from here towards the end, the lack reaches what is allowed."""
        if abs(end - here) <= ROUNDING * max(abs(end), 1.0) or self.lack(end) <= allowed:
            return end

        def beyond(at: float) -> float:
            lack = self.lack(at)
            return float(np.sqrt(lack / allowed) - 1) if abs(lack / allowed - 1) > NEAR else 0.0

        return float(scipy.optimize.brentq(beyond, here, end))
