"""The profile of bins that are finer around a point, and the noise of reports in them.

Where in a bin its numbers are heaped decides F(t), and reports hardly tell. Only the bins near t
are not those of the fit, so only the information that they share with others is new for each t.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.quadratic import Supports
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
        support = _moved((self.value > 0)[None], self.sieve.edges[:-1], starts)[0]
        profile, row = Profile(information, pull, support), (starts <= t).astype(float)
        return Closeup(profile, row, self, t, near, edges, finer)

    @cached_property
    def factors(self) -> tuple[Matrix, Matrix]:
        """An orthonormal basis of the scores (outputs, rows), and the scores in it (rows, bins)."""
        basis, root = np.linalg.qr(self.scores)
        return basis, root


@dataclass(frozen=True, eq=False)
class Closeup(Question):
    """What F(t) may be, over bins that are finer around t."""

    lens: Lens
    t: int
    near: slice  # bins of the fit that are replaced
    edges: Edges  # of the finer ones
    finer: Matrix  # (outputs, finer bins), their scores

    def spread(self, f: Vector) -> Vector:
        """Return the same distribution over these bins."""
        coarse = self.lens.sieve.edges
        place = np.searchsorted(coarse, self.edges[:-1], side="right") - 1
        return replaced(f, self.near, (f / np.diff(coarse))[place] * np.diff(self.edges))

    def noise(self, draws: int, rng: np.random.Generator) -> Matrix:
        """Draw how reports scatter the pulls of these bins: (draws, bins).

        In the basis of all bins, only what finer bins add to it is new.
        """
        basis, root = self.lens.factors
        known = basis.T @ self.finer
        added = np.linalg.qr(self.finer - basis @ known, mode="r")
        drawn = rng.standard_normal((draws, len(root) + len(added)))
        finer = drawn @ np.vstack([known, added])
        return replaced(drawn[:, : len(root)] @ root, self.near, finer)


def replaced(coarse: npt.NDArray[Any], near: slice, fine: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return what is said of bins, along the last axis, with that of finer ones in their place."""
    before, after = _sides(near)
    return np.concatenate([coarse[..., before], fine, coarse[..., after]], axis=-1)


def _sides(near: slice) -> tuple[slice, slice]:
    return slice(None, near.start), slice(near.stop, None)


def _moved(supports: Supports, old: Edges, new: Edges) -> Supports:
    """Return supports over other bins, of which those with the same starts are positive."""
    place = np.searchsorted(new, old, side="right") - 1
    used, first = np.unique(place, return_index=True)
    found = np.zeros((len(supports), len(new)), np.bool_)
    found[:, used] = np.logical_or.reduceat(supports, first, axis=1)
    return found
