"""Sets of codes: each report speaks for some codes, and its likelihood is a ratio for those."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from discretion.estimate.mle import Informed
from discretion.estimate.noise import Matrix
from discretion.estimate.shards import likelihood_of
from discretion.family.counts import Tally
from discretion.family.family import Answers, Displacement, LabelFamily, share_variance
from discretion.family.goodness import bounds_pvalue, ones_pvalue, support_pvalue
from discretion.family.sets.likelihood import set_likelihood
from discretion.family.sets.linear import PooledSets
from discretion.family.sets.manipulation import Manipulation
from discretion.family.sets.part import SetPart
from discretion.mechanism import HASHED, SupportLaw
from discretion.plan import Family
from discretion.plan.parameters import ASSIGNED, DRAWN
from discretion.table import Reports
from discretion.table.columns import Bytes, Levels
from discretion.table.support import count_supports, packed_supports


@dataclass(frozen=True)
class Sets(LabelFamily[Tally]):
    """Reports of direct answers, of unary bits, of subsets and of hashed answers."""

    reported = "sets of codes"
    cell_bounds = True

    @property
    def functions(self) -> str:
        if self.mechanism not in HASHED and self.question.cohorts == 1:
            return ""
        return ASSIGNED if self.question.assigned else DRAWN

    @property
    def exhaustive(self) -> bool:
        return self.functions != ASSIGNED

    @property
    def foldable(self) -> bool:
        return len(self.question.parts) > 1

    def law(self, stratum: int) -> SupportLaw:
        return self.question.law(stratum or self.menu[0], Family.SETS)

    def variance(self, level: int) -> Fraction:
        return share_variance(self.law(level))

    def counted(self, strata: Levels, y: Bytes) -> Iterable[tuple[int, Tally]]:
        used, supports, sizes = count_supports(self.law, y, strata)
        tallies = map(Tally, sizes.sum(axis=1).tolist(), supports, sizes)
        return zip(used.tolist(), tallies, strict=True)

    def restored(self, stratum: int, document: Mapping[str, Any]) -> Tally:
        supports = np.array(document["supports"], np.int64)
        sizes = np.array(document["sizes"], np.int64)
        n, size = int(document["n"]), self.size
        if supports.shape != (size,) or sizes.shape != (size + 1,) or sizes.sum() != n:
            raise ValueError(f"{self.name}: counts do not fit the plan")
        if n < 1 or supports.max() > n:
            rule = "counts must be of some reports, and no more than those"
            raise ValueError(f"{self.name}: {rule}")
        if min(supports.min(), sizes.min()) < 0 or sizes @ np.arange(size + 1) != supports.sum():
            raise ValueError(f"{self.name}: counts contradict each other")
        return Tally(n, supports, sizes)

    def pooled(self, counts: Mapping[int, Tally], cap: float | None = None) -> PooledSets:
        return PooledSets([(self.law(level), tally) for level, tally in counts.items()], cap)

    def likelihood(self, counts: Mapping[int, Tally], reports: Reports | None) -> Informed:
        assert reports is not None
        return likelihood_of(reports, self.name, partial(set_likelihood, self.name))

    def displaced(
        self, counts: Mapping[int, Tally], share: float, added: float, cap: float | None = None
    ) -> Displacement:
        laws = {level: self.law(level) for level in self.menu}
        pooled, assigned = self.pooled(counts, cap), self.functions == ASSIGNED
        return Manipulation(pooled, list(counts), laws, share, added, assigned).displaced()

    def pvalues(self, stratum: int, counts: Tally) -> tuple[float | None, float | None]:
        law = self.law(stratum)
        return ones_pvalue(law, counts), support_pvalue(law, counts)

    def unary(self, counts: Mapping[int, Tally]) -> Tally:
        if self.mechanism != "oue":
            raise self._needs_oue
        return sum(counts.values(), Tally.zero(self.size))

    def secret_pvalue(self, counts: Mapping[int, Tally]) -> float:
        """Test whether codes are as frequent as some values at some levels could make them."""
        total, laws = self.unary(counts), [self.law(level).inclusion for level in self.menu]
        low, high = min(float(own.other) for own in laws), max(float(own.own) for own in laws)
        return bounds_pvalue(total.supports, total.n, low, high)

    def part_of(self, answers: Answers, mixing: Matrix | None) -> SetPart:
        laws = tuple(map(self.law, answers.strata))
        packed = packed_supports(laws, answers.which, answers.y)
        bits = np.unpackbits(packed, axis=1, count=self.size, bitorder="little")
        sizes = tuple(part.size for part in self.question.attribute.parts)
        return SetPart(self.name, answers.axes, sizes, bits, laws, answers.which)
