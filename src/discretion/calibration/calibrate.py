"""``calibrate``: weights by which respondents who selected themselves have known margins."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from discretion.calibration.calibrated import Calibrated, Respondents
from discretion.calibration.margins import Margin, read_margins
from discretion.errors import EstimateError
from discretion.estimate.documents import Calibrated as CalibratedShape
from discretion.estimate.documents import finite
from discretion.estimate.estimate import MOST_ROWS, Tabular, between, check_choice
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.result import FrequencyEstimate
from discretion.estimate.spread import Deviations
from discretion.estimate.weighting import Weighting
from discretion.joints.axes import Bins
from discretion.joints.joint import estimate_of
from discretion.joints.methods import Answer
from discretion.joints.result import JointEstimate
from discretion.numbers.number_evidence import NumberEvidence
from discretion.numbers.result import NumberEstimate
from discretion.numbers.weighted import WeightedDistribution
from discretion.plan import Plan
from discretion.render.formats import listed
from discretion.render.tables import Table
from discretion.table import Reports
from discretion.table.frame import from_arrow

METHODS = {  # by what functions call them: the unbiased tables
    "auto": "tensor",
    "weighted": "tensor",
    "tensor": "tensor",
    "stratified": "stratified",
    "mle": "mle",
}
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
    population: Vector  # (cells,): these shares, weighted
    value: Vector  # (cells,) the weights
    root: Matrix  # (r, cells): deviations of the weights
    weighting: Weighting
    n: int  # owners who shared any of the attributes

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
        self, reports: object, attributes: Sequence[str], method: str, bins: Bins | None
    ) -> JointEstimate:
        """Return the table of the population, as ``joint`` does with these weights."""
        check_choice("method with weights", method, METHODS)
        numbers = any(self.plan.questions[name].numbers for name in attributes)
        own = "mle" if method == "auto" and numbers else METHODS[method]
        found, table = self._calibrated(reports, attributes, own, bins)
        evidence = found.evidence
        answer = Answer(table.value, table.root)
        estimate = estimate_of(evidence, answer, own, found.tests).marginal(attributes)
        n = evidence.answering(map(evidence.names.index, attributes))
        return replace(estimate, n=n, weighted=table.weighting)

    def frequencies(self, reports: object, attribute: str, method: str) -> FrequencyEstimate:
        """Return the shares of the population, as ``frequencies`` does with these weights."""
        question = self.plan.questions[attribute]
        table = self.joint(reports, question.parts, method, None)
        size = len(question.labels)
        return FrequencyEstimate(
            attribute,
            question.labels,
            table.value.ravel(),
            Deviations(table.root.reshape(-1, size)),
            table.n,
            "weighted" if table.method == "tensor" else table.method,
            "population",
            table.homogeneity.get(attribute),
            legend=Legend.of(self.plan),
            conditional=bool(question.attribute.conditions),
            weighted=table.weighted,
        )

    def mean(self, reports: object, attribute: str) -> NumberEstimate:
        """Return the mean in the population, as ``mean`` does with these weights."""
        found, table = self._calibrated(reports, [attribute], "tensor", coins=[attribute])
        evidence = NumberEvidence.of(found.evidence.reports, attribute)
        share, root = table.marginal((attribute,))
        steps = evidence.number.size - 1
        error = evidence.step * steps * float(np.linalg.norm(root[:, 1]))
        return NumberEstimate(
            attribute,
            "mean",
            evidence.value(steps * float(share[1])),
            error,
            evidence.n,
            "weighted",
            homogeneity=found.tests.get(attribute),
            least=evidence.ends[0],
            most=evidence.ends[1],
            legend=Legend.of(self.plan),
            weighted=table.weighting,
        )

    def distribution(self, reports: object, attribute: str) -> WeightedDistribution:
        """Return the distribution of a number in the population, on its grid."""
        found, table = self._calibrated(reports, [attribute], "mle")
        axis = found.evidence.axes[found.evidence.names.index(attribute)]
        value, root = table.marginal((attribute,))
        assert axis.mixing is not None
        inner = np.flatnonzero(np.diff(axis.mixing.argmax(axis=1))) + 1
        edges = np.concatenate([[0], inner, [len(axis.mixing)]])
        return WeightedDistribution(edges, axis.mixing, value, root, table.weighting)

    def _calibrated(
        self,
        reports: object,
        attributes: Sequence[str],
        method: str,
        bins: Bins | None = None,
        coins: Sequence[str] = (),
    ) -> tuple[Respondents, Calibrated]:
        """Return the table of the respondents, and that of the population."""
        own = _reports(reports)
        if own.plan.id != self.plan.id:
            raise EstimateError("weights must be calibrated on reports of the same plan")
        names = tuple(dict.fromkeys([*self.attributes, *attributes]))
        respondents = Respondents.of(own, names, method, bins, coins)
        return respondents, Calibrated.of(respondents, self.margins)

    def to_frame(self, backend: str = "pyarrow", confidence: float = 0.95) -> Any:
        """Return one row per cell: its labels, both shares, the weight with stderr and interval."""
        low, high = self.interval(confidence).T
        columns = {
            "respondents": self.shares,
            "population": self.population,
            "weight": self.value,
            "stderr": self.stderr,
            "low": low,
            "high": high,
        }
        labels = {
            f"{name}_label" if name in columns else name: pa.array([cell[i] for cell in self.cells])
            for i, name in enumerate(self.attributes)
        }
        return from_arrow(pa.table({**labels, **columns}), backend)

    def document(self) -> CalibratedShape:
        """Return it for machines."""
        found: CalibratedShape = finite(
            {**self.weighting.document(), "reports": self.n, "cells": self.to_frame().to_pylist()}
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
            shown = (f"{self.shares[i]:.4f}", f"{self.population[i]:.4f}", f"{self.value[i]:.3f}")
            rows.append((*cell, *shown, f"{self.stderr[i]:.3f}"))
        hidden = len(self.cells) - len(rows)
        note = LIMITS + (f"; and {hidden:,} more cells" if hidden else "")
        heads = (*self.attributes, "respondents", "population", "weight", "stderr")
        left = frozenset(range(len(self.attributes)))
        return Table(heads, rows, self.summary, note, left=left)


def calibrate(reports: Reports, margins: object) -> Calibration:
    """Return weights by which the respondents have known margins.

    ``margins``: by attribute, the share (or total) of each label in the population, such as
    ``{"age": {"young": 0.4, "old": 0.6}, "work": {...}}``. Several margins are raked; the key of a
    margin of all attributes at once joins their names, ``"age+work"``, and its mappings are nested:
    post-stratification. A margin with errors of its own is ``{"shares": {...}, "stderr": {...}}``,
    or has ``covariance``, rows in the order of the plan's labels.

    Pass the result as ``weights`` to ``frequencies``, ``joint``, ``mean`` and others. That assumes
    that who responds depends on these attributes alone (in raking: by a factor for each margin).
    It also assumes that budgets do not depend on values: no weights repair levels that were chosen
    by value.
    """
    reports = _reports(reports)
    known = read_margins(reports.plan, margins)
    names = tuple(dict.fromkeys(name for margin in known for name in margin.attributes))
    respondents = Respondents.of(reports, names, "tensor")
    found = Calibrated.of(respondents, known)
    labels = [reports.plan.questions[name].attribute.labels for name in names]
    at = np.indices(found.shape).reshape(len(names), -1).T
    cells = tuple(tuple(own[i] for own, i in zip(labels, row, strict=True)) for row in at)
    return Calibration(
        reports.plan,
        known,
        cells,
        found.shares,
        found.raked.p,
        found.raked.weights,
        found.raked.weights * found.weight_root,
        found.weighting,
        respondents.evidence.answering(map(respondents.evidence.names.index, names)),
    )


def calibrate_json(reports: Reports, margins: str) -> Calibration:
    """Return the weights for margins that are written as JSON, in an address or a command."""
    try:
        stated = json.loads(margins, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise EstimateError(f"margins must be JSON: {error}") from None
    return calibrate(reports, stated)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise EstimateError(f"margins must not repeat a name: {listed([key for key, _ in pairs])}")
    return dict(pairs)


def _reports(data: object) -> Reports:
    """Refuse what no weights can be made for."""
    if not isinstance(data, Reports):
        kind = type(data).__name__
        raise EstimateError(f"weights need reports, not their counts alone: got {kind}")
    return data
