"""Belief propagation as array code, for an accelerator: what the kernel does, on whole arrays.

The cliques are parted as for ``kernel.belief``. Where that goes through values one by one, these
are a batch of matrix products here; where that reads a map of rows, an array has an axis for each
attribute and is spread over the others. Reports run fastest.

On a processor this takes at least twice as long as the kernel with large cliques, whose halves do
not stay in its cache; an accelerator cannot run the kernel (decision 0090).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from operator import add, mul

import numpy as np
import numpy.typing as npt

from discretion.engine import namespace

LEAST = np.float32(1e-30)

Axes = tuple[int, ...]
Single = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Coming:
    """Evidence about some axes, by its number, or the message of a child, by that of its clique."""

    axes: Axes
    number: int
    message: bool


@dataclass(frozen=True)
class Half:
    """The axes gone through and those of a half, and what comes in about them."""

    through: Axes
    axes: Axes
    inputs: tuple[Coming, ...]

    @property
    def children(self) -> list[Coming]:
        return [each for each in self.inputs if each.message]


@dataclass(frozen=True)
class Junction:
    """A clique: its halves, and what its message to the parent is about."""

    left: Half
    right: Half
    separator: Axes


@dataclass(frozen=True)
class Network:
    """The sizes of the axes, and the cliques: children first, the root last."""

    shape: tuple[int, ...]
    junctions: tuple[Junction, ...]

    def sizes(self, axes: Axes) -> list[int]:
        return [self.shape[axis] for axis in axes]

    def cells(self, junction: Junction) -> tuple[int, int, int]:
        """Return how many values are gone through, and the cells of each half."""
        parts = junction.left.through, junction.left.axes, junction.right.axes
        through, left, right = (prod(self.sizes(axes)) for axes in parts)
        return through, left, right

    def product(self, half: Half, coming: Sequence[Single], reports: int) -> Single:
        """Return the product of what comes into a half: (through, cells, reports)."""
        onto = half.through + half.axes
        whole = (*self.sizes(onto), reports)
        factors = [
            self._spread(own, i.axes, onto) for own, i in zip(coming, half.inputs, strict=True)
        ]
        found = reduce(mul, factors) if factors else np.ones(whole, np.float32)
        if found.shape != whole:
            found = found * np.ones((*whole[:-1], 1), np.float32)
        return found.reshape(prod(self.sizes(half.through)), -1, reports)

    def times(self, half: Half, product: Single, coming: Single, axes: Axes) -> Single:
        """Return a half's product with one more factor."""
        onto = half.through + half.axes
        shaped = product.reshape(*self.sizes(onto), -1) * self._spread(coming, axes, onto)
        return shaped.reshape(product.shape)

    def summed(self, half: Half, posterior: Single, axes: Axes) -> Single:
        """Return sums (cells of some axes, reports) of what is about the cells of a half."""
        onto = half.through + half.axes
        shaped = posterior.reshape(*self.sizes(onto), -1)
        found = shaped.sum(axis=tuple(i for i, axis in enumerate(onto) if axis not in axes))
        kept = [axis for axis in onto if axis in axes]
        return found.transpose(*map(kept.index, axes), len(axes)).reshape(-1, posterior.shape[-1])

    def _spread(self, coming: Single, axes: Axes, onto: Axes) -> Single:
        """Return what is about some axes with an axis for each that it is to be spread onto."""
        shaped = coming.reshape(*self.sizes(axes), -1)
        turned = shaped.transpose(*sorted(range(len(axes)), key=lambda i: onto.index(axes[i])), -1)
        return turned.reshape(*(self.shape[axis] if axis in axes else 1 for axis in onto), -1)


@dataclass(frozen=True)
class _Passed:
    """What is known of a clique once its children have sent their messages."""

    left: Single
    right: Single
    sums: Single  # of the right half, over the left one
    message: Single  # (cells of the separator, reports), of sum one
    scale: Single  # (reports,): what made it so


def propagated(
    network: Network, tables: Single, evidence: Sequence[Single]
) -> tuple[float, npt.NDArray[np.float64]]:
    """Return the log-likelihood of some reports, and the sums of their posteriors by cell.

    ``tables`` has the probabilities given the parent, clique after clique, and ``evidence`` an
    array (cells, reports) by number.
    """
    each = list(_each(network, tables))
    passed = list[_Passed]()
    for junction, table in zip(network.junctions, each, strict=True):
        passed.append(_collected(network, junction, table, evidence, passed))
    xp, expected = namespace(tables), _distributed(network, each, passed)
    value = reduce(add, (_logarithms(own.scale) for own in passed))
    return -value, xp.concatenate([own.reshape(-1) for own in expected]).astype(np.float64)


def _logarithms(scale: Single) -> float:
    return namespace(scale).log(scale.astype(np.float64)).sum()


def _each(network: Network, tables: Single) -> Iterator[Single]:
    """Yield the table of each clique: (through, left, right)."""
    start = 0
    for junction in network.junctions:
        shape = network.cells(junction)
        yield tables[start : start + prod(shape)].reshape(shape)
        start += prod(shape)


def _collected(
    network: Network,
    junction: Junction,
    table: Single,
    evidence: Sequence[Single],
    passed: Sequence[_Passed],
) -> _Passed:
    """Sum a clique's products onto its message, and divide it by its total for each report."""
    left, right = (
        network.product(
            half,
            [passed[i.number].message if i.message else evidence[i.number] for i in half.inputs],
            evidence[0].shape[-1],
        )
        for half in (junction.left, junction.right)
    )
    sums = table @ right
    message = network.summed(junction.left, left * sums, junction.separator)
    xp = namespace(message)
    scale = 1 / xp.maximum(message.sum(axis=0), LEAST)
    return _Passed(left, right, sums, message * scale, scale)


def _distributed(
    network: Network, tables: Sequence[Single], passed: Sequence[_Passed]
) -> list[Single]:
    """Return the sums of posteriors of each clique, parents before their children."""
    expected = list[Single]()
    down = {len(passed) - 1: passed[-1].message}
    for index in range(len(passed) - 1, -1, -1):
        junction, table, own = network.junctions[index], tables[index], passed[index]
        xp = namespace(own.message)
        coming = down.pop(index) * (own.scale / xp.maximum(own.message, LEAST))
        left = network.times(junction.left, own.left, coming, junction.separator)
        expected.append(table * (left @ own.right.swapaxes(1, 2)))
        if junction.left.children:
            posterior = left * own.sums
            for child in junction.left.children:
                down[child.number] = network.summed(junction.left, posterior, child.axes)
        if junction.right.children:
            posterior = own.right * (table.swapaxes(1, 2) @ left)
            for child in junction.right.children:
                down[child.number] = network.summed(junction.right, posterior, child.axes)
    return expected[::-1]
