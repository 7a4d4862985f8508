"""Means of a number by group, where the group itself is known through reports alone.

A decoded report t of a number has the right mean whatever the number, so given what an owner
reports about her group, E[t | y] = sum over groups of P(g | y) m_g: a linear regression of decoded
reports on the probabilities of the groups. Who reports no group has those of everybody, who
reports no number is counted in the probabilities: nobody is dropped, and nothing is assumed of how
the number is distributed. The weights are one over the variance of a report.

The probabilities come from the most likely shares P of the groups' cells. What is uncertain about
those moves the means: with r = L / (L P) the score of a report and I the information about P, a
report adds A^-1 (w pi (t - pi m) - C I^-1 r) to the error of the means, with A = sum w pi pi' and C
the slope of the equations in P. The covariance is that of these, report by report (a sandwich).
Derivation: docs/proofs/groups.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError
from discretion.estimate.quotient import Estimated
from discretion.groups.cells import Cells
from discretion.joints.table_evidence import questions_of
from discretion.numbers.mean import centred, weight_of
from discretion.numbers.number_evidence import NumberEvidence
from discretion.table import Reports, ReportTable
from discretion.table.columns import codes, present

BLOCK = 1 << 21  # entries of likelihoods that are in memory at once
RESOLVED = 1e-9  # of the largest information

Array = npt.NDArray[np.float64]
Sums = tuple[Array, ...]


@dataclass(frozen=True, eq=False)
class Decoding:
    """What each output of a number stands for, and the weight of a report, by stratum."""

    name: str
    values: dict[int, Array]
    weights: dict[int, float]

    @classmethod
    def of(cls, evidence: NumberEvidence) -> "Decoding":
        """Take the weights from the laws, at the mean and spread of all numbers."""
        if any(part.gap is not None for part in evidence.parts):
            rule = f"{evidence.attribute!r} is reported in bundles of numbers"
            raise EstimateError(f"{rule}, which say nothing about groups")
        mean, spread = centred(evidence)
        strata = {part.level: part for part in evidence.parts}
        values = {level: part.decoded for level, part in strata.items()}
        weights = weight_of([part.law for part in strata.values()], mean, spread)
        relative = (weights / weights.max()).tolist()
        return cls(evidence.attribute, values, dict(zip(strata, relative, strict=True)))

    def read(self, reports: ReportTable) -> tuple[Array, Array]:
        """Return decoded reports (n, 1) and their weights, zero where somebody lacks it."""
        there = present(reports.data[f"{self.name}.y"])
        strata, y = reports.columns(self.name)
        outputs, t, w = codes(y), np.zeros((len(there), 1)), np.zeros(len(there))
        for stratum, values in self.values.items():
            mine = there & (strata == stratum)
            t[mine, 0], w[mine] = values[outputs[mine]], self.weights[stratum]
        return t, w


class Responses(Protocol):
    """Reports of one attribute, decoded: unbiased whatever the answer."""

    @property
    def name(self) -> str: ...

    def read(self, reports: ReportTable) -> tuple[Array, Array]:
        """Return decoded reports (n, responses) and their weights, zero where somebody lacks it."""


def group_means(
    reports: Reports, responses: Responses, cells: Cells
) -> tuple[Estimated, Estimated]:
    """Return the means of the groups (groups, responses), and their shares, in that order.

    The deviations are common to both.
    """
    names = [*questions_of(reports.plan, cells.axes), responses.name]
    normal, pull = reports.fold(names, partial(_equations, responses, cells))
    solve = np.linalg.pinv(normal, rcond=RESOLVED, hermitian=True)
    means = solve @ pull
    slope, own, mixed, information = reports.fold(names, partial(_spread, responses, cells, means))
    shares = _inverse(information, cells.shares > 0)  # of the errors of P, for each score
    errors = np.block([[own, mixed], [mixed.T, information]])
    each = np.kron(solve, np.eye(means.shape[1]))
    of_means = np.hstack([each, -each @ slope @ shares])
    of_shares = np.hstack([np.zeros((len(normal), means.size)), cells.member.T @ shares])
    both = np.vstack([of_means, of_shares])
    values, vectors = np.linalg.eigh(both @ errors @ both.T)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))).T
    spread = root[:, : means.size].reshape(-1, *means.shape)
    mass = Estimated(cells.shares @ cells.member, root[:, means.size :])
    return Estimated(means, spread), mass


def _inverse(information: Array, kept: npt.NDArray[np.bool_]) -> Array:
    """Return the inverse among shares that sum to one and are not zero."""
    contrasts = np.diag(kept.astype(np.float64)) - np.outer(kept, kept) / kept.sum()
    return np.linalg.pinv(contrasts @ information @ contrasts, rcond=RESOLVED, hermitian=True)


def _blocks(reports: ReportTable, cells: Cells) -> Sequence[ReportTable]:
    size = max(BLOCK // max(len(cells.shares), 1), 1)
    starts = range(0, max(len(reports), 1), size)
    return [ReportTable(reports.plan, reports.data.slice(start, size)) for start in starts]


def _equations(responses: Responses, cells: Cells, reports: ReportTable) -> Sums:
    """Sum w pi pi' and w pi t'."""
    normal, pull = np.zeros((1, 1)), np.zeros((1, 1))
    for block in _blocks(reports, cells):
        t, w = responses.read(block)
        pi = cells.among(cells.scores(block))
        normal = normal + pi.T @ (w[:, None] * pi)
        pull = pull + pi.T @ (w[:, None] * t)
    return normal, pull


def _spread(responses: Responses, cells: Cells, means: Array, reports: ReportTable) -> Sums:
    """Sum the slope of the equations in P, and the products of equations and scores."""
    size = len(cells.shares)
    slope, mixed = np.zeros((means.size, size)), np.zeros((means.size, size))
    own, information = np.zeros((means.size,) * 2), np.zeros((size, size))
    of_cells = cells.member @ means
    for block in _blocks(reports, cells):
        t, w = responses.read(block)
        r = cells.scores(block)
        pi = cells.among(r)
        weighted, expected = w[:, None] * pi, pi @ means
        equations = (weighted[:, :, None] * (t - expected)[:, None]).reshape(len(t), -1)
        moved = np.einsum("ig,ic->gc", weighted, r)[:, None] * of_cells.T
        slope += (moved - np.einsum("ig,ik,ic->gkc", weighted, expected, r)).reshape(-1, size)
        own += equations.T @ equations
        mixed += equations.T @ r
        information += r.T @ r
    return slope, own, mixed, information
