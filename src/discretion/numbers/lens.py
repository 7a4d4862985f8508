"""The profile of bins that are finer around a point, and the noise of reports in them.

Where in a bin its numbers are heaped decides F(t), and reports hardly tell. Only the bins near t are
others than those of the fit, so only what they have in common with all bins is worked out for each t.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import scipy

from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.quadratic import Supports
from discretion.kernel.quadratic import RIDGE
from discretion.numbers.profile import Profile, Question
from discretion.numbers.sieve import TINY, Edges, Sieve


@dataclass(frozen=True, eq=False)
class Lens:
    """The bins of a fit, ready to be replaced by finer ones."""

    sieve: Sieve
    value: Vector  # (bins,), the most likely
    weight: Vector  # (outputs,), by which P(y | bin) becomes a score
    scores: Matrix  # (outputs, bins)
    profile: Profile

    @classmethod
    def over(cls, sieve: Sieve, value: Vector) -> Self:
        weight = np.sqrt(sieve.counts) / np.maximum(sieve.chance @ value, TINY)
        scores = sieve.chance * weight[:, None]
        return cls(sieve, value, weight, scores, Profile.around(value, scores.T @ scores))

    def at(self, t: int) -> "Closeup":
        """Ask for F(t)."""
        near, edges = self.sieve.finer(t)
        finer = self.sieve.seen(edges) * self.weight[:, None]
        shared, own = (finer.T @ self.scores).T, finer.T @ finer
        (before, after), whole = _sides(near), self.profile.information
        information = np.block(
            [
                [whole[before, before], shared[before], whole[before, after]],
                [shared[before].T, own, shared[after].T],
                [whole[after, before], shared[after], whole[after, after]],
            ]
        )
        pull = replaced(self.profile.pull, near, 2 * shared.T @ self.value)
        starts = replaced(self.sieve.edges[:-1], near, edges[:-1])
        support = moved((self.value > 0)[None], self.sieve.edges[:-1], starts)[0]
        profile, row = Profile(information, pull, support), (starts <= t).astype(float)
        return Closeup(profile, row, self, t, near, edges, starts, shared)

    @cached_property
    def root(self) -> Matrix:
        """A triangle whose square is the information."""
        whole = self.profile.information
        return _root(whole, float(np.diag(whole).max()))


@dataclass(frozen=True, eq=False)
class Closeup(Question):
    """What F(t) may be, over bins that are finer around t."""

    lens: Lens
    t: int
    near: slice  # bins of the fit that are replaced
    edges: Edges  # of the finer ones
    starts: Edges  # (bins,), of all
    shared: Matrix  # (bins of the fit, finer ones), the information that they share

    def spread(self, f: Vector) -> Vector:
        """Return the same distribution over these bins."""
        coarse = self.lens.sieve.edges
        place = np.searchsorted(coarse, self.edges[:-1], side="right") - 1
        return replaced(f, self.near, (f / np.diff(coarse))[place] * np.diff(self.edges))

    def noise(self, coarse: Matrix, fine: Matrix) -> Matrix:
        """Return the noise of pulls in these bins from standard normal draws for either bins."""
        known = scipy.linalg.solve_triangular(self.lens.root, self.shared, trans=1)
        here = slice(self.near.start, self.near.start + len(self.edges) - 1)
        own = self.profile.information[here, here]
        added = _root(own - known.T @ known, float(np.diag(own).max()))
        return replaced(coarse @ self.lens.root, self.near, coarse @ known + fine @ added)


def replaced(coarse: npt.NDArray[Any], near: slice, fine: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return what is said of bins, along the last axis, with that of finer ones in their place."""
    before, after = _sides(near)
    return np.concatenate([coarse[..., before], fine, coarse[..., after]], axis=-1)


def _sides(near: slice) -> tuple[slice, slice]:
    return slice(None, near.start), slice(near.stop, None)


def moved(supports: Supports, old: Edges, new: Edges) -> Supports:
    """Return supports over other bins, of which those with the same starts are positive."""
    place = np.searchsorted(new, old, side="right") - 1
    used, first = np.unique(place, return_index=True)
    found = np.zeros((len(supports), len(new)), np.bool_)
    found[:, used] = np.logical_or.reduceat(supports, first, axis=1)
    return found


def _root(square: Matrix, largest: float) -> Matrix:
    """Return an upper triangle whose square it is, but for rounding, of which there may be more."""
    ridge = RIDGE * largest
    while True:
        try:
            return np.linalg.cholesky(square + ridge * np.eye(len(square)), upper=True)
        except np.linalg.LinAlgError:
            ridge *= 10
