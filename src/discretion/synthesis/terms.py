"""A log-linear model on a junction tree: a term for each attribute and for each pair in a clique.

The terms are products of contrasts, functions of one attribute's value with mean zero and variance
one. In these a table near independence is its product of marginals times one plus the sum of
theta_kl phi_k psi_l, and half the sum of squares of theta is the mutual information.

The log of a clique's table is the sum of the terms that are at home in it; passing sums along
the tree makes these tables the marginals of one distribution.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from scipy.special import logsumexp

from discretion.estimate.noise import Matrix, Vector
from discretion.synthesis.tree import Maps, Tree

UNORDERED = 1.3  # the degree of contrasts of labels: between a line and a parabola


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Orthonormal functions under the frequencies: polynomials where the values have an order."""

    frequencies: Vector  # (size,)
    functions: Matrix  # (size, size - 1)
    degrees: Vector  # (size - 1,)

    @classmethod
    def of(cls, frequencies: Vector, *, ordered: bool) -> Self:
        """Build them for frequencies none of which is zero."""
        size, root = len(frequencies), np.sqrt(frequencies)[:, None]
        if ordered:
            raw = np.vander(np.linspace(-1, 1, size), size, increasing=True)
            degrees = np.arange(1.0, size)
        else:
            raw = np.column_stack([np.ones(size), np.eye(size)[:, 1:]])
            degrees = np.full(size - 1, UNORDERED)
        functions = np.linalg.qr(root * raw)[0][:, 1:] / root
        return cls(frequencies, functions, degrees)

    @property
    def size(self) -> int:
        return len(self.degrees)


@dataclass(frozen=True, eq=False)
class Calibrated:
    """Tables of all cliques, flat and one after the other."""

    marginals: Vector
    conditionals: Vector  # given the separator
    log_sum: float  # what the tables had to be divided by


@dataclass(frozen=True, eq=False)
class Terms:
    """Where the terms of each set of axes stand, and what they mean for the cells."""

    tree: Tree
    contrasts: Sequence[Contrasts]

    @cached_property
    def slices(self) -> dict[tuple[int, ...], slice]:
        """The terms of each attribute and each pair among all."""
        slices, start = {}, 0
        for axes in (*((a,) for a in range(len(self.tree.shape))), *self.tree.pairs):
            size = int(np.prod([self.contrasts[axis].size for axis in axes]))
            slices[axes] = slice(start, start + size)
            start += size
        return slices

    @property
    def count(self) -> int:
        return max(span.stop for span in self.slices.values())

    @cached_property
    def penalties(self) -> Vector:
        """Of each term at unit strength: more for higher degrees, none for an attribute's own."""
        penalties = np.zeros(self.count)
        for axes, span in self.slices.items():
            if len(axes) == 2:
                a, b = (self.contrasts[axis].degrees for axis in axes)
                penalties[span] = np.outer(a, b).ravel() ** 2
        return penalties

    def calibrated(self, theta: Vector) -> Calibrated:
        """Return the tables of the distribution that has these terms."""
        return calibrated(self.tree, self._logs(theta))

    def moments(self, tables: Vector) -> Vector:
        """Return the mean of each term's function under the tables of the cliques."""
        means, slices = np.empty(self.count), self.tree.slices()
        for axes, span in self.slices.items():
            home, own = self._homes[axes]
            cells = int(np.prod(self.tree.sizes(axes)))
            table = np.bincount(own, tables[slices[home]], cells)
            left = self.contrasts[axes[0]].functions.T @ table.reshape(self.tree.shape[axes[0]], -1)
            means[span] = (left @ self._last(axes)).ravel()
        return means

    def _logs(self, theta: Vector) -> Vector:
        logs, slices = np.zeros(self.tree.first[-1]), self.tree.slices()
        for axes, span in self.slices.items():
            home, own = self._homes[axes]
            terms = theta[span].reshape(self.contrasts[axes[0]].size, -1)
            table = self.contrasts[axes[0]].functions @ terms @ self._last(axes).T
            if len(axes) == 1:
                table = table + np.log(self.contrasts[axes[0]].frequencies)[:, None]
            logs[slices[home]] += table.ravel()[own]
        return logs

    def _last(self, axes: tuple[int, ...]) -> Vector:
        return self.contrasts[axes[1]].functions if len(axes) == 2 else np.ones((1, 1))

    @cached_property
    def _homes(self) -> dict[tuple[int, ...], tuple[int, Maps]]:
        homes = {axes: self.tree.home(axes) for axes in self.slices}
        cliques = self.tree.cliques
        return {axes: (i, self.tree.map(cliques[i], axes)) for axes, i in homes.items()}


def calibrated(tree: Tree, logs: Vector) -> Calibrated:
    """Make tables, given by their logs, the marginals of the distribution of their product."""
    slices, root = tree.slices(), len(tree.cliques) - 1
    tables = [logs[own].reshape(tree.sizes(c)) for own, c in zip(slices, tree.cliques, strict=True)]
    messages: list[Vector] = []
    for i in range(root):
        separator, parent = tree.separators[i], tree.parents[i]
        assert parent is not None
        message = np.asarray(logsumexp(tables[i], axis=_apart(tree, i, separator), keepdims=True))
        tables[i] = tables[i] - message
        tables[parent] = tables[parent] + _onto(tree, parent, separator, message)
        messages.append(message)
    log_sum = float(logsumexp(tables[root]))
    marginals, conditionals = np.empty(len(logs)), np.empty(len(logs))
    found = {root: np.exp(tables[root] - log_sum)}
    conditionals[slices[root]] = marginals[slices[root]] = found[root].ravel()
    for i in reversed(range(root)):
        separator, parent = tree.separators[i], tree.parents[i]
        assert parent is not None
        given = found[parent].sum(axis=_apart(tree, parent, separator), keepdims=True)
        own = np.exp(tables[i])
        found[i] = own * _onto(tree, i, separator, given)
        conditionals[slices[i]], marginals[slices[i]] = own.ravel(), found[i].ravel()
    return Calibrated(marginals, conditionals, log_sum)


def _apart(tree: Tree, clique: int, separator: tuple[int, ...]) -> tuple[int, ...]:
    own = tree.cliques[clique]
    return tuple(i for i, axis in enumerate(own) if axis not in separator)


def _onto(tree: Tree, clique: int, separator: tuple[int, ...], table: Vector) -> Vector:
    """Return a separator's table with the axes of a clique, of length one where it has none."""
    return table.reshape([tree.shape[a] if a in separator else 1 for a in tree.cliques[clique]])
