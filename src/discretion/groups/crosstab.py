"""Answers by group: a crosstab with row, column and total per cent, all from one likelihood."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.estimate.documents import finite
from discretion.estimate.documents.groups import Crosstab as Document
from discretion.estimate.entry import Indexed
from discretion.estimate.legend import Legend
from discretion.estimate.quotient import Estimated, Proportions
from discretion.groups.beside import Comparable
from discretion.groups.grouping import Grouping
from discretion.groups.show import PERCENTS, crosstab
from discretion.groups.table import GroupTable
from discretion.render.tables import Table
from discretion.table.columns import Mask
from discretion.table.frame import Frame

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Crosstab(Indexed, Comparable):
    """The answers of each group: ``rows``, ``columns`` and ``total`` are the three per cents.

    A row says how a group answers, a column which groups an answer comes from. ``value``,
    ``stderr`` and ``interval`` are those of rows. What is not learnt, because a group is not
    clearly above zero, is nan.
    """

    found: GroupTable

    @classmethod
    def of(cls, attribute: str, grouping: Grouping, found: GroupTable, legend: Legend) -> Self:
        """Take everything from a table of groups and answers."""
        behind = found.groups, found.n, found.together
        return cls(attribute, grouping, *behind, found, legend=legend, weighted=found.weighted)

    @property
    def heading(self) -> str:
        """What its picture is called."""
        return f"{self.grouping.title(self.attribute, self.legend)}, row per cent"

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        """The names along each axis of the value."""
        return (
            self.groups,
            self.labels,
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """What the columns are called."""
        return self.found.labels

    @property
    def learnt(self) -> Mask:
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

    @property
    def unbiased(self) -> Estimated:
        return self.rows.exact

    @property
    def free(self) -> int:
        return len(self.labels) - 1  # the last share follows from the others

    @property
    def has_ratios(self) -> bool:
        return True

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return a row for each group and answer: three per cents, each with low and high."""
        by = np.repeat(np.array(self.groups, object), len(self.labels))
        answers = np.tile(np.array(self.labels, object), len(self.groups))
        columns: dict[str, Any] = {"group": pa.array(by), "label": pa.array(answers)}
        for name, shares in zip(PERCENTS, (self.rows, self.columns, self.total), strict=True):
            low, high = np.moveaxis(shares.interval(confidence), -1, 0)
            columns |= {name: shares.value.ravel(), f"{name}_stderr": shares.stderr.ravel()}
            columns |= {f"{name}_low": low.ravel(), f"{name}_high": high.ravel()}
        return self.framed(pa.table(columns), backend)

    def document(self, against: str | None = None) -> Document:
        """Return it for machines, and the other groups beside one; what is not learnt is null."""
        found: Document = finite(
            {
                **self.head,
                "test": self.test.document(),
                "groups": self.shares.document(self.groups),
                "answers": self.answers.document(self.labels),
                "cells": self.to_frame("pyarrow").to_pylist(),
                **({} if against is None else {"comparisons": self.comparisons(against)}),
            }
        )
        return found

    def table(self, percent: str = "row") -> Table:
        """Return the crosstab of one kind of per cent."""
        return crosstab(self, percent)
