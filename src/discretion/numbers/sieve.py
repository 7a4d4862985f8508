"""Bins of a grid: as fine as the reports can tell apart, and finest where most numbers lie.

Between grid points that noise blurs into each other the likelihood has nothing to say. So a fit
asks for the probability of bins, within which all grid points are alike. Each end of the grid is a
bin of its own, since numbers that are clipped pile up there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector, smoothed

Singles = npt.NDArray[np.float32]
Edges = npt.NDArray[np.intp]  # (bins + 1,): bin j is the grid points edges[j] to edges[j + 1] - 1

PER_ROOT = 3.5  # bins for each cube root of an answer
FEWEST, MOST = 8, 128
COARSE = 64  # bins of the first fit
STEPS = 60  # of it: few, since EM begins with what is smooth
FLAT = 0.2  # the share of bins that is spread evenly over the grid
AROUND, PARTS = 2, 8  # bins to each side of a point that is asked for, and of how many parts
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Channel:
    """Reports of one law: how probable each output is at each grid point, how often it came."""

    cumulative: Matrix  # (points + 1, outputs), sums of P(y | x) over the grid points x before each
    counts: Vector  # (outputs,)

    @classmethod
    def of(cls, probabilities: Matrix, counts: Vector) -> Self:
        """Return the channel with P(y | grid point), (outputs, points)."""
        return cls(summed(probabilities), counts)

    @property
    def worth(self) -> float:
        """How many plain answers to "is it the upper end or the lower one" the reports are worth.

        That is n d^2, with d the total variation between the two: tanh(epsilon / 2) at most.
        """
        lower, upper = np.diff(self.cumulative[[0, 1, -2, -1]], axis=0)[::2]
        return float(self.counts.sum() * (np.abs(upper - lower).sum() / 2) ** 2)


@dataclass(frozen=True, eq=False)
class Sieve:
    """All channels as seen through bins."""

    edges: Edges
    probabilities: Matrix  # (outputs of all channels, bins), P(y | bin)
    counts: Vector  # (outputs of all channels,)
    about: Vector  # (bins,), a first fit, nowhere zero
    sums: tuple[Matrix, ...]  # by channel, over grid points: what any bin is a difference of

    @classmethod
    def of(
        cls,
        channels: Sequence[Channel],
        points: int,
        bins: int | None = None,
        cuts: Sequence[int] = (),
    ) -> Self:
        """Return as many bins as the reports are worth, or as asked for, and edges at the cuts."""
        seen = [channel for channel in channels if channel.counts.sum() > 0]
        _check(seen, points)
        counts = np.concatenate([channel.counts for channel in seen]).astype(float)
        sums = tuple(channel.cumulative for channel in seen)
        coarse = even_edges(points, COARSE)
        rough = first_fit(averaged(sums, coarse[:-1], coarse[1:]).T, counts, coarse)
        edges = likely_edges(rough, bins or bins_worth(sum(channel.worth for channel in seen)))
        edges = np.union1d(edges, np.array(cuts, np.intp))
        about = smoothed(np.add.reduceat(rough, edges[:-1]), counts.sum())
        return cls(edges, averaged(sums, edges[:-1], edges[1:]).T, counts, about, sums)

    def finer(self, t: int) -> tuple[int, ...]:
        """Return finer edges in the place of those near t, one of them just after t.

        Where in a bin its numbers are heaped the reports hardly tell, and F(t) depends on it.
        """
        place = int(np.searchsorted(self.edges[1:-1], t, side="right"))
        coarse = self.edges[max(place - AROUND, 0) : place + AROUND + 2].tolist()
        parts = {a + (b - a) * k // PARTS for a, b in pairwise(coarse) for k in range(PARTS)}
        own = {edge for edge in (t, t + 1) if coarse[0] < edge < coarse[-1]}
        return tuple(sorted({*parts, *own, coarse[-1]}))

    def seen(self, cells: npt.NDArray[np.intp]) -> Matrix:
        """Return P(y | bin) for other bins, from their ends: (bins, outputs of all channels)."""
        return averaged(self.sums, *cells.T)


def bins_worth(answers: float) -> int:
    """Return how many bins reports can fill that tell as much as so many plain yes-no answers.

    About a cube root of them, the resolution of a distribution of which nothing is known but that
    F rises. With fewer bins intervals are narrower where the density is smooth, and miss where
    numbers are heaped.
    """
    return int(min(max(PER_ROOT * answers ** (1 / 3), FEWEST), MOST))


def summed(probabilities: Matrix) -> Matrix:
    """Return sums of P(y | x) over the grid points before each: (points + 1, outputs)."""
    outputs, points = probabilities.shape
    cumulative = np.zeros((points + 1, outputs))
    np.cumsum(probabilities.T, axis=0, out=cumulative[1:])
    return cumulative


def averaged(sums: Sequence[Matrix], first: Edges, end: Edges) -> Matrix:
    """Return P(y | bin), all grid points in a bin being alike: (bins, outputs)."""
    found = np.concatenate([own[end] - own[first] for own in sums], axis=1)
    found /= (end - first)[:, None]
    return found


def even_edges(points: int, bins: int) -> Edges:
    """Return the edges of bins of equal width between the two ends."""
    return _edges(np.linspace(1, points - 1, bins + 1), points)


def likely_edges(density: Vector, bins: int) -> Edges:
    """Return the edges of bins that hold about the same probability, given that of each point.

    Some of it is spread evenly, so that no bin is very wide because few numbers seem to be there.
    """
    inner = density[1:-1] / max(density[1:-1].sum(), TINY)
    mass = np.cumsum((1 - FLAT) * inner + FLAT / max(len(inner), 1))
    places = np.interp(np.linspace(0, 1, bins + 1), np.append(0, mass), np.arange(len(mass) + 1))
    return _edges(1 + places, len(density))


def first_fit(probabilities: Matrix, counts: Vector, edges: Edges) -> Vector:
    """Return a rough probability of each grid point, by a few steps of EM on coarse bins.

    Single precision is enough for that, and takes half as long.
    """
    widths, single = np.diff(edges), probabilities.astype(np.float32)
    f, shares = widths / edges[-1], counts / counts.sum()
    for _ in range(STEPS):
        seen = np.maximum(single @ f.astype(np.float32), TINY, dtype=np.float64)
        f = f * ((shares / seen).astype(np.float32) @ single)
    f = f / f.sum()
    f = np.concatenate([f[:1], _blurred(f[1:-1]), f[-1:]])
    return np.repeat(f / widths, widths)


def _edges(inner: Vector, points: int) -> Edges:
    """Return edges at whole grid points, with a bin of its own for each end."""
    whole = np.round(inner).astype(np.intp)
    return np.unique(np.concatenate([[0, 1], whole, [points - 1, points]]))


def _blurred(f: Vector) -> Vector:
    """Return f after two rounds of the 1-2-1 filter, which keeps the sum."""
    for _ in range(2 if len(f) else 0):
        padded = np.pad(f, 1, mode="edge")
        f = (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4
    return f


def _check(channels: Sequence[Channel], points: int) -> None:
    if not channels:
        raise EstimateError("a density needs at least one report")
    for channel in channels:
        sums, outputs = channel.cumulative.shape
        if (outputs, sums - 1) != (len(channel.counts), points):
            raise EstimateError(
                f"a channel must be of shape (outputs, points) = ({len(channel.counts)}, {points}),"
                f" got {(outputs, sums - 1)}"
            )
