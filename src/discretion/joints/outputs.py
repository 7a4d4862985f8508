"""What outputs say about the bins of a number, or about codes: likelihoods and unbiased scores."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Vector
from discretion.joints.axes import Axis
from discretion.numbers.channels import joined
from discretion.numbers.readings import first_point
from discretion.plan import Family, Plan
from discretion.table import ReportTable
from discretion.table.columns import codes
from discretion.table.outputs import below, chances

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True)
class NumberPart:
    """One question that all owners of a group answered with outputs, of numbers or matrices."""

    name: str
    axes: tuple[int, ...]  # of the table of cells
    sizes: tuple[int, ...]
    rows: Matrix  # (outputs of all laws, bins): likelihoods, of mean one
    scores: Matrix  # (outputs of all laws, bins): their mean given bin v is 1 at v, else 0
    precision: Vector  # (outputs of all laws,): one over the variance of a contrast of scores
    which: Indices  # (n,)

    @property
    def size(self) -> int:
        return self.sizes[0]


def number_part(
    reports: ReportTable, axes: Sequence[Axis], question: str, rows: Indices
) -> NumberPart:
    """Return what reports say about the bins of a number, output by output."""
    place = next(i for i, axis in enumerate(axes) if axis.name == question)
    grades, y = reports.columns(question)
    outputs = codes(np.ascontiguousarray(y[rows]))
    used, own = np.unique(grades[rows], return_inverse=True)
    which, tables, first = np.empty(len(rows), np.int64), [], 0
    for i, grade in enumerate(used.tolist()):
        edges, chance = _chances(reports.plan, axes[place], grade)
        mine = own == i
        which[mine] = first + np.searchsorted(edges, outputs[mine], side="right") - 1
        tables.append((chance, *_scores(chance)))
        first += len(chance)
    return _part(question, place, tables, which)


def column_part(
    reports: ReportTable, names: Sequence[str], question: str, rows: Indices
) -> NumberPart:
    """Return what reports say about the codes of an attribute, column by column."""
    plan, size = reports.plan, reports.plan.questions[question].attribute.size
    levels, y = reports.columns(question)
    used, own = np.unique(levels[rows], return_inverse=True)
    tables = [
        chances(plan.questions[question].law(level, Family.COLUMNS)) for level in used.tolist()
    ]
    which = own * size + codes(np.ascontiguousarray(y[rows]))
    return _part(question, names.index(question), [(t, *_scores(t)) for t in tables], which)


def _part(
    question: str, place: int, tables: Sequence[tuple[Matrix, Matrix, Vector]], which: Indices
) -> NumberPart:
    """Return a part from chances, scores and precisions of each law."""
    chance, scores, precision = (np.concatenate(each) for each in zip(*tables, strict=True))
    likely = chance / chance.mean(axis=1, keepdims=True)
    return NumberPart(question, (place,), (likely.shape[1],), likely, scores, precision, which)


def _chances(plan: Plan, axis: Axis, grade: int) -> tuple[Indices, Matrix]:
    """Return edges of joined outputs, and how likely those are in each bin: (outputs, bins)."""
    law = plan.questions[axis.name].law(grade, Family.NUMBERS)
    assert axis.mixing is not None
    edges, first = joined(law), first_point(plan, axis.name, grade)
    inside = np.clip(np.arange(len(axis.mixing)) - first, 0, law.size - 1)
    chance: Matrix = np.diff(below(law, edges), axis=0)[:, inside] @ axis.mixing
    return edges, chance


def _scores(chance: Matrix) -> tuple[Matrix, Vector]:
    """Return unbiased scores of the bins, and one over the variance of a contrast of them.

    With D the chance of outputs at the uniform law they are D^-1 A (A' D^-1 A)^-1. A law that does
    not tell all bins apart, of few outputs or in a narrower range, has none: it counts nothing.
    """
    bins = chance.shape[1]
    if np.linalg.matrix_rank(chance) < bins:
        return np.zeros_like(chance), np.zeros(len(chance))
    weighted = chance / chance.mean(axis=1, keepdims=True)
    scores = weighted @ np.linalg.pinv(chance.T @ weighted, rcond=1e-12)
    contrast = scores - scores.mean(axis=1, keepdims=True)
    variance = float((chance.mean(axis=1) @ contrast**2).mean()) / (1 - 1 / bins)
    return scores, np.full(len(chance), 1 / variance)
