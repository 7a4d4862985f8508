"""What reports say at each depth of a tree: a share for every node, pooled over levels.

A depth is a question about labels of its own, so shares are debiased and weighted as there, by the
noise of each level at the uniform law. See docs/proofs/hierarchy.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from discretion.estimate.noise import Noise, Vector
from discretion.family.counts import NodeCounts
from discretion.mechanism import Hierarchy, SupportLaw
from discretion.table.support import Counts

UNKNOWN = 1e6  # the variance at a depth without reports: no share varies as much


class Answered(NamedTuple):
    """The reports of a level about some nodes."""

    law: SupportLaw
    n: int
    supports: Counts  # how many sets hold each node


@dataclass(frozen=True, eq=False)
class Depth:
    """The shares of the nodes of a depth, unbiased, and their noise."""

    value: Vector  # (nodes,)
    variance: float  # of a contrast at the uniform law; over reports, as all of these
    constant: float  # of the variance at shares f, constant + linear f - square f f'
    linear: float
    square: float

    @classmethod
    def of(
        cls, depth: int, laws: Mapping[int, Hierarchy], counts: Mapping[int, NodeCounts]
    ) -> Self:
        """Pool the levels that reported at a depth."""
        rows = [(laws[level].laws[depth], own) for level, own in counts.items()]
        answered = [
            Answered(law, int(own.reports[depth]), own.at(depth))
            for law, own in rows
            if own.reports[depth]
        ]
        if not answered:
            nodes = next(iter(laws.values())).tree.nodes[depth]
            return cls(np.full(nodes, 1 / nodes), UNKNOWN, UNKNOWN, 0.0, 0.0)
        return cls.pooled(answered)

    @classmethod
    def pooled(cls, answered: Sequence[Answered]) -> Self:
        """Pool the reports of several levels, about the same nodes."""
        size = answered[0].law.size
        noises = [Noise.of(each.law) for each in answered]
        n = np.array([each.n for each in answered], np.float64)
        weights = n * [noise.precision(size) for noise in noises]
        shares, value = weights / weights.sum(), np.zeros(size)
        for share, (law, reports, supports) in zip(shares, answered, strict=True):
            held, lacked = map(float, law.means)
            debiased = (supports / reports - lacked) / (held - lacked)
            value += share * (debiased - (debiased.mean() - 1 / size))
        parts = [(each.constant, each.linear, each.square) for each in noises]
        constant, linear, square = (shares**2 / n) @ np.array(parts)
        return cls(value, 1 / weights.sum(), constant, linear, square)

    def noise(self, shares: Vector, rng: np.random.Generator) -> Vector:
        """Draw what reports about these shares would add: normal, with their covariance.

        With D the diagonal and p = f' D^-1 f, x - c f f' D^-1 x has the covariance D - s f f' of
        x ~ N(0, D) for c = (1 - (1 - s p)^(1/2)) / p.
        """
        diagonal = self.constant + self.linear * shares
        x = np.sqrt(diagonal) * rng.standard_normal(len(shares))
        p = float(shares @ (shares / diagonal))
        c = (1 - np.sqrt(max(1 - self.square * p, 0.0))) / p
        return np.asarray(x - c * float(shares @ (x / diagonal)) * shares)


def depths_of(laws: Mapping[int, Hierarchy], counts: Mapping[int, NodeCounts]) -> Sequence[Depth]:
    """Return every depth of the tree, from the first one down."""
    tree = next(iter(laws.values())).tree
    return [Depth.of(depth, laws, counts) for depth in range(tree.depths)]
