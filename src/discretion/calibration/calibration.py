"""Known margins, the weights that give them to respondents, and what is estimated with these."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from discretion.calibration.calibrated import (
    STRATIFIED,
    Respondents,
    calibrated,
)
from discretion.calibration.margins import Margin
from discretion.calibration.raking import Raked
from discretion.errors import EstimateError
from discretion.estimate.documents import Calibrated as CalibratedShape
from discretion.estimate.documents import finite
from discretion.estimate.estimate import Tabular, between, check_choice
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.result import FrequencyEstimate
from discretion.estimate.spread import Deviations
from discretion.estimate.weighting import Weighting
from discretion.joints.axes import Bins
from discretion.joints.joint import estimate_of
from discretion.joints.result import JointEstimate
from discretion.numbers.number_evidence import NumberEvidence
from discretion.numbers.result import NumberEstimate
from discretion.numbers.weighted import Range, Shares
from discretion.plan import Plan
from discretion.render.tables import MOST_ROWS, Table
from discretion.table import Reports
from discretion.table.frame import Frame

MOST_LIKELY = "mle"  # of numbers in bins: unbiased moments of many bins are too noisy
METHODS = {"weighted": "tensor", "tensor": "tensor", STRATIFIED: STRATIFIED}  # unbiased ones
LIMITS = (
    "weights repair a selection by these attributes alone: not one by anything else, "
    "nor levels that were chosen by value"
)


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Tabular):
    """Known margins, and the weights that give them to the respondents.

    Functions that take ``weights`` make their estimate anew from all reports, so that it counts
    what reports leave open about the weights. No report has a weight of its own: it does not show
    in which cell its owner is.
    """

    plan: Plan
    margins: tuple[Margin, ...]
    cells: tuple[tuple[str, ...], ...]  # of the margins' attributes
    shares: Vector  # (cells,) of the respondents
    raked: Raked
    root: Matrix  # (r, cells): deviations of the weights
    weighting: Weighting
    n: int  # owners who shared any of the attributes
    method: str  # "tensor", or "stratified": how tables are estimated if nothing else is asked

    @property
    def value(self) -> Vector:
        """The weights (cells,)."""
        return self.raked.weights

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes of the margins."""
        return self.weighting.attributes

    @property
    def stderr(self) -> Vector:
        """What the reports, and margins with errors, leave open about each weight."""
        return np.sqrt((self.root**2).sum(axis=0))

    @property
    def design_effect(self) -> float:
        """Kish's: by how much unequal weights raise a variance, if they are of no other use."""
        return self.weighting.design_effect

    @property
    def effective_n(self) -> float:
        """How many respondents with equal weights were worth as many: n over the design effect."""
        return self.weighting.effective_n

    def interval(self, confidence: float = 0.95) -> Matrix:
        """Return low and high (cells, 2) of each weight; none is negative."""
        ends = between(self.value, self.value, self.stderr, confidence, 0.0, np.inf)
        return np.column_stack(ends)

    def joint(
        self, data: object, attributes: Sequence[str], method: str, bins: Bins | None = None
    ) -> JointEstimate:
        """Return the table of the population, as ``joint`` does with these weights."""
        return self._table(data, attributes, method, bins=bins)

    def in_ranges(self, data: object, attribute: str, ranges: Sequence[Range]) -> Shares:
        """Return the shares of the population in ranges of a number, a table for each."""
        tables = [self.joint(data, [attribute], "auto", {attribute: edges}) for edges, _ in ranges]
        found = [
            (table.centre[at], table.stderr[at], table.n)
            for table, (_, at) in zip(tables, ranges, strict=True)
        ]
        value, stderr, n = map(np.array, zip(*found, strict=True))
        return Shares(value, stderr, int(n.max()), self.weighting)

    def frequencies(self, data: object, attribute: str, method: str) -> FrequencyEstimate:
        """Return the shares of the population, as ``frequencies`` does with these weights."""
        question = self.plan.questions[attribute]
        if not question.labels:
            raise EstimateError(f"{attribute!r} is {question.kind.noun}: shares are of labels")
        table = self.joint(data, question.parts, method)
        labels = question.labels
        return FrequencyEstimate(
            attribute,
            labels,
            table.value.ravel(),
            Deviations(table.root.reshape(-1, len(labels))),
            table.n,
            "weighted" if table.method == "tensor" else table.method,
            "population",
            table.homogeneity.get(attribute),
            legend=Legend.of(self.plan),
            conditional=bool(question.attribute.conditions),
            weighted=self.weighting,
        )

    def mean(self, data: object, attribute: str) -> NumberEstimate:
        """Return the mean in the population, as ``mean`` does with these weights."""
        table = self.coins(data, (), attribute)
        evidence = NumberEvidence.of(reports_of(data), attribute)
        steps = evidence.number.size - 1
        return NumberEstimate(
            attribute,
            "mean",
            evidence.value(steps * float(table.value[1])),
            evidence.step * steps * float(table.stderr[1]),
            table.n,
            "weighted",
            homogeneity=table.homogeneity.get(attribute),
            least=evidence.ends[0],
            most=evidence.ends[1],
            legend=Legend.of(self.plan),
            weighted=self.weighting,
        )

    def coins(self, data: object, attributes: Sequence[str], number: str) -> JointEstimate:
        """Return the population's table of attributes and, last, of a coin for a number.

        The coin shows heads (1) with probability (number - least) / (most - least).
        """
        return self._table(data, [*attributes, number], "auto", [number])  # exact: no bins

    def _table(
        self,
        data: object,
        attributes: Sequence[str],
        method: str,
        coins: Sequence[str] = (),
        bins: Bins | None = None,
    ) -> JointEstimate:
        """Return the population's table, from that of the respondents."""
        reports = reports_of(data)
        if reports.plan.id != self.plan.id:
            raise EstimateError("weights must be calibrated on reports of the same plan")
        check_choice("method with weights", method, ("auto", *METHODS))
        own = self.method if method == "auto" else METHODS[method]
        names = tuple(dict.fromkeys([*self.attributes, *attributes]))
        if method == "auto" and own != STRATIFIED and self._binned({*names} - {*coins}):
            own = MOST_LIKELY
        respondents = Respondents.of(reports, names, own, coins, bins)
        evidence, tests = respondents.evidence, respondents.tests
        answer = calibrated(respondents, self.attributes, self.raked, self.margins)
        found = estimate_of(evidence, answer, respondents.method, tests).marginal(attributes)
        n = evidence.answering(map(evidence.names.index, attributes))
        return replace(found, n=n, weighted=self.weighting)

    def _binned(self, names: Collection[str]) -> bool:
        """Whether there are numbers among these, which are in bins."""
        return any(self.plan.questions[name].numbers for name in names)

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return one row per cell: its labels, both shares, the weight with stderr and interval."""
        low, high = self.interval(confidence).T
        columns = {
            "respondents": self.shares,
            "population": self.raked.p,
            "weight": self.value,
            "stderr": self.stderr,
            "low": low,
            "high": high,
        }
        labels = {
            f"{name}_label" if name in columns else name: pa.array([cell[i] for cell in self.cells])
            for i, name in enumerate(self.attributes)
        }
        return self.framed(pa.table({**labels, **columns}), backend)

    def document(self) -> CalibratedShape:
        """Return it for machines."""
        found: CalibratedShape = finite(
            {
                **self.weighting.document(),
                "reports": self.n,
                "cells": self.to_frame("pyarrow").to_pylist(),
            }
        )
        return found

    @property
    def summary(self) -> str:
        known = ", ".join(margin.name for margin in self.margins)
        return (
            f"{self.n:,} reports weighted to the margins of {known}: weights "
            f"{self.weighting.least:.2f} to {self.weighting.most:.2f}, design effect "
            f"{self.design_effect:.2f}, worth {self.effective_n:,.0f} reports of equal weight"
        )

    def table(self) -> Table:
        """Return the first cells, and what weights cannot do."""
        rows = []
        for i, cell in enumerate(self.cells[:MOST_ROWS]):
            shown = (f"{self.shares[i]:.4f}", f"{self.raked.p[i]:.4f}", f"{self.value[i]:.3f}")
            rows.append((*cell, *shown, f"{self.stderr[i]:.3f}"))
        hidden = len(self.cells) - len(rows)
        note = LIMITS + (f"; and {hidden:,} more cells" if hidden else "")
        heads = (*self.attributes, "respondents", "population", "weight", "stderr")
        left = frozenset(range(len(self.attributes)))
        return Table(heads, rows, self.summary, note, left=left)


def reports_of(data: object) -> Reports:
    """Refuse what no weights can be made for."""
    if not isinstance(data, Reports):
        kind = type(data).__name__
        rule = "weights need reports, not their counts alone, nor records"
        raise EstimateError(f"{rule}: got {kind}")
    return data
