"""The aggregate of a round: per attribute and grade, the counts of reports. Integers throughout.

``add`` counts more reports into it (in place, by the shard that owns it); ``merge`` makes the
aggregate of two disjoint sets of reports. Merging in any order gives the same bytes. Aggregates of
different plans or rounds are not merged: rounds are not independent. All reports are counted once
more, whatever they share: liars need not leave an attribute out because its owners did.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from discretion.aggregate.counting import Counted, add_to, all_together, counted
from discretion.aggregate.tally import BitCounts, Outputs, Tally
from discretion.budget.stratum import level_of, range_of
from discretion.errors import MergeMismatch, TableError
from discretion.mechanism import Bloom, Hashed, Histogram
from discretion.plan import Family, Plan
from discretion.schema import Bundle
from discretion.table import Reports, ReportTable

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


@dataclass(slots=True)
class Aggregate:
    """Tallies by attribute and grade, which is the level (0: not disclosed) and the range."""

    plan: Plan
    round: int = 0
    reports: int = 0  # of the round, whatever they share
    tallies: dict[str, dict[int, Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, reports: Reports) -> Self:
        """Count the reports of one round."""
        rounds = reports.rounds or [0]
        if len(rounds) > 1:
            raise TableError(f"reports must be of one round, got {rounds}: use of_round()")
        aggregate = cls(reports.plan, rounds[0])
        aggregate.add(reports)
        return aggregate

    def add(self, reports: Reports) -> None:
        """Count more reports of the same plan and round."""
        if reports.plan.id != self.plan.id:
            raise MergeMismatch("plans", self.plan.id, reports.plan.id)
        for round in reports.rounds:
            if round != self.round:
                raise MergeMismatch("rounds", self.round, round)
        for name, grades in reports.fold(self.plan.names, counted, all_together).items():
            add_to(self.tallies.setdefault(name, {}), grades)
        self.reports += len(reports)

    def remove(self, reports: ReportTable) -> None:
        """Take reports out again that were counted into it."""
        gone = type(self)(self.plan, self.round)
        gone.add(reports)
        for name, grades in gone.tallies.items():
            mine = self.tallies[name]
            for grade, tally in grades.items():
                left = mine.pop(grade) - tally
                if left.n:
                    mine[grade] = left
        self.reports -= gone.reports

    def merge(self, other: Self) -> Self:
        """Return the aggregate of both sets of reports; neither argument is changed."""
        if self.plan.id != other.plan.id:
            raise MergeMismatch("plans", self.plan.id, other.plan.id)
        if self.round != other.round:
            raise MergeMismatch("rounds", self.round, other.round)
        merged = {name: dict(levels) for name, levels in self.tallies.items()}
        for name, levels in other.tallies.items():
            add_to(merged.setdefault(name, {}), levels)
        return type(self)(self.plan, self.round, self.reports + other.reports, merged)

    def levels(self, name: str) -> Mapping[int, Tally]:
        """Return the tallies of an attribute with labels by level, from the smallest up."""
        return {g: tally for g, tally in self.counted(name).items() if isinstance(tally, Tally)}

    def bits(self, name: str) -> Mapping[int, BitCounts]:
        """Return the bit counts of a coded attribute by level, from the smallest up."""
        return {g: tally for g, tally in self.counted(name).items() if isinstance(tally, BitCounts)}

    def outputs(self, name: str) -> Mapping[int, Outputs]:
        """Return the outputs of a number, or of a matrix, by grade, from the smallest up."""
        return {g: tally for g, tally in self.counted(name).items() if isinstance(tally, Outputs)}

    def counted(self, name: str) -> Mapping[int, Counted]:
        """Return what was counted of one attribute or bundle by grade, from the smallest up."""
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
                    grade: _tally(plan, name, grade, tally)
                    for grade, tally in ((_grade(plan, name, g), t) for g, t in levels.items())
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


def _check_reports(aggregate: Aggregate) -> None:
    """Refuse fewer reports than tell about some attribute, which each does alone or in a bundle."""
    plan = aggregate.plan
    told = dict.fromkeys(plan.attributes, 0)
    for name, grades in aggregate.tallies.items():
        for part in plan.questions[name].parts:
            told[part] += sum(tally.n for tally in grades.values())
    if aggregate.reports < max(told.values()):
        most = max(told, key=told.__getitem__)
        rule = f"reports must be {told[most]} at least, as many tell about {most!r}"
        raise ValueError(f"{rule}, got {aggregate.reports}")


def _grade(plan: Plan, name: str, text: str) -> int:
    grade = int(text)
    if level_of(grade) not in ((SECRET,) if plan.secret else plan.questions[name].menu):
        raise ValueError(f"level must be on the plan's menu, got {text}")
    if range_of(grade) > max(len(plan.questions[name].ranges) - 1, 0):
        raise ValueError(f"range must be on the plan's menu, got {text}")
    return grade


def _tally(plan: Plan, name: str, grade: int, document: Mapping[str, Any]) -> Counted:
    if (
        plan.questions[name].family is Family.WORDS
        or plan.questions[name].family is Family.SKETCHES
    ):
        return _bits(plan, name, document)
    if plan.questions[name].family is Family.COLUMNS or not plan.questions[name].labels:
        return _outputs(plan, name, grade, document)
    size = plan.questions[name].attribute.size
    supports = np.array(document["supports"], np.int64)
    sizes = np.array(document["sizes"], np.int64)
    n = int(document["n"])
    if supports.shape != (size,) or sizes.shape != (size + 1,) or sizes.sum() != n:
        raise ValueError(f"{name}: counts do not fit the plan")
    if n < 1 or supports.max() > n:
        raise ValueError(f"{name}: counts must be of some reports, and no more than those")
    if min(supports.min(), sizes.min()) < 0 or sizes @ np.arange(size + 1) != supports.sum():
        raise ValueError(f"{name}: counts contradict each other")
    return Tally(n, supports, sizes)


def _bits(plan: Plan, name: str, document: Mapping[str, Any]) -> BitCounts:
    law = plan.questions[name].law(plan.questions[name].menu[0])
    assert isinstance(law, Bloom | Hashed | Histogram)
    n, counts = np.array(document["n"], np.int64), np.array(document["bits"], np.int64)
    if n.shape != (law.cohorts,) or counts.shape != (law.cohorts, law.columns):
        raise ValueError(f"{name}: counts do not fit the plan")
    if (
        n.min() < 0
        or n.sum() < 1
        or counts.min() < 0
        or (counts > n[:, None] * plan.questions[name].coding.top).any()
    ):
        raise ValueError(f"{name}: counts must be of some reports, and no more than those")
    return BitCounts(n, counts)


def _outputs(plan: Plan, name: str, grade: int, document: Mapping[str, Any]) -> Outputs:
    n, counts = int(document["n"]), np.array(document["outputs"], np.int64)
    bundle = plan.questions[name].attribute
    if isinstance(bundle, Bundle):
        fits = counts.shape == (len(bundle.parts), bundle.sizes[0])
    else:
        fits = counts.shape == (plan.questions[name].law(grade).n_outputs,)  # type: ignore[attr-defined]
    if not fits or n < 1 or counts.min() < 0 or (counts.sum(axis=-1) != n).any():
        raise ValueError(f"{name}: counts do not fit the plan")
    return Outputs(n, counts)
