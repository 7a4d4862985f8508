"""Answers by group: a crosstab with row, column and total per cent, all from one likelihood."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.comparisons.difference import DifferenceEstimate, SameTest
from discretion.errors import EstimateError
from discretion.estimate.documents import Crosstab as Document
from discretion.estimate.documents import finite
from discretion.estimate.estimate import Tabular
from discretion.estimate.legend import Legend
from discretion.groups.beside import comparisons
from discretion.groups.grouping import Grouping, index_of
from discretion.groups.quotient import Estimated, Proportions
from discretion.groups.ratio import RatioEstimate
from discretion.groups.show import PERCENTS, crosstab
from discretion.groups.table import GroupTable
from discretion.groups.test import tested
from discretion.render.tables import Table
from discretion.table.columns import Mask
from discretion.table.frame import from_arrow

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Crosstab(Tabular):
    """The answers of each group: ``rows``, ``columns`` and ``total`` are the three per cents.

    A row says how a group answers, a column which groups an answer comes from. ``value``,
    ``stderr`` and ``interval`` are those of rows. What is not learnt, because a group is not
    clearly above zero, is nan.
    """

    attribute: str
    grouping: Grouping
    found: GroupTable
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it

    @property
    def groups(self) -> tuple[str, ...]:
        """What the rows are called."""
        return self.found.groups

    @property
    def labels(self) -> tuple[str, ...]:
        """What the columns are called."""
        return self.found.labels

    @property
    def n(self) -> int:
        """How many reports are behind it."""
        return self.found.n

    @property
    def together(self) -> int:
        """How many of them are about all of the attributes."""
        return self.found.together

    @property
    def learnt(self) -> Mask:
        """Which groups are clearly above zero, so that something is said about them."""
        return self.found.learnt

    @cached_property
    def rows(self) -> Proportions:
        """The share of each answer in each group (groups, labels)."""
        return self.found.among(1)

    @cached_property
    def columns(self) -> Proportions:
        """The share of each group among those who answer the same (groups, labels)."""
        return self.found.among(0)

    @cached_property
    def total(self) -> Proportions:
        """The share of each group and answer among all, or among those given (groups, labels)."""
        return self.found.total

    @cached_property
    def shares(self) -> Proportions:
        """The share of each group (groups,); of a single one, among all people."""
        return self.found.shares(self.grouping)

    @cached_property
    def answers(self) -> Proportions:
        """The share of each answer in all groups together (labels,)."""
        return self.found.margin(0)

    @property
    def value(self) -> Array:
        """The share of each answer in each group."""
        return self.rows.value

    @property
    def stderr(self) -> Array:
        """The standard errors of those."""
        return self.rows.stderr

    def interval(self, confidence: float = 0.95) -> Array:
        """Return low and high of those (groups, labels, 2)."""
        return self.rows.interval(confidence)

    @cached_property
    def test(self) -> SameTest:
        """The test of whether all groups answer alike; those that are not learnt are left out."""
        learnt = np.flatnonzero(self.learnt)
        if len(learnt) < 2:
            return SameTest(0.0, 0, 1.0)
        own = self.rows.exact[learnt, :-1]  # the last share follows from the others
        return tested(own[1:] - own[:1])

    @property
    def pvalue(self) -> float:
        """How likely differences as large as these are if all groups answer alike."""
        return self.test.pvalue

    @property
    def has_ratios(self) -> bool:
        """Whether groups have ratios: shares do."""
        return True

    def difference(self, first: str, second: str) -> DifferenceEstimate:
        """Return the first group's shares less the second's, with one test of all of them."""
        one, other = self._side(first), self._side(second)
        apart = one - other
        return DifferenceEstimate(
            self.attribute,
            self.labels,
            one.value,
            other.value,
            apart.stderr,
            (self.n,),
            tested(apart[:-1]),
            (self.grouping.side(first), self.grouping.side(second)),
            legend=self.legend,
        )

    def ratio(self, first: str, second: str) -> RatioEstimate:
        """Return the first group's shares over the second's."""
        sides = self.grouping.side(first), self.grouping.side(second)
        found = self.attribute, self.labels, self._side(first), self._side(second), self.n, sides
        return RatioEstimate(*found, legend=self.legend)

    def to_frame(self, backend: str = "pyarrow", confidence: float = 0.95) -> Any:
        """Return a row for each group and answer: three per cents, each with low and high."""
        by = np.repeat(np.array(self.groups, object), len(self.labels))
        answers = np.tile(np.array(self.labels, object), len(self.groups))
        columns: dict[str, Any] = {"group": pa.array(by), "label": pa.array(answers)}
        for name, shares in zip(PERCENTS, (self.rows, self.columns, self.total), strict=True):
            low, high = np.moveaxis(shares.interval(confidence), -1, 0)
            columns |= {name: shares.value.ravel(), f"{name}_stderr": shares.stderr.ravel()}
            columns |= {f"{name}_low": low.ravel(), f"{name}_high": high.ravel()}
        return from_arrow(pa.table(columns), backend)

    def document(self, against: str | None = None) -> Document:
        """Return it for machines, and the other groups beside one; what is not learnt is null."""
        found: Document = finite(
            {
                "attribute": self.attribute,
                "by": self.grouping.by,
                "given": dict(self.grouping.given),
                "reports": self.n,
                "together": self.together,
                "test": self.test.document(),
                "groups": self.shares.document(self.groups),
                "answers": self.answers.document(self.labels),
                "cells": self.to_frame().to_pylist(),
                **({} if against is None else {"comparisons": comparisons(self, against)}),
            }
        )
        return found

    def table(self, percent: str = "row") -> Table:
        """Return the crosstab of one kind of per cent."""
        return crosstab(self, percent)

    def _side(self, group: str) -> Estimated:
        at = index_of(self.groups, group, self.grouping.by or "the crosstab")
        if not self.learnt[at]:
            side = self.grouping.side(group)
            raise EstimateError(f"{side} is not clearly above zero: nothing is learnt about it")
        return self.rows.exact[at]
