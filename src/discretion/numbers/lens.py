"""Bins that are finer around a point, and what reports say of them.

Where in a bin its numbers are heaped decides F(t), and reports hardly tell. Only the bins near t
are not those of the fit, so only the information that they share with others is new for each t.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.quadratic import Start
from discretion.numbers.grading import Grading
from discretion.numbers.profile import Profile, Question
from discretion.numbers.sieve import TINY, Edges, Sieve

DRAWS, SEED = 40, 2001
KEPT = 16  # bins around different points: those of the last ones are asked for again
Cell = tuple[int, int]  # the first grid point of a bin, and that of the next one


class Seen(NamedTuple):
    """What is known of some bins."""

    scores: Matrix  # (bins, outputs)
    shared: Matrix  # (bins, bins of the fit), the information that they share
    noise: Matrix  # (bins, draws), how their pulls scatter


@dataclass(frozen=True, eq=False)
class Lens:
    """The bins of a fit, ready to be replaced by finer ones."""

    sieve: Sieve
    value: Vector  # (bins,), the most likely
    weight: Vector  # (outputs,), by which P(y | bin) becomes a score
    scores: Matrix  # (outputs, bins)
    profile: Profile
    known: dict[Cell, tuple[Vector, Vector, Vector]] = field(default_factory=dict)

    @classmethod
    def over(cls, sieve: Sieve, value: Vector) -> Self:
        weight = np.sqrt(sieve.counts) / np.maximum(sieve.probabilities @ value, TINY)
        scores = sieve.probabilities * weight[:, None]
        information = scores.T @ scores
        start = Start.on(information, value > 0)
        profile = Profile.around(value, information, start)
        return cls(sieve, value, weight, scores, profile)

    def at(self, t: int) -> "Closeup":
        """Look closely at t."""
        return Closeup(self._finer(self.sieve.finer(t)), t)

    @cached_property
    def _finer(self) -> "Callable[[tuple[int, ...]], Finer]":
        """Replace bins by those between finer edges. Points near each other have the same ones."""
        return lru_cache(KEPT)(self._replaced)

    def _replaced(self, ends: tuple[int, ...]) -> "Finer":
        edges = np.array(ends)
        near = slice(*np.searchsorted(self.sieve.edges, edges[[0, -1]]).tolist())
        seen = self._seen([*pairwise(ends)])
        wide = replaced(self.profile.information, near, seen.shared.T)
        own = replaced(seen.shared, near, seen.scores @ seen.scores.T)
        information = replaced(wide.T, near, own.T).T
        pull = replaced(self.profile.pull, near, 2 * seen.shared @ self.value)
        noise = replaced(self.noise, near, seen.noise.T)
        return Finer(self, near, edges, information, pull, noise)

    @property
    def normals(self) -> Matrix:
        """How far each output's count is from what is expected, in its deviations, when drawn."""
        return _normals(DRAWS, len(self.scores))

    @cached_property
    def noise(self) -> Matrix:
        """How that scatters the pulls of the bins of the fit: (draws, bins)."""
        return self.normals @ self.scores

    def see(self, points: Iterable[int]) -> None:
        """Look ahead at several points: their bins are seen faster together."""
        self._see({cell for t in points for cell in pairwise(self.sieve.finer(t))})

    def _see(self, cells: Iterable[Cell]) -> None:
        """See other bins. They are kept: points near each other have most of theirs in common."""
        new = sorted(cell for cell in cells if cell not in self.known)
        if new:
            scores = self.sieve.seen(np.array(new)) * self.weight
            own = zip(scores, scores @ self.scores, scores @ self.normals.T, strict=True)
            self.known.update(zip(new, own, strict=True))

    def _seen(self, cells: Sequence[Cell]) -> Seen:
        self._see(cells)
        found = zip(*(self.known[cell] for cell in cells), strict=True)
        return Seen(*(np.array(each) for each in found))


@lru_cache(4)
def _normals(draws: int, outputs: int) -> Matrix:
    """Draw them. The seed is fixed, so that the same reports have the same intervals."""
    drawn = np.random.default_rng(SEED).standard_normal((draws, outputs))
    drawn.flags.writeable = False
    return drawn


@dataclass(frozen=True, eq=False)
class Finer:
    """The bins of a fit, but finer ones in the place of some."""

    lens: Lens
    near: slice  # bins of the fit that are replaced
    edges: Edges  # of the finer ones
    information: Matrix  # (bins, bins)
    pull: Vector  # (bins,)
    noise: Matrix  # (draws, bins)

    @cached_property
    def profile(self) -> Profile:
        first = np.searchsorted(self.edges, self.lens.sieve.edges[self.near])
        finer = np.zeros(len(self.edges) - 1)
        finer[first] = self.lens.value[self.near]
        start = Start.on(self.information, replaced(self.lens.value, self.near, finer) > 0)
        return Profile(self.information, self.pull, start)

    @cached_property
    def graded(self) -> Profile:
        """The same over bins that are the wider, the farther they are from the finer ones."""
        information = self.grading.averaged(self._averaged.T)
        pull = self.grading.averaged(self.pull)
        return Profile(information, pull, Start.cold(information))

    @cached_property
    def grading(self) -> Grading:
        """Bins that hold about as much are merged."""
        finer = np.diff(self.edges).astype(float)
        about = replaced(self.lens.sieve.about, self.near, finer)
        return Grading.around(self.near.start, len(finer), about)

    @cached_property
    def starts(self) -> Edges:
        """The first grid point of each bin."""
        found: Edges = replaced(self.lens.sieve.edges[:-1], self.near, self.edges[:-1])
        return found

    def spread(self, f: Vector) -> Vector:
        """Return the same distribution over these bins."""
        coarse = self.lens.sieve.edges
        place = np.searchsorted(coarse, self.edges[:-1], side="right") - 1
        return replaced(f, self.near, (f / np.diff(coarse))[place] * np.diff(self.edges))

    def narrowed(self, f: Vector) -> Vector:
        """Return a distribution over wider bins over these, which share them as in the fit."""
        finer = np.ones(len(self.edges) - 1)
        fitted = replaced(np.maximum(self.lens.value, TINY), self.near, finer)
        return self.grading.narrowed(f, fitted)

    def pulls(self, truth: Vector) -> Matrix:
        """Return the pulls, in wider bins, of reports drawn as if this were the truth."""
        return truth @ self._averaged + self._averaged_noise

    @cached_property
    def _averaged(self) -> Matrix:
        return self.grading.averaged(self.information)

    @cached_property
    def _averaged_noise(self) -> Matrix:
        return self.grading.averaged(self.noise)


@dataclass(frozen=True, eq=False)
class Closeup:
    """A point, and bins that are finer around it."""

    bins: Finer
    t: int

    @cached_property
    def row(self) -> Vector:
        """Which of the bins are up to t."""
        return (self.bins.starts <= self.t).astype(float)

    @property
    def question(self) -> Question:
        """Ask for F(t)."""
        return Question(self.bins.profile, self.row)

    @cached_property
    def graded(self) -> Question:
        """Ask the same over wider bins."""
        return Question(self.bins.graded, self.row[self.bins.grading.starts])


def replaced(coarse: npt.NDArray[Any], near: slice, fine: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return what is said of bins, along the last axis, with that of finer ones in their place."""
    parts = [coarse[..., : near.start], fine, coarse[..., near.stop :]]
    return np.concatenate(parts, axis=-1)
