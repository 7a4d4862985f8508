"""How much less likely than the best distribution of bins others are: a profile likelihood.

A distribution lacks twice what its log-likelihood is short of the maximum. Around that the lack is
a parabola, so that the best distribution for which a linear function, such as F(t), has a given
value comes from a small non-negative least squares problem.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import scipy

from discretion.estimate.expansion import Dense
from discretion.estimate.likelihood import MixtureLikelihood
from discretion.estimate.noise import Matrix, Vector
from discretion.numbers.sieve import TINY, Sieve

HEAVY = 1e3  # the weight of an equation that must hold, in those of others
ROUNDING = 1e-9  # of probabilities
NEAR = 0.01  # of the allowed lack, at which a bound is found: half a percent of its distance


@dataclass(frozen=True)
class SqueezedLikelihood(MixtureLikelihood):
    """The same, with as many rows of scores as bins: many outputs then cost no more than few."""

    def at(self, f: Vector) -> Dense:
        here = super().at(f)
        return replace(here, root=np.asarray(np.linalg.qr(here.root, mode="r")))


@dataclass(frozen=True, eq=False)
class Profile:
    """What distributions lack: |root f - target|^2 above its minimum, for f on the simplex."""

    root: Matrix  # (rows, bins); root' root is the information
    target: Vector  # (rows,)

    @classmethod
    def around(cls, value: Vector, likelihood: SqueezedLikelihood) -> Self:
        """Expand twice the log-likelihood to the second order around its maximum.

        With A' A the curvature, the slope is A' A value. So for f that sum to one the lack is
        |A (f - value) - A value|^2 - n, of which the second term keeps f out of empty bins.
        """
        a = np.sqrt(likelihood.n) * likelihood.at(value).root
        return cls(a - (a @ value)[:, None], a @ value)

    def smoother(self, firmness: float, about: Vector) -> Self:
        """Add a prior: f / about of inner neighbours differ by about firmness^(-1/2)."""
        inner = np.eye(len(about))[1:-1] / about[1:-1, None]
        rows = np.sqrt(firmness) * np.diff(inner, axis=0)
        return type(self)(
            np.vstack([self.root, rows]), np.concatenate([self.target, np.zeros(len(rows))])
        )

    def best(self, *equations: tuple[Vector, float]) -> Vector:
        """Return the f >= 0 that lacks least, of those that sum to one and fulfil equations."""
        bins = self.root.shape[1]
        left, right = [np.ones(bins)], [1.0]
        for row, at in equations:
            scale = np.abs(row).max() or 1.0
            left.append(row / scale)
            right.append(at / scale)
        largest = max(float(np.linalg.norm(self.target)), float(np.abs(self.root).max()), 1.0)
        weight = HEAVY * largest
        f: Vector = scipy.optimize.nnls(
            np.vstack([self.root, weight * np.array(left)]),
            np.concatenate([self.target, weight * np.array(right)]),
            maxiter=100 * bins,
        )[0]
        return f

    def lack(self, f: Vector) -> float:
        return float(np.sum((self.root @ f - self.target) ** 2))

    def redrawn(self, truth: Vector, rng: np.random.Generator) -> Self:
        """Return what other reports would say, drawn as if this f were the truth."""
        return replace(self, target=self.root @ truth + rng.standard_normal(len(self.root)))


@dataclass(frozen=True, eq=False)
class Question:
    """What row @ f may be."""

    profile: Profile
    row: Vector  # (bins,)

    @cached_property
    def best(self) -> Vector:
        return self.profile.best()

    def lack(self, at: float) -> float:
        """Return how much the best distribution with row @ f = at lacks."""
        found = self.profile.best((self.row, at))
        return max(self.profile.lack(found) - self.profile.lack(self.best), 0.0)

    def excess(self, at: float) -> float:
        """Return the root of that, negative if the best distribution of all has more than this."""
        return float(np.copysign(np.sqrt(self.lack(at)), at - self.row @ self.best))

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


@dataclass(frozen=True, eq=False)
class Lens:
    """The profile of bins that are finer around a point."""

    sieve: Sieve
    value: Vector  # (bins,), the most likely
    weight: Vector  # (outputs,), by which P(y | bin) becomes a score
    basis: Matrix  # (outputs, bins), orthonormal
    root: Matrix  # (bins, bins): basis @ root are the scores of the bins

    @classmethod
    def over(cls, sieve: Sieve, value: Vector) -> Self:
        weight = np.sqrt(sieve.counts) / np.maximum(sieve.chance @ value, TINY)
        return cls(sieve, value, weight, *np.linalg.qr(sieve.chance * weight[:, None]))

    def at(self, t: int) -> Question:
        """Ask for F(t). In the basis, only what finer bins add to it is new."""
        near, edges = self.sieve.finer(t)
        scores = self.sieve.seen(edges) * self.weight[:, None]
        known = self.basis.T @ scores
        added = np.linalg.qr(scores - self.basis @ known, mode="r")
        finer = np.vstack([known, added])
        root = np.vstack([self.root, np.zeros((len(added), len(self.value)))])
        best = root @ self.value
        root = np.hstack([root[:, : near.start], finer, root[:, near.stop :]])
        starts = self._spread(self.sieve.edges[:-1], near, edges[:-1])
        return Question(Profile(root - best[:, None], best), (starts <= t).astype(float))

    def spread(self, f: Vector, t: int) -> Vector:
        """Return the same distribution over the bins that are finer around a point."""
        near, edges = self.sieve.finer(t)
        coarse = self.sieve.edges
        place = np.searchsorted(coarse, edges[:-1], side="right") - 1
        return self._spread(f, near, (f / np.diff(coarse))[place] * np.diff(edges))

    @staticmethod
    def _spread(coarse: npt.NDArray[Any], near: slice, fine: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.concatenate([coarse[: near.start], fine, coarse[near.stop :]])
