"""All reports as soft evidence on a junction tree, whose cliques are wired for the kernel.

A clique's axes fall into those that are gone through and two halves, such that nothing that comes
in is about both halves. The right half decides: what shares an input with it, and is not in it, has
to be gone through. The right half is the one that makes the fewest cells of halves, since the
products of matrices between them cost little.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, combinations
from math import prod

import numpy as np
import numpy.typing as npt

from discretion.engine import Kept, array_code, namespace
from discretion.estimate.noise import Vector
from discretion.family.part import Single
from discretion.kernel.belief import Indices, Maps, Wiring, beliefs
from discretion.synthesis.likelihoods import Likelihoods
from discretion.synthesis.propagation import Axes, Coming, Half, Junction, Network, propagated
from discretion.synthesis.soft_evidence import SoftEvidence
from discretion.synthesis.tree import Pair, Tree

TIED = 1 << 14  # reports with secret levels whose pairs are in memory at once
CHEAP = 1 / 16  # of a cell of a half is what a cell between the halves costs

Expected = tuple[float, Vector]  # the log-likelihood, and the posteriors of all cells


@dataclass(frozen=True)
class Input:
    """Evidence, or the message of a child."""

    axes: Axes
    row: int  # the first one
    height: int  # rows of a message; 0 for evidence
    number: int  # of the question, or of the child's clique


@dataclass(frozen=True)
class Halves:
    """The axes of a clique: gone through, and on either side."""

    through: Axes
    left: Axes
    right: Axes

    @property
    def axes(self) -> Axes:
        return self.through + self.left + self.right

    def holds(self, side: Axes, axes: Axes) -> bool:
        """Whether what is about these axes belongs to a side; to the left one if to neither."""
        about = set(axes) - set(self.through)
        return about <= set(side) and (bool(about) or side is self.left)

    def half(self, side: Axes, inputs: Sequence[Input]) -> Half:
        """Return one side with what comes in about it."""
        mine = (i for i in inputs if self.holds(side, i.axes))
        return Half(self.through, side, tuple(Coming(i.axes, i.number, i.height > 0) for i in mine))


@dataclass(frozen=True, eq=False)
class Circuit:
    """The cliques of a tree, with the questions that are asked about some axes each."""

    tree: Tree
    questions: tuple[Axes, ...]

    @cached_property
    def halves(self) -> tuple[Halves, ...]:
        """The parts of each clique's axes."""
        return tuple(
            halved(clique, separator, [i.axes for i in inputs], self.tree)
            for clique, separator, inputs in zip(
                self.tree.cliques, self.tree.separators, self.inputs, strict=True
            )
        )

    @cached_property
    def order(self) -> Indices:
        """For each cell as the kernel has them, its index among the tree's."""
        found = []
        for start, clique, halves in zip(
            self.tree.first, self.tree.cliques, self.halves, strict=False
        ):
            sizes = self.tree.sizes(clique)
            cells = start + np.arange(prod(sizes)).reshape(sizes)
            found.append(cells.transpose([clique.index(axis) for axis in halves.axes]).ravel())
        return np.concatenate(found)

    @cached_property
    def inputs(self) -> list[list[Input]]:
        """What comes into each clique: each question at its first home, and its children."""
        tree = self.tree
        found: list[list[Input]] = [[] for _ in tree.cliques]
        row = 0
        for number, axes in enumerate(self.questions):
            found[tree.home(axes)].append(Input(axes, row, 0, number))
            row += prod(tree.sizes(axes))
        for child, (axes, parent) in enumerate(zip(tree.separators, tree.parents, strict=True)):
            height = prod(tree.sizes(axes))
            if parent is not None:
                found[parent].append(Input(axes, row, height, child))
            row += height
        return found

    @cached_property
    def network(self) -> Network:
        """All of it as array code reads it."""
        each = zip(self.halves, self.inputs, self.tree.separators, strict=True)
        junctions = [
            Junction(halves.half(halves.left, inputs), halves.half(halves.right, inputs), separator)
            for halves, inputs, separator in each
        ]
        return Network(self.tree.shape, tuple(junctions))

    @cached_property
    def wiring(self) -> Wiring:
        """All of it as the kernel reads it."""
        tree, ends, rows, heights, maps = self.tree, [0], [], [], []
        for halves, inputs in zip(self.halves, self.inputs, strict=True):
            for side in (halves.left, halves.right):
                mine = [i for i in inputs if halves.holds(side, i.axes)]
                rows += [i.row for i in mine]
                heights += [i.height for i in mine]
                maps += [tree.map(halves.through + side, i.axes) for i in mine]
                ends.append(len(rows))
        shapes = [
            [prod(tree.sizes(part)) for part in (halves.through, halves.left, halves.right)]
            for halves in self.halves
        ]
        sent = [
            tree.map(halves.through + halves.left, separator)
            for halves, separator in zip(self.halves, tree.separators, strict=True)
        ]
        tall = [prod(tree.sizes(separator)) for separator in tree.separators]
        evidence = sum(prod(tree.sizes(axes)) for axes in self.questions)
        return Wiring(
            tree.first.astype(np.int64),
            np.array(shapes, np.int64),
            np.array(ends, np.int64),
            np.array(rows, np.int64),
            np.array(heights, np.int64),
            _stacked(maps),
            evidence + np.cumsum([0, *tall[:-1]], dtype=np.int64),
            _stacked(sent),
        )


def halved(clique: Axes, separator: Axes, inputs: Sequence[Axes], tree: Tree) -> Halves:
    """Part the axes of a clique: what it shares with its parent is not in the right half."""
    free = [axis for axis in clique if axis not in separator]
    every = chain.from_iterable(combinations(free, r) for r in range(len(free) + 1))

    def parted(right: Axes) -> Halves:
        beside = {axis for axes in inputs if set(axes) & set(right) for axis in axes} - set(right)
        left = tuple(axis for axis in clique if axis not in right and axis not in beside)
        return Halves(tuple(axis for axis in clique if axis in beside), left, right)

    def cost(halves: Halves) -> float:
        values, left, right = (
            prod(tree.sizes(part)) for part in (halves.through, halves.left, halves.right)
        )
        return values * (left + right + CHEAP * left * right)

    return min(map(parted, every), key=cost)


def _stacked(maps: list[Maps]) -> npt.NDArray[np.int32]:
    """Return the maps as rows of one array, filled up with zeros."""
    stacked = np.zeros((len(maps), max(map(len, maps))), np.int32)
    for row, own in zip(stacked, maps, strict=True):
        row[: len(own)] = own
    return stacked


@dataclass(frozen=True, eq=False)
class TreeEvidence:
    """The reports, arranged as inputs of the cliques; of secret levels with what pairs add."""

    tree: Tree
    evidence: SoftEvidence

    @property
    def n(self) -> int:
        return self.evidence.n

    def expected(self, conditionals: Vector) -> Expected:
        """Return the log-likelihood, and the mean posterior of all cells, of a calibrated tree."""
        circuit, order = self._circuit, self._circuit.order
        tables = conditionals.astype(np.float32)[order]
        if self.evidence.reports.engine.rows is None:
            work = partial(_passed, circuit.wiring, tables, self._ties)
        else:
            rows = tuple(self.evidence.rows(i) for i in range(len(self.evidence.questions)))
            work = partial(passed_as_arrays, circuit.network, rows, tables, self._ties)
        value, total = self._shards.fold(work)
        posterior = np.empty(len(total))
        posterior[order] = total
        return value, posterior / self.n

    @cached_property
    def _shards(self) -> Kept[Likelihoods]:
        return self.evidence.tied(self.tree.pairs)

    @cached_property
    def _ties(self) -> tuple[Pair, ...]:
        """The indices of the questions of each pair of attributes with secret levels."""
        if not self.evidence.plan.secret:
            return ()
        index = {question.axes: i for i, question in enumerate(self.evidence.questions)}
        return tuple((index[a,], index[b,]) for a, b in self.tree.pairs)

    @cached_property
    def _circuit(self) -> Circuit:
        asked = [question.axes for question in self.evidence.questions]
        pairs = self.tree.pairs if self.evidence.plan.secret else ()
        return Circuit(self.tree, (*asked, *pairs))


def _passed(
    wiring: Wiring, tables: Single, pairs: tuple[Pair, ...], likelihoods: Likelihoods
) -> Expected:
    posterior = np.zeros(len(tables))
    if not pairs:
        return beliefs(likelihoods.values, tables, wiring, posterior), posterior
    value = 0.0
    for start in range(0, likelihoods.n, TIED):
        rows = slice(start, start + TIED)
        value += beliefs(_with_ties(likelihoods, pairs, rows), tables, wiring, posterior)
    return value, posterior


@array_code
def passed_as_arrays(
    network: Network,
    rows: tuple[slice, ...],
    tables: Single,
    pairs: tuple[Pair, ...],
    likelihoods: Likelihoods,
) -> Expected:
    """Return what some reports add to a pass; ``rows`` are those of the questions' cells."""
    evidence = [likelihoods.of(index, own) for index, own in enumerate(rows)]
    return propagated(network, tables, [*evidence, *_ties(likelihoods, pairs)])


def _with_ties(likelihoods: Likelihoods, pairs: tuple[Pair, ...], rows: slice) -> Single:
    """Return the likelihoods of some reports, and under them those of the pairs' cells."""
    return np.concatenate([likelihoods.values[:, rows], *_ties(likelihoods, pairs, rows)])


def _ties(
    likelihoods: Likelihoods, pairs: tuple[Pair, ...], rows: slice = slice(None)
) -> list[Single]:
    """Return what each pair adds to the likelihood of its cells (cells, reports)."""
    found = []
    for (one, other), ties in zip(pairs, likelihoods.ties, strict=True):
        tie, xp = ties[rows].reshape(-1, 1, 2, 2), namespace(ties)
        first, second = (likelihoods.bits[i][rows].astype(np.bool_) for i in (one, other))
        half = xp.where(first[:, :, None], tie[:, :, 1], tie[:, :, 0])
        cells = xp.where(second[:, None], half[:, :, 1:], half[:, :, :1])
        found.append(cells.reshape(len(cells), -1).T)
    return found
