"""What is known about one attribute: its tallies by level, and the reports where there are some."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from discretion.aggregate import (
    Aggregate,
    BitCounts,
    Outputs,
    Tally,
    count,
    count_coded,
    count_columns,
)
from discretion.errors import EstimateError
from discretion.estimate.bits import CodedLevels, PooledBits
from discretion.estimate.columns import MatrixLevels, PooledOutputs
from discretion.estimate.homogeneity import groups_of
from discretion.estimate.linear import Levels
from discretion.estimate.pool import Pool
from discretion.plan import Family, Plan
from discretion.table import Reports


@dataclass(frozen=True, slots=True)
class Evidence:
    """The reports of one round about one attribute, counted; each need of a method is checked."""

    plan: Plan
    attribute: str
    tallies: Mapping[int, Tally]
    bits: Mapping[int, BitCounts]  # instead of tallies, where reports are bits of words
    outputs: Mapping[int, Outputs]  # or where they are columns of a matrix
    table: Reports | None
    everyone: int  # reports of the round, whatever they share

    @classmethod
    def of(cls, data: "Reports | Aggregate | Evidence", attribute: str) -> "Evidence":
        """Count the reports, if that is not done; there must be some, and of one round."""
        if isinstance(data, Evidence):
            return data.about(attribute)
        table = data if isinstance(data, Reports) else None
        if not isinstance(data, Reports | Aggregate):
            kind = type(data).__name__
            raise EstimateError(f"frequencies need reports or an Aggregate, got {kind}")
        if data.plan.questions[attribute].family is Family.SKETCHES:
            raise EstimateError(f"{attribute!r} is a text: frequencies with candidates tell of it")
        if table is not None and len(table.rounds) > 1:
            rounds = ", ".join(map(str, table.rounds))
            raise EstimateError(f"reports must be of one round, got {rounds}: use of_round()")
        tallies: Mapping[int, Tally] = {}
        bits: Mapping[int, BitCounts] = {}
        outputs: Mapping[int, Outputs] = {}
        if data.plan.questions[attribute].family is Family.COLUMNS:
            outputs = (
                data.outputs(attribute)
                if isinstance(data, Aggregate)
                else count_columns(data, attribute)
            )
        elif isinstance(data, Aggregate):
            tallies, bits = data.levels(attribute), data.bits(attribute)
        elif data.plan.questions[attribute].family is Family.WORDS:
            bits = count_coded(data, attribute)
        else:
            tallies = count(data, attribute)
        if not tallies and not bits and not outputs:
            raise EstimateError(f"nobody shared {attribute!r} in these reports")
        return cls(data.plan, attribute, tallies, bits, outputs, table, reports_of(data))

    def about(self, attribute: str) -> Self:
        """Return the same, if it is about this attribute."""
        if attribute != self.attribute:
            raise EstimateError(f"the evidence is about {self.attribute!r}, not {attribute!r}")
        return self

    @property
    def size(self) -> int:
        return self.plan.questions[self.attribute].attribute.size

    @property
    def n(self) -> int:
        """How many of the reports are about the attribute."""
        return sum(self.reports_by_level.values())

    @property
    def reports_by_level(self) -> Mapping[int, int]:
        """How many reports there are of each level, from the smallest up."""
        return {v: t.n for t_of in (self.tallies, self.bits, self.outputs) for v, t in t_of.items()}

    @property
    def total(self) -> Tally:
        """All levels together."""
        return sum(self.tallies.values(), Tally.zero(self.size))

    @property
    def reports(self) -> Reports:
        if self.table is None:
            raise EstimateError("this method needs the reports themselves, not their aggregate")
        return self.table

    @property
    def levels(self) -> Levels:
        """The law and the tally of each level, from the smallest level up."""
        if self.plan.secret:
            raise EstimateError("this method needs disclosed levels; the plan keeps them secret")
        return [
            (self.plan.questions[self.attribute].law(v, Family.SETS), tally)
            for v, tally in self.tallies.items()
        ]

    @property
    def sets(self) -> Levels:
        """The same, refused where reports are bits of words and not sets of codes."""
        if self.bits or self.outputs:
            has = "words" if self.bits else "columns of a matrix"
            raise EstimateError(f"a cap needs sets of codes, and {self.attribute!r} has {has}")
        return self.levels

    @property
    def coded_levels(self) -> CodedLevels:
        """The law and the bit counts of each level, from the smallest level up."""
        return [
            (self.plan.questions[self.attribute].law(v, Family.WORDS), tally)
            for v, tally in self.bits.items()
        ]

    @property
    def matrix_levels(self) -> MatrixLevels:
        """The law and the outputs of each level, from the smallest level up."""
        return [
            (self.plan.questions[self.attribute].law(v, Family.COLUMNS), t)
            for v, t in self.outputs.items()
        ]

    @property
    def pool(self) -> Pool:
        """All levels, where reports are no sets of codes."""
        return PooledBits(self.coded_levels) if self.bits else PooledOutputs(self.matrix_levels)

    @property
    def pools(self) -> list[Pool]:
        """The same by groups of neighbouring levels."""
        if self.bits:
            return [PooledBits(group) for group in groups_of(self.coded_levels)]
        return [PooledOutputs(group) for group in groups_of(self.matrix_levels)]

    def require_oue(self) -> None:
        """Refuse what only OUE's reports can answer."""
        mechanism = self.plan.questions[self.attribute].mechanism
        if mechanism != "oue":
            raise EstimateError(f"this method needs oue, and {self.attribute!r} uses {mechanism}")


Data = Reports | Aggregate | Evidence  # what estimates of labels are made from


def reports_of(data: Reports | Aggregate) -> int:
    """Return how many reports there are, whatever they share."""
    return data.reports if isinstance(data, Aggregate) else len(data)
