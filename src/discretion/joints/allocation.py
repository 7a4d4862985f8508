"""Secret allocations: the joint law of an owner's budgets, learnt from the numbers of ones.

How many ones a report has does not depend on the value, so the counts of ones show how budgets are
spread, and budgets of one owner hang together: they share an allowance. The law is a mixture of
types of owners (``joints.types``), the most likely one. It is pooled over whatever was shared; as
far as the ones of owners who share the same say that they spend otherwise, they have a law of their
own (Stein 1956: of what sets it apart they keep what noise does not explain). Given the counts of
ones s and bits b of a cell, the likelihood of the cell is the mixture's mean of the products of
q^(s - b) (1 - q)^(l - 1 - s + b).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add
from typing import Self

import numpy as np

from discretion.errors import AllocationWarning, warn
from discretion.estimate.noise import Vector
from discretion.family.part import Single
from discretion.joints.ones import Ones, OnesFit, Sharing, count_ones, most_likely, strata
from discretion.joints.table_evidence import Group, TableEvidence
from discretion.joints.types import Types
from discretion.render.formats import p_stated

UNEXPLAINED = 0.01  # p below which the numbers of ones are not those of any law


@dataclass(frozen=True)
class BudgetMixture:
    """The mixing distribution of whole budgets: how frequent each type is.

    That of one attribute's levels alone is ``labels.blind.LevelMixture``.
    """

    strata: tuple[Ones, ...]
    pooled: Vector  # (types,)
    shares: Mapping[Sharing, Vector]  # (types,) of owners who share this

    @classmethod
    def learnt(cls, evidence: TableEvidence) -> Self:
        """Fit the shares of the types to the numbers of ones."""
        types = Types.of(evidence.plan.policy, len(evidence.shape))
        seen = evidence.fold(count_ones).items()
        return cls._of(tuple(Ones.of(types, sharing, own) for sharing, own in seen))

    @classmethod
    def _of(cls, found: tuple[Ones, ...], start: Vector | None = None) -> Self:
        likelihood = np.concatenate([own.likelihood for own in found])
        pooled = most_likely(likelihood, np.concatenate([own.counts for own in found]), start)
        one = len(found) == 1
        shares = {own.sharing: pooled if one else own.shares(pooled) for own in found}
        return cls(found, pooled, shares)

    def redrawn(self, rng: np.random.Generator) -> Self:
        """Learn the law of as many other owners with such numbers of ones (Efron 1979)."""
        drawn = (rng.poisson(own.counts).astype(np.float64) for own in self.strata)
        pairs = zip(self.strata, drawn, strict=True)
        return self._of(tuple(replace(own, counts=n) for own, n in pairs), self.pooled)

    @cached_property
    def fit(self) -> OnesFit:
        """The test whether there are as many ones as the law says."""
        return reduce(add, (own.fit(self.shares[own.sharing]) for own in self.strata))

    def tables(self, group: Group) -> Single:
        """Return for each report the likelihood of a cell by which of its bits are set."""
        tables = np.empty((len(group), *(2,) * len(group.parts)), np.float32)
        found = {own.sharing: own for own in self.strata}
        for sharing, keys, rows in strata(group):
            distinct, back = np.unique(keys, return_inverse=True)
            tables[rows] = found[sharing].tables(distinct, self.shares[sharing])[back]
        return tables


def warn_if_unexplained(fit: OnesFit) -> None:
    """Warn where no spending that the plan allows makes numbers of ones like these."""
    if fit.p < UNEXPLAINED:
        rule = "are not those of any way to spend what the plan allows"
        remedy = "estimates may be biased; joint(..., method='tensor') assumes no law of the levels"
        warn(
            f"the numbers of ones in these reports {rule} ({p_stated(fit.p)}): {remedy}",
            AllocationWarning,
        )
