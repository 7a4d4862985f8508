"""A model of the whole record: tables of cliques along a junction tree.

The probability of a record is the product over the cliques of what is new in each, given what it
shares with its parent. So any marginal is a sum along the tree, and rows are drawn along it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError
from discretion.render.formats import some

MOST_CELLS = 1 << 22  # of a marginal

Table = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]
Value = str | int | float
Factor = tuple[Table, tuple[int, ...]]  # a table, and the axes of the model that it has


@dataclass(frozen=True, eq=False)
class Column:
    """One attribute: the categories that the model distinguishes, and the values that rows hold."""

    name: str
    labels: tuple[str, ...]
    values: tuple[Value, ...]
    spread: Table | None = (
        None  # (categories, values): probabilities within each; None: one value each
    )

    @property
    def size(self) -> int:
        return len(self.labels)

    def probabilities(self, value: object) -> Vector:
        """Return how likely a value is in each category: one, where it is the category itself."""
        try:
            index = self._indices[value]
        except (KeyError, TypeError):
            raise EstimateError(f"{self.name!r} has no value {value!r}") from None
        if self.spread is None:
            return np.eye(self.size)[index]
        return self.spread[:, index]

    @cached_property
    def _indices(self) -> dict[object, int]:
        return {value: index for index, value in enumerate(self.values)}


@dataclass(frozen=True, eq=False)
class Clique:
    """Attributes that depend on each other directly, and the table of their cells."""

    axes: tuple[int, ...]
    table: Table  # probabilities, an axis for each attribute
    parent: int | None  # the index of a clique before this one; None for the first
    separator: tuple[int, ...]  # the axes that the parent has too

    @property
    def conditional(self) -> Table:
        """The probabilities of the cells given the separator's; where that never occurs, none."""
        rest = tuple(i for i, axis in enumerate(self.axes) if axis not in self.separator)
        given = self.table.sum(axis=rest, keepdims=True)
        return np.divide(self.table, given, out=np.zeros_like(self.table), where=given > 0)


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """Columns, and cliques in an order in which parents come first."""

    columns: tuple[Column, ...]
    cliques: tuple[Clique, ...]

    def __repr__(self) -> str:
        return f"<Model of {some(self.names)}>"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(column.size for column in self.columns)

    @property
    def edges(self) -> frozenset[tuple[int, int]]:
        """Pairs of attributes that stand together in a clique."""
        return frozenset(
            (min(a, b), max(a, b)) for c in self.cliques for a in c.axes for b in c.axes if a != b
        )

    def marginal(self, names: Sequence[str]) -> Table:
        """Return the joint table of any attributes, with an axis for each."""
        axes = self._indices(names)
        if (cells := prod(self.shape[axis] for axis in axes)) > MOST_CELLS:
            raise EstimateError(f"a table of {cells:,} cells is too large (at most {MOST_CELLS:,})")
        return self._collected(axes, {})

    def conditional(self, names: Sequence[str], given: Mapping[str, Value]) -> Table:
        """Return the table of attributes among the records that have the given values."""
        axes, known = self._indices(names), self._known(given)
        if both := [name for name in names if name in given]:
            raise EstimateError(f"{both[0]!r} is given: ask for the others")
        table = self._collected(axes, known)
        if (total := table.sum()) <= 0:
            raise EstimateError(f"the model has no record with {dict(given)}")
        return table / total

    def score(self, record: Mapping[str, Value]) -> float:
        """Return the log-probability of a record; what it leaves out is summed over."""
        probability = float(self._collected((), self._known(record)))
        return float(np.log(probability)) if probability > 0 else -np.inf

    def _known(self, values: Mapping[str, Value]) -> dict[int, Vector]:
        pairs = zip(self._indices(tuple(values)), values.values(), strict=True)
        return {axis: self.columns[axis].probabilities(value) for axis, value in pairs}

    def _indices(self, names: Sequence[str]) -> tuple[int, ...]:
        if isinstance(names, str):
            raise EstimateError(f"name attributes in a list, got {names!r}")
        for name in names:
            if name not in self.names:
                raise EstimateError(f"the model has no attribute {name!r}")
        if len(set(names)) < len(names):
            raise EstimateError(f"name different attributes, got {', '.join(names)}")
        return tuple(self.names.index(name) for name in names)

    def _collected(self, axes: tuple[int, ...], known: Mapping[int, Vector]) -> Table:
        """Sum the product of all cliques over the axes that are not asked for, from the leaves.

        What is known of an axis enters once, in the clique that is the first to have it.
        """
        waiting: list[list[Factor]] = [[] for _ in self.cliques]
        for index in reversed(range(len(self.cliques))):
            clique = self.cliques[index]
            new = [axis for axis in clique.axes if axis not in clique.separator]
            evidence: list[Factor] = [(known[axis], (axis,)) for axis in new if axis in known]
            factors = [(self._conditionals[index], clique.axes), *evidence, *waiting[index]]
            found = {axis for _, own in factors for axis in own}
            kept = tuple(sorted(a for a in found if a in axes or a in clique.separator))
            summed = _contracted(factors, kept)
            if clique.parent is None:
                return summed.transpose([kept.index(axis) for axis in axes])
            waiting[clique.parent].append((summed, kept))
        raise AssertionError("the first clique has no parent")

    @cached_property
    def _conditionals(self) -> tuple[Table, ...]:
        return tuple(clique.conditional for clique in self.cliques)


def _contracted(factors: Sequence[Factor], kept: tuple[int, ...]) -> Table:
    """Multiply tables and sum over the axes that are not kept."""
    own = {axis: i for i, axis in enumerate(sorted({a for _, axes in factors for a in axes}))}
    operands: list[object] = []
    for table, axes in factors:
        operands += [table, [own[axis] for axis in axes]]
    return np.asarray(np.einsum(*operands, [own[axis] for axis in kept], optimize="greedy"))  # type: ignore[call-overload]
