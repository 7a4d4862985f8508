"""Screening: every level of an attribute is tested, and the estimate given without suspicious ones.

A group is the reports of one level. Three tests: whether they have as many bits set as honest ones;
whether every output is as frequent as some values could make it; and whether the level agrees with
the others. Nothing is dropped: the estimate without suspicious groups is shown beside the other.
A level may disagree without any false report, where budgets depend on values. And reports
drawn from the law of a false value pass every test: they do no more harm than a false answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from discretion.aggregate import Data, Evidence
from discretion.errors import EstimateError
from discretion.estimate.documents import finite
from discretion.estimate.documents.checks import Screening as ScreeningDocument
from discretion.estimate.estimate import Tabular
from discretion.estimate.noise import Vector
from discretion.labels.blind import moment
from discretion.robustness.testing import ALPHA, Disagreement, GroupTest, disagreement, judged
from discretion.table.frame import Frame, as_its_caller

COMPARED = 24  # groups, at most, that are compared with the others: those with most reports
SECRET = "levels are secret: ones are not tested, and bounds are the widest of the menu"


@dataclass(frozen=True, slots=True)
class Group:
    """The reports of one level, and what the tests say of them; None where one does not apply."""

    level: int  # in thousandths; 0 where it is secret
    part: str  # of the level: a range, or a bundle; "" for all
    n: int
    ones: float | None  # p-values: of the number of bits set,
    outputs: float | None  # of how frequent outputs are,
    agreement: float | None  # of agreement with the groups that are not suspicious
    adjusted: float  # the smallest, for the number of all tests (Holm)
    suspicious: bool


@dataclass(frozen=True, eq=False, repr=False)
class Screening(Tabular):
    """All groups of an attribute, and the estimate with and without the suspicious ones."""

    attribute: str
    groups: tuple[Group, ...]
    what: tuple[str, ...]  # what is estimated: the labels, or "mean"
    value: Vector  # (k,) from all groups
    stderr: Vector  # (k,)
    without: Vector | None  # (k,) None where no group is left
    without_stderr: Vector | None
    note: str  # what could not be tested
    alpha: float = ALPHA

    @property
    def suspicious(self) -> tuple[Group, ...]:
        return tuple(group for group in self.groups if group.suspicious)

    @property
    def share(self) -> float:
        """Which share of the reports is in suspicious groups."""
        return sum(g.n for g in self.suspicious) / sum(g.n for g in self.groups)

    @property
    def summary(self) -> str:
        """How many groups are suspicious, and how many of the reports are in them."""
        found = f"{len(self.suspicious)} of {len(self.groups)} groups suspicious"
        return f"{self.attribute}: {found}, with {100 * self.share:.3g} % of the reports"

    def to_frame(self, backend: str | None = None) -> Frame:
        """Return one row per group: level, reports, p-values, and whether it is suspicious."""
        rows = [_row(group) for group in self.groups]
        return self.framed(pa.Table.from_pylist(rows, SCHEMA), backend)

    def document(self) -> ScreeningDocument:
        k = len(self.what)
        columns = [self.value, self.stderr, self.without, self.without_stderr]
        lists = [[None] * k if each is None else each.tolist() for each in columns]
        names = ("what", "value", "stderr", "without", "without_stderr")
        rows = [dict(zip(names, row, strict=True)) for row in zip(self.what, *lists, strict=True)]
        found: ScreeningDocument = finite(
            {
                "attribute": self.attribute,
                "alpha": self.alpha,
                "suspicious_share": self.share,
                "note": self.note,
                "groups": [_row(group) for group in self.groups],
                "estimates": rows,
            }
        )
        return found


SCHEMA = pa.schema(
    [
        ("level", pa.int64()),
        ("part", pa.string()),
        ("n", pa.int64()),
        ("ones", pa.float64()),
        ("outputs", pa.float64()),
        ("agreement", pa.float64()),
        ("adjusted", pa.float64()),
        ("suspicious", pa.bool_()),
    ]
)


def _row(group: Group) -> dict[str, Any]:
    return {name: getattr(group, name) for name in SCHEMA.names}


@as_its_caller
def screen(data: Data, attribute: str) -> Screening:
    """Test the reports about labels, level by level."""
    evidence = Evidence.of(data, attribute)
    if evidence.family.several:
        rule = "screening is of answers with a list"
        instead = "frequencies() tests whether levels agree, margin() bounds what false ones do"
        noun = evidence.family.question.kind.noun
        raise EstimateError(f"{rule}, and {attribute!r} is {noun}: {instead}")
    labels = evidence.labelled.estimated
    results = _group_tests(evidence)
    rows = zip(evidence.reports_by_level.items(), results, strict=True)
    groups = tuple(group_of(level, "", reports, result) for (level, reports), result in rows)
    left = {group.level for group in groups if not group.suspicious}
    value, stderr = _estimate(evidence)
    without, error = _estimate(evidence.only(left)) if left else (None, None)
    note = SECRET * evidence.secret
    return Screening(attribute, groups, labels, value, stderr, without, error, note)


def most_reports(n: Sequence[int]) -> set[int]:
    """Return the groups that are compared with the others: those of most reports."""
    return set(np.argsort(-np.array(n), kind="stable")[:COMPARED].tolist())


def group_of(level: int, part: str, n: int, result: GroupTest) -> Group:
    """Return a group of the two tests of its own, ones and outputs, and that of agreement."""
    ones, outputs = result.alone
    judgement = result.agreement, result.adjusted, result.suspicious
    return Group(level, part, n, ones, outputs, *judgement)


def _group_tests(evidence: Evidence) -> list[GroupTest]:
    if evidence.secret:
        alone = (None, evidence.labelled.secret_pvalue(evidence.counts))
        return judged([alone], lambda *_: None)
    levels = list(evidence.counts)
    largest = most_reports(list(evidence.reports_by_level.values()))

    def compare(own: int, rest: Sequence[int]) -> Disagreement | None:
        if own not in largest:
            return None
        groups = ([own], rest, [own, *rest])
        return disagreement(*(evidence.only({levels[i] for i in each}).pooled() for each in groups))

    own = [evidence.labelled.pvalues(level, counts) for level, counts in evidence.counts.items()]
    return judged(own, compare)


def _estimate(evidence: Evidence) -> tuple[Vector, Vector]:
    """Return the linear estimate and its standard errors."""
    if evidence.secret:
        value, spread = moment(evidence.unary)
    else:
        linear = evidence.pooled()
        value, spread = linear.value, linear.spread
    return value, np.sqrt(np.maximum(spread.variance, 0.0))
