"""The evidence about one question: a family, its counts by stratum, and the reports if any."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self, cast

from discretion.aggregate.aggregate import Aggregate, count
from discretion.aggregate.holding import including
from discretion.budget.level import range_of
from discretion.errors import EstimateError
from discretion.estimate.homogeneity import Homogeneity, homogeneity, neighbours
from discretion.estimate.linear import Pooled
from discretion.estimate.mle import Informed
from discretion.family import LabelFamily, LinearFamily, about
from discretion.family.counts import Tally
from discretion.family.family import C, Counts, ReportFamily
from discretion.plan import Plan
from discretion.table import Reports


@dataclass(frozen=True, slots=True)
class Evidence:
    """The reports of one round about one question, counted."""

    plan: Plan
    family: LinearFamily[Any]
    counts: Mapping[int, Counts]  # by stratum, from the smallest up
    table: Reports | None
    everyone: int  # reports of the round, whatever they share

    @classmethod
    def of(cls, data: "Reports | Aggregate | Evidence", attribute: str) -> "Evidence":
        """Count the reports, if that is not done; there must be some, and of one round."""
        if isinstance(data, Evidence):
            return data.about(attribute)
        if not isinstance(data, Reports | Aggregate):
            kind = type(data).__name__
            raise EstimateError(f"frequencies need reports or an Aggregate, got {kind}")
        data = including(data, [attribute])
        family = about(data.plan, attribute, data.shared).linear()
        table = data if isinstance(data, Reports) else None
        return cls(data.plan, family, counts_of(data, family), table, reports_of(data))

    @property
    def attribute(self) -> str:
        """What the reports are about."""
        return self.family.question.name

    def about(self, attribute: str) -> Self:
        """Return the same, if it is about this attribute."""
        if attribute != self.attribute:
            raise EstimateError(f"the evidence is about {self.attribute!r}, not {attribute!r}")
        return self

    @property
    def secret(self) -> bool:
        """Whether reports keep their levels to themselves."""
        return self.plan.secret

    @property
    def estimated(self) -> tuple[str, ...]:
        """What the shares are of that the reports estimate."""
        return self.family.estimated

    @property
    def labelled(self) -> LabelFamily[Any]:
        """The family, if its reports are about a list of labels; any other is refused."""
        return self.family.labelled()

    @property
    def n(self) -> int:
        """How many of the reports are about the attribute."""
        return sum(self.reports_by_level.values())

    @property
    def reports_by_level(self) -> dict[int, int]:
        """How many reports there are of each level, from the smallest up."""
        return {level: counts.n for level, counts in self.counts.items()}

    @property
    def complete(self) -> bool:
        """Whether all that the likelihood needs is there."""
        return self.labelled.sufficient or self.table is not None

    @property
    def reports(self) -> Reports:
        if self.table is None:
            raise EstimateError("this method needs the reports themselves, not their aggregate")
        return self.table

    @property
    def disclosed(self) -> Mapping[int, Counts]:
        """The counts by stratum, refused where the plan keeps these secret."""
        if self.secret:
            raise EstimateError("this method needs disclosed levels; the plan keeps them secret")
        return self.counts

    @property
    def unary(self) -> Tally:
        """The counts of all strata, for what only OUE's reports can answer."""
        return self.labelled.unary(self.counts)

    @property
    def likelihood(self) -> Informed:
        """The likelihood of the frequencies, given the levels."""
        reports = self.table if self.labelled.sufficient else self.reports
        return self.labelled.likelihood(self.disclosed, reports)

    def pooled(self, cap: float | None = None) -> Pooled:
        """Return the linear estimate from all levels."""
        return self.family.pooled(self.disclosed, cap)

    def pooled_by_group(self) -> list[Pooled]:
        """Return the linear estimates from groups of neighbouring levels."""
        items = list(self.disclosed.items())
        groups = neighbours(list(self.reports_by_level.values()))
        return [self.family.pooled(dict(items[group])) for group in groups]

    @property
    def longest(self) -> Self:
        """The evidence of the longest reports alone, where owners choose how long theirs are."""
        lengths = self.family.question.ranges
        if not lengths:
            return self
        most = max(lengths[range_of(stratum)] for stratum in self.counts)
        return self.only([s for s in self.counts if lengths[range_of(s)] == most])

    @property
    def homogeneity(self) -> Homogeneity | None:
        """The test whether levels agree; None where they are secret or too few to compare."""
        return None if self.secret else homogeneity(self.pooled_by_group())

    def only(self, levels: Collection[int]) -> Self:
        """Return the evidence of some levels alone."""
        kept = {level: counts for level, counts in self.counts.items() if level in levels}
        return replace(self, counts=kept)


Data = Reports | Aggregate | Evidence  # what estimates of shares are made from


def counts_of(data: Reports | Aggregate, family: ReportFamily[C]) -> Mapping[int, C]:
    """Return the counts by stratum; there must be some reports, and of one round."""
    check_round(data)
    found = family.gathered(partial(counted, data))
    if not found:
        raise EstimateError(f"nobody shared {family.name!r} in these reports")
    return found


def counted(data: Reports | Aggregate, family: ReportFamily[C]) -> dict[int, C]:
    """Return the counts by stratum; none if nobody answered."""
    name = family.name
    found = data.counted(name) if isinstance(data, Aggregate) else count(data, name)
    return cast("dict[int, C]", found)  # the family has counted them


def check_round(data: Reports | Aggregate) -> None:
    """Refuse reports of several rounds."""
    if isinstance(data, Reports) and len(data.rounds) > 1:
        rounds = ", ".join(map(str, data.rounds))
        raise EstimateError(f"reports must be of one round, got {rounds}: use of_round()")


def reports_of(data: Reports | Aggregate) -> int:
    """Return how many reports there are, whatever they share."""
    return data.reports if isinstance(data, Aggregate) else len(data)
