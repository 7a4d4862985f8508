"""A joint table from one-way marginals alone, by a non-negative Lasso. For comparison only.

Formula  P = argmin over P >= 0 of |C - M P|^2 / 2 + penalty |P|_1, then divided by its sum. M has a
         row for each value of each attribute (t rows), 1 in the cells that have it; C holds the
         frequencies of these values.
Source   Shen, Xia and Yu (2021), Situation 1, Eq. 17; Ren et al. (2018), Algorithm 2.

It cannot see dependence: C says nothing about it. It cannot even be trusted with independence. The
t - k + 1 equations that C makes leave most of the cells free; all solutions have the same sum, so
the penalty does not choose among them, and the path of the solver does: coordinate descent from
zero, which gives to the first cells in the order of the labels what the others might have had. Its
marginals are right, up to the penalty, and nothing else is.

C is not the papers' (``pldp``'s bias would be added to these errors) but the most likely marginals.
The papers do not state their penalty. Here it is t / n: on counts instead of frequencies, the
weight 1 of scikit-learn's default.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError
from discretion.estimate.noise import Vector, simplex
from discretion.joints.likelihood import Table
from discretion.joints.table_evidence import TableEvidence
from discretion.labels import frequencies
from discretion.table import Reports

SETTLED = 1e-8  # a sweep that moves no cell by more is the last
MOST_SWEEPS = 1000

Indicators = npt.NDArray[np.int64]  # (cells, attributes): the rows of M that are 1


def lasso(evidence: TableEvidence) -> Table:
    """Return the Lasso's table of all attributes."""
    return regressed(marginals(evidence), evidence.n)


def marginals(evidence: TableEvidence) -> list[Vector]:
    """Return the frequencies of each attribute, on the simplex."""
    return [_marginal(evidence.reports, name) for name in evidence.names]


def regressed(targets: Sequence[Vector], n: int) -> Table:
    """Return the Lasso's table for these marginals of n reports."""
    shape = tuple(map(len, targets))
    c = np.concatenate(targets)
    coefficients = descended(indicators(shape), c, len(c) / n)
    if not coefficients.any():
        raise EstimateError(f"lasso needs more reports: it keeps none of the cells with {n}")
    return (coefficients / coefficients.sum()).reshape(shape)


def indicators(shape: tuple[int, ...]) -> Indicators:
    """Return for each cell its value of each attribute, as rows of M."""
    first = np.cumsum([0, *shape[:-1]])
    return np.indices(shape).reshape(len(shape), -1).T + first


def descended(ones: Indicators, target: Vector, penalty: float) -> Vector:
    """Return the coefficients: sweeps over the cells, each set to its best given the others."""
    cells: list[list[int]] = ones.tolist()
    residual: list[float] = target.tolist()
    found = [0.0] * len(cells)
    for _ in range(MOST_SWEEPS):
        largest = 0.0
        for cell, rows in enumerate(cells):
            pull = (sum(residual[row] for row in rows) - penalty) / len(rows)
            move = max(pull, -found[cell])
            if move:
                found[cell] += move
                for row in rows:
                    residual[row] -= move
                largest = max(largest, abs(move))
        if largest <= SETTLED:
            break
    return np.array(found)


def _marginal(reports: Reports, name: str) -> Vector:
    """Return an attribute's frequencies; what is only in a bundle is summed out of it."""
    if name in reports.shared:
        return simplex(frequencies(reports, name).value)
    plan = reports.plan
    bundle = next(b for b in reports.shared if name in plan.questions[b].parts)
    parts = plan.questions[bundle].parts
    cells = frequencies(reports, bundle).value.reshape(
        [plan.questions[p].attribute.size for p in parts]
    )
    return simplex(cells.sum(axis=tuple(i for i, part in enumerate(parts) if part != name)))
