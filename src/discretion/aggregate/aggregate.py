"""The aggregate of a round: per attribute and stratum, the counts of reports. Integers throughout.

``add`` counts more reports into it (in place, by the shard that owns it); ``merge`` makes the
aggregate of two disjoint sets of reports. Merging in any order gives the same bytes. Aggregates of
different plans or rounds are not merged: rounds are not independent. All reports are counted once
more, whatever they share: false reports need not leave an attribute out because its owners did.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Self

import pyarrow as pa

from discretion.budget.level import level_of, range_of
from discretion.engine import added
from discretion.errors import MergeMismatch, TableError
from discretion.family import of
from discretion.family.family import Counts
from discretion.plan import Plan
from discretion.render.formats import some
from discretion.table import Reports, ReportTable
from discretion.table.columns import matrix

FORMAT = 2  # 1 did not count all reports of the round
_MALFORMED = (
    LookupError,
    TypeError,
    ArithmeticError,
    ValueError,
    AttributeError,
    RecursionError,
)
SECRET = 0  # the level under which reports of secret allocation are counted

Strata = dict[int, Counts]  # the counts of one family of reports, by stratum


@dataclass(slots=True, repr=False)
class Aggregate:
    """Tallies by attribute and stratum, which is the level (0: not disclosed) and the range."""

    plan: Plan
    round: int = 0
    reports: int = 0  # of the round, whatever they share
    tallies: dict[str, Strata] = field(default_factory=dict)

    def __repr__(self) -> str:
        counted = some(self.tallies)
        return f"<Aggregate of {self.reports:,} reports of plan {self.plan.name!r}: {counted}>"

    @classmethod
    def of(cls, reports: Reports) -> Self:
        """Count the reports of one round."""
        rounds = reports.rounds or [0]
        if len(rounds) > 1:
            raise TableError(f"reports must be of one round, got {rounds}: use of_round()")
        aggregate = cls(reports.plan, rounds[0])
        aggregate.add(reports)
        return aggregate

    @classmethod
    def about(cls, reports: Reports, attributes: Collection[str]) -> Self:
        """Count the reports of one round about some attributes, alone and in bundles; no others."""
        names = _names_about(reports.plan, attributes)
        tallies = reports.fold(names, partial(_count_all, names))
        return cls(reports.plan, (reports.rounds or [0])[0], len(reports), tallies)

    @property
    def shared(self) -> list[str]:
        """The attributes and bundles that somebody reported, of those that were counted."""
        return [name for name in self.plan.names if self.tallies.get(name)]

    def add(self, reports: Reports) -> None:
        """Count more reports of the same plan and round."""
        if reports.plan.id != self.plan.id:
            raise MergeMismatch("plans", self.plan.id, reports.plan.id)
        for round in reports.rounds:
            if round != self.round:
                raise MergeMismatch("rounds", self.round, round)
        self.tallies = added(
            self.tallies, reports.fold(self.plan.names, partial(_count_all, self.plan.names))
        )
        self.reports += len(reports)

    def remove(self, reports: ReportTable) -> None:
        """Take reports out again that were counted into it."""
        gone = type(self)(self.plan, self.round)
        gone.add(reports)
        left = self.without(gone)
        self.tallies, self.reports = left.tallies, left.reports

    def without(self, gone: Self) -> Self:
        """Return what is left without some of the reports; neither argument is changed."""
        left = {name: _without(self.tallies[name], own) for name, own in gone.tallies.items()}
        return type(self)(self.plan, self.round, self.reports - gone.reports, self.tallies | left)

    @classmethod
    def by_group(cls, reports: Reports, attributes: Collection[str]) -> list[Self]:
        """Count the reports of one round as ``about`` does, by the public group that ids tell."""
        names, groups = _names_about(reports.plan, attributes), reports.plan.groups
        if groups is None:
            raise TableError("reports must be of a plan with groups")
        work = partial(_count_groups, names, groups.count)
        counted = reports.fold(names, work, ids=True)
        round = (reports.rounds or [0])[0]
        return [cls(reports.plan, round, *counted[group]) for group in sorted(counted)]

    def merge(self, other: Self) -> Self:
        """Return the aggregate of both sets of reports; neither argument is changed."""
        if self.plan.id != other.plan.id:
            raise MergeMismatch("plans", self.plan.id, other.plan.id)
        if self.round != other.round:
            raise MergeMismatch("rounds", self.round, other.round)
        tallies = added(self.tallies, other.tallies)
        return type(self)(self.plan, self.round, self.reports + other.reports, tallies)

    def counted(self, name: str) -> Strata:
        """Return the counts of one attribute or bundle by stratum, from the smallest up."""
        self.plan.questions.check([name])
        return dict(sorted(self.tallies.get(name, {}).items()))

    def to_json(self) -> str:
        """Return the aggregate's only text."""
        attributes = {
            name: {str(level): tally.document() for level, tally in self.counted(name).items()}
            for name in self.plan.names
        }
        document = {
            "format": FORMAT,
            "plan": self.plan.id,
            "round": self.round,
            "reports": self.reports,
            "attributes": attributes,
        }
        return json.dumps(document, ensure_ascii=False)

    @classmethod
    def from_json(cls, plan: Plan, text: str) -> Self:
        """Read what ``to_json`` wrote about the same plan."""
        try:
            document = json.loads(text)
            if document["plan"] != plan.id:
                raise TableError(f"must be an aggregate of plan {plan.id}, got {document['plan']}")
            tallies = {
                name: {
                    stratum: of(plan.questions[name]).restored(stratum, tally)
                    for stratum, tally in ((_stratum(plan, name, g), t) for g, t in levels.items())
                }
                for name, levels in document["attributes"].items()
            }
            aggregate = cls(plan, int(document["round"]), int(document["reports"]), tallies)
            _check_reports(aggregate)
        except _MALFORMED as error:
            raise TableError(f"must be the JSON of an aggregate ({error!r})") from None
        if aggregate.round < 0 or aggregate.to_json() != text:
            raise TableError("must be the JSON of an aggregate, in its only form")
        return aggregate


def _names_about(plan: Plan, attributes: Collection[str]) -> list[str]:
    asked = plan.questions.values()
    return [each.name for each in asked if not set(each.parts).isdisjoint(attributes)]


def _without(strata: Strata, gone: Strata) -> Strata:
    """Return what is left of counts; strata may be shared with other aggregates."""
    left = dict(strata)
    for stratum, tally in gone.items():
        remaining = left.pop(stratum) - tally
        if remaining.n:
            left[stratum] = remaining
    return left


def _check_reports(aggregate: Aggregate) -> None:
    """Refuse fewer reports in all than there are about some attribute, alone or in a bundle."""
    plan = aggregate.plan
    counted = dict.fromkeys(plan.attributes, 0)
    for name, strata in aggregate.tallies.items():
        for part in plan.questions[name].parts:
            counted[part] += sum(tally.n for tally in strata.values())
    if aggregate.reports < max(counted.values()):
        most = max(counted, key=counted.__getitem__)
        rule = f"reports must be {counted[most]} at least, as many are about {most!r}"
        raise ValueError(f"{rule}, got {aggregate.reports}")


def _stratum(plan: Plan, name: str, text: str) -> int:
    stratum = int(text)
    if level_of(stratum) not in ((SECRET,) if plan.secret else plan.questions[name].menu):
        raise ValueError(f"level must be on the plan's menu, got {text}")
    if range_of(stratum) > max(len(plan.questions[name].ranges) - 1, 0):
        raise ValueError(f"range must be on the plan's menu, got {text}")
    return stratum


def count(reports: Reports, name: str) -> Strata:
    """Return the counts of one attribute or bundle by stratum, from the smallest up."""
    return dict(sorted(reports.fold([name], partial(_count, name)).items()))


def _count(name: str, reports: ReportTable) -> Strata:
    return of(reports.plan.questions[name]).count(reports)


def _count_all(names: Sequence[str], reports: ReportTable) -> dict[str, Strata]:
    return {name: _count(name, reports) for name in names}


def _count_groups(
    names: Sequence[str], groups: int, reports: ReportTable
) -> dict[int, tuple[int, dict[str, Strata]]]:
    own = matrix(reports.data["id"].combine_chunks())[:, 0] % groups
    parts = {group: reports.data.filter(pa.array(own == group)) for group in range(groups)}
    tables = {group: replace(reports, data=rows) for group, rows in parts.items()}
    return {group: (len(part), _count_all(names, part)) for group, part in tables.items()}
