"""Intervals: each report is about a node of a tree of intervals, at a depth that it names.

Depths are counted apart: at each of them reports are sets of nodes, by a law for labels.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np

from discretion.family.counts import NodeCounts
from discretion.family.family import ReportFamily, share_variance
from discretion.mechanism import Hierarchy, Tree
from discretion.plan import Family
from discretion.plan.parameters import Intervals as Parameters
from discretion.table.columns import Bytes, Levels
from discretion.table.support import Counts, count_supports


@dataclass(frozen=True)
class Intervals(ReportFamily[NodeCounts]):
    """Reports about a number, or about labels in order, by intervals that contain the answer."""

    tabulated = False
    ordered = True

    def intervals(self) -> "Intervals":
        return self

    @property
    def tree(self) -> Tree:
        return cast("Parameters", self.question.parameters).tree(self.size)

    def law(self, stratum: int) -> Hierarchy:
        return self.question.law(stratum or self.menu[0], Family.INTERVALS)

    def variance(self, level: int) -> Fraction:
        """Return that of the share of the first half of all codes, which depth 1 estimates best."""
        law = self.law(level)
        return share_variance(law.laws[0]) * Fraction(sum(self.tree.weights), self.tree.weights[0])

    def counted(self, strata: Levels, y: Bytes) -> Iterable[tuple[int, NodeCounts]]:
        tree = self.tree
        found: dict[int, NodeCounts] = {}
        for depth in range(tree.depths):
            here = np.flatnonzero(y[:, -1] == depth)
            if not len(here):
                continue
            for stratum, n, supports in self._at(depth, strata[here], y[here]):
                own = found.setdefault(stratum, NodeCounts.zero(tree.nodes))
                own.reports[depth] = n
                own.at(depth)[:] = supports
        return sorted(found.items())

    def _at(self, depth: int, strata: Levels, y: Bytes) -> Iterable[tuple[int, int, Counts]]:
        """Yield the strata that occur at a depth, their reports, and the counts of nodes."""
        width = self.law(self.menu[0]).laws[depth].n_bytes
        rows = np.ascontiguousarray(y[:, :width])
        used, supports, sizes = count_supports(
            lambda stratum: self.law(stratum).laws[depth], rows, np.ascontiguousarray(strata)
        )
        return zip(used.tolist(), sizes.sum(axis=1).tolist(), supports, strict=True)

    def restored(self, stratum: int, document: Mapping[str, Any]) -> NodeCounts:
        return NodeCounts.restored(self.name, self.tree.nodes, document)
