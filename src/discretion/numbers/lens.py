"""The profile of bins that are finer around a point, and the noise of reports in them.

Where in a bin its numbers are heaped decides F(t), and reports hardly tell. Only the bins near t
are not those of the fit, so only the information that they share with others is new for each t.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.quadratic import NOWHERE, Start
from discretion.numbers.profile import Profile, Question
from discretion.numbers.sieve import TINY, Edges, Sieve

Cell = tuple[int, int]  # the first grid point of a bin, and that of the next one
Known = tuple[Vector, Vector]  # scores of a bin: (outputs,), and the information it shares: (bins,)


@dataclass(frozen=True, eq=False)
class Lens:
    """The bins of a fit, ready to be replaced by finer ones."""

    sieve: Sieve
    value: Vector  # (bins,), the most likely
    weight: Vector  # (outputs,), by which P(y | bin) becomes a score
    scores: Matrix  # (outputs, bins)
    start: Start  # near the most likely one
    profile: Profile
    known: dict[Cell, Known] = field(default_factory=dict)

    @classmethod
    def over(cls, sieve: Sieve, value: Vector) -> Self:
        weight = np.sqrt(sieve.counts) / np.maximum(sieve.chance @ value, TINY)
        scores = sieve.chance * weight[:, None]
        information = scores.T @ scores
        start = Start.inverted(information, (value > 0)[None])
        profile = Profile.around(value, information, start)
        return cls(sieve, value, weight, scores, start, profile)

    def at(self, t: int) -> "Closeup":
        """Ask for F(t)."""
        near, edges = self.sieve.finer(t)
        finer, shared = self._seen(edges)
        wide = replaced(self.profile.information, near, shared.T)
        information = replaced(wide.T, near, replaced(shared, near, finer @ finer.T).T)
        pull = replaced(self.profile.pull, near, 2 * shared @ self.value)
        starts = replaced(self.sieve.edges[:-1], near, edges[:-1])
        start = _moved(self.start, self.sieve.edges, near, edges)
        profile, row = Profile(information.T, pull, start), (starts <= t).astype(float)
        return Closeup(profile, row, self, t, near, edges, finer)

    def _seen(self, edges: Edges) -> tuple[Matrix, Matrix]:
        """Return scores of other bins, (bins, outputs), and what they share with those of the fit.

        That is kept: points that are near each other have most of their bins in common.
        """
        cells = list(pairwise(edges.tolist()))
        new = [i for i, cell in enumerate(cells) if cell not in self.known]
        if new:
            scores = self.sieve.seen(edges).T[new] * self.weight
            own = zip(scores, scores @ self.scores, strict=True)
            self.known.update(zip((cells[i] for i in new), own, strict=True))
        found = [self.known[cell] for cell in cells]
        return np.array([scores for scores, _ in found]), np.array([shared for _, shared in found])


@dataclass(frozen=True, eq=False)
class Closeup(Question):
    """What F(t) may be, over bins that are finer around t."""

    lens: Lens
    t: int
    near: slice  # bins of the fit that are replaced
    edges: Edges  # of the finer ones
    finer: Matrix  # (finer bins, outputs), their scores

    def spread(self, f: Vector) -> Vector:
        """Return the same distribution over these bins."""
        coarse = self.lens.sieve.edges
        place = np.searchsorted(coarse, self.edges[:-1], side="right") - 1
        return replaced(f, self.near, (f / np.diff(coarse))[place] * np.diff(self.edges))

    def moved(self, start: Start) -> Start:
        """Return where problems over these bins begin that are like some over those of the fit."""
        return _moved(start, self.lens.sieve.edges, self.near, self.edges)


def _moved(start: Start, coarse: Edges, near: slice, edges: Edges) -> Start:
    """Return a start over finer bins: of those in a bin, the first is positive if that is."""
    first = np.searchsorted(edges, coarse[near])
    finer = np.zeros((len(start.supports), len(edges) - 1), np.bool_)
    finer[:, first] = start.supports[:, near]
    supports = replaced(start.supports, near, finer)
    entries = np.arange(len(coarse) - 1)
    entries[near] = NOWHERE
    entries[near.stop :] += finer.shape[1] - len(first)
    return start.moved(supports, entries)


def replaced(coarse: npt.NDArray[Any], near: slice, fine: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return what is said of bins, along the last axis, with that of finer ones in their place."""
    parts = [coarse[..., : near.start], fine, coarse[..., near.stop :]]
    return np.concatenate(parts, axis=-1)
