"""What an analyst gets: a table of cells with its uncertainty, and ways to ask it.

The uncertainty is kept as deviations (r, cells): their products sum up to the covariance. Whatever
is linear in the cells, a marginal or the probability of an event, has the same of its deviations.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.errors import EstimateError, UnknownAttribute
from discretion.estimate.documents import finite
from discretion.estimate.documents.shares import Joint
from discretion.estimate.entry import Entry, Indexed
from discretion.estimate.estimate import between, rough
from discretion.estimate.homogeneity import Homogeneity
from discretion.estimate.legend import Legend
from discretion.estimate.weighting import Weighting, weighted_to
from discretion.joints.information import MutualInformation
from discretion.joints.interactions import Interaction
from discretion.joints.likelihood import Table
from discretion.table.frame import Frame, Framed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAIRWISE = ("adaptive", "map", "blind")  # methods that have terms for pairs
Labels = str | Sequence[str]


@dataclass(frozen=True, eq=False)
class JointEstimate(Framed, Indexed):
    """The probabilities of all cells of a table, an axis for each attribute.

    ``tensor`` is unbiased, hence a value may be negative. The most likely table is not, and the
    centre of its intervals may be. A shrunk estimate (``adaptive``, ``map``) is biased on purpose:
    its intervals are those of an empirical Bayes law, right for the average cell. ``unshrunk`` is
    the estimate that assumes nothing of interactions, with wider intervals that are right for each
    cell. ``basis`` says what intervals are made of. Post-processing changes the value, and of its
    steps ``norm`` alone the centre and the deviations too.
    """

    attributes: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    value: Table
    centre: Table  # of the intervals
    root: Table  # (r, *shape): deviations of the centre
    n: int  # reports behind the estimate
    method: str
    basis: str  # the method behind the intervals
    holding: Mapping[tuple[str, ...], int]  # reports that answer about all of these attributes
    given: Mapping[str, str]  # what the probabilities are conditional on
    steps: tuple[str, ...] = ()  # of post-processing, in their order
    homogeneity: Mapping[str, Homogeneity] = field(default_factory=dict)  # by question, if tested
    interactions: tuple[Interaction, ...] = ()  # of three attributes or more, that were tested
    unshrunk: "JointEstimate | None" = None  # of a shrunk estimate: the one that is not
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it
    weighted: Weighting | None = field(default=None, kw_only=True)  # to known margins

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        """The names along each axis of the value."""
        return self.labels

    @property
    def stderr(self) -> Table:
        return np.sqrt((self.root**2).sum(axis=0))

    def interval(self, confidence: float = 0.95) -> Table:
        """Return low and high (*shape, 2) of each cell, one at a time; they hold the value."""
        return np.stack(between(self.value, self.centre, self.stderr, confidence), axis=-1)

    @cached_property
    def unidentified(self) -> tuple[tuple[str, ...], ...]:
        """The smallest sets of attributes that no report answers about together.

        Interactions within them are not in the data: they are what the method makes of the rest.
        """
        missing = [set(names) for names, reports in self.holding.items() if not reports]
        least = [names for names in missing if not any(other < names for other in missing)]
        every = (*self.attributes, *self.given)
        return tuple(tuple(a for a in every if a in names) for names in least)

    @property
    def let_in(self) -> tuple[Interaction, ...]:
        """Interactions of three attributes or more that were found, and are in the estimate."""
        return tuple(each for each in self.interactions if each.found and each.expressed)

    @property
    def left_out(self) -> tuple[Interaction, ...]:
        """Those that were found, and that the estimate has no terms for."""
        return tuple(each for each in self.interactions if each.found and not each.expressed)

    @property
    def untested(self) -> tuple[tuple[str, ...], ...]:
        """Sets of three attributes that may depend on each other beyond pairs, and were not tested.

        The levels are secret, or the cells are too many for the reports.
        """
        if self.method not in PAIRWISE:
            return ()
        tested = {frozenset(each.attributes) for each in self.interactions}
        every = combinations(self.attributes, 3)
        return tuple(names for names in every if frozenset(names) not in tested)

    def event(self, where: Mapping[str, Labels]) -> Entry:
        """Return the probability that each named attribute has one of the given labels."""
        cells = self._cells(where)
        deviations = self.root[:, *cells].reshape(len(self.root), -1).sum(axis=1)
        value, centre = float(self.value[cells].sum()), float(self.centre[cells].sum())
        stderr = float(np.sqrt(deviations @ deviations))
        ends = partial(between, value, centre, stderr)
        return Entry(_described(where), value, stderr, ends)

    def marginal(self, attributes: Sequence[str]) -> "JointEstimate":
        """Return the table of some of the attributes, in the order given."""
        axes, every = self._axes(attributes), (*attributes, *self.given)
        other = tuple(axis for axis in range(self.value.ndim) if axis not in axes)
        order = [sorted(axes).index(axis) for axis in axes]
        return replace(
            self,
            attributes=tuple(attributes),
            labels=tuple(self.labels[axis] for axis in axes),
            value=self.value.sum(axis=other).transpose(order),
            centre=self.centre.sum(axis=other).transpose(order),
            root=self.root.sum(axis=tuple(1 + axis for axis in other)).transpose(
                [0, *(1 + i for i in order)]
            ),
            holding={
                tuple(a for a in every if a in names): n
                for names, n in self.holding.items()
                if set(names) <= {*every}
            },
            interactions=tuple(
                each for each in self.interactions if set(each.attributes) <= {*attributes}
            ),
            unshrunk=self.unshrunk and self.unshrunk.marginal(attributes),
        )

    def condition(self, given: Mapping[str, str]) -> "JointEstimate":
        """Return the table of the other attributes among those who have the given labels."""
        if len(given) >= len(self.attributes):
            raise EstimateError("condition on some of the attributes, not on all of them")
        if not all(isinstance(label, str) for label in given.values()):
            raise EstimateError("condition on one label of each attribute")
        cells = self._cells(given)
        kept = [a for a in self.attributes if a not in given]
        shape = tuple(len(self.labels[self.attributes.index(a)]) for a in kept)
        value, centre = (t[cells].reshape(shape) for t in (self.value, self.centre))
        root = self.root[:, *cells].reshape(-1, *shape)
        total = value.sum()
        if total <= 0:
            rule = ", ".join(f"{a} = {label}" for a, label in given.items())
            raise EstimateError(f"{rule}: nobody, as far as these reports show")
        value = value / total
        away = root.reshape(len(root), -1).sum(axis=1).reshape(-1, *(1,) * len(shape))
        return replace(
            self,
            attributes=tuple(kept),
            labels=tuple(self.labels[self.attributes.index(a)] for a in kept),
            value=value,
            centre=value + (centre - value * centre.sum()) / total,
            root=(root - value * away) / total,
            given={**self.given, **given},
            unshrunk=self._unshrunk_among(given),
        )

    def _unshrunk_among(self, given: Mapping[str, str]) -> "JointEstimate | None":
        """Return the unshrunk table of those who have these labels, if it has any of them."""
        if self.unshrunk is None or self.unshrunk.value[self._cells(given)].sum() <= 0:
            return None
        return self.unshrunk.condition(given)

    def mutual_information(self, *pair: str) -> MutualInformation:
        """Return the mutual information of two attributes in nats, less what noise adds to it.

        It is made of the estimate that assumes nothing of interactions.
        """
        table = (self.unshrunk or self).marginal(pair or self.attributes)
        if len(table.attributes) != 2:
            raise EstimateError("mutual information is of two attributes: name them")
        return MutualInformation.of(table.centre, table.root)

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return one row per cell: its labels, value, stderr, low and high."""
        where = np.indices(self.value.shape).reshape(self.value.ndim, -1)
        columns = {
            "value": self.value.ravel(),
            "stderr": self.stderr.ravel(),
            "low": self.interval(confidence)[..., 0].ravel(),
            "high": self.interval(confidence)[..., 1].ravel(),
        }
        labels = {}
        for name, own, at in zip(self.attributes, self.labels, where, strict=True):
            head = name
            while head in columns or (head != name and head in self.attributes):
                head += "_label"
            labels[head] = np.array(own, object)[at]
        return self.framed(pa.table({**labels, **columns}), backend)

    def document(self) -> Joint:
        found: Joint = finite(
            {
                "attributes": list(self.attributes),
                "method": self.method,
                **({"post": list(self.steps)} if self.steps else {}),
                "intervals": self.basis,
                "reports": self.n,
                **rough(self.n),
                "together": self.holding[self.attributes],
                "unidentified": [list(names) for names in self.unidentified],
                **(
                    {"interactions": [each.document() for each in named]}
                    if (named := [*self.let_in, *self.left_out])
                    else {}
                ),
                **weighted_to(self.weighted),
                "cells": self.to_frame("pyarrow").to_pylist(),
            }
        )
        return found

    def plot(self, ax: "Axes | None" = None, confidence: float = 0.95) -> "Axes":
        """Draw a heat map of two attributes, on ``ax`` or a new figure; return the axes.

        Of few values the intervals are written in the cells.
        """
        from discretion.joints.show import plot

        return plot(self, ax, confidence)

    def __str__(self) -> str:
        from discretion.joints.show import most_frequent, table

        return str(table(self, most_frequent(self)))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discretion.joints.show import most_frequent, table

        return table(self, most_frequent(self)).html()

    def _axes(self, attributes: Sequence[str]) -> list[int]:
        if isinstance(attributes, str) or len(set(attributes)) < len(attributes) or not attributes:
            raise EstimateError(f"name different attributes in a list, got {attributes!r}")
        for name in attributes:
            if name not in self.attributes:
                raise UnknownAttribute(name, self.attributes)
        return [self.attributes.index(name) for name in attributes]

    def _cells(self, where: Mapping[str, Labels]) -> tuple[npt.NDArray[np.intp] | slice, ...]:
        """Return the index of the cells that have these labels."""
        if not where:
            raise EstimateError("name at least one attribute and its labels")
        axes = self._axes(list(where))
        chosen = [np.arange(len(own)) for own in self.labels]
        for axis, wanted in zip(axes, where.values(), strict=True):
            own = self.labels[axis]
            names = [wanted] if isinstance(wanted, str) else list(wanted)
            if not names:
                raise EstimateError(f"{self.attributes[axis]}: name one of its labels or several")
            for label in names:
                if label not in own:
                    known = ", ".join(own[:8]) + (", ..." if len(own) > 8 else "")
                    raise EstimateError(f"{self.attributes[axis]} has {known}, not {label!r}")
            chosen[axis] = np.array([own.index(label) for label in dict.fromkeys(names)])
        return np.ix_(*chosen)


def _described(where: Mapping[str, Labels]) -> str:
    """Name an event: its attributes, each with its labels."""
    either = {a: [own] if isinstance(own, str) else own for a, own in where.items()}
    return ", ".join(f"{name} = {' or '.join(labels)}" for name, labels in either.items())
