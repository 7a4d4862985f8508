"""A log-linear model with all pairwise interactions, each shrunk as much as the reports advise.

The log of a cell's probability is a sum of a term for each attribute and one for each pair. The
terms are in orthogonal contrasts: polynomials for ordered attributes, whose interactions are shrunk
by their degree, and the linear ones hardly. Fitted on the one likelihood of all reports, so partial
records, personal levels and secret allocations are no special cases. Interactions of three and more
attributes are left to what the pairs imply, as maximum entropy would.

How strongly a pair is shrunk is learnt from the reports (MacKay 1992: the strength is the number of
terms that the reports determine over their squares), and the pairs lend each other strength.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod

import numpy as np
import numpy.typing as npt
import scipy
from scipy.special import log_softmax

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector
from discretion.joints.likelihood import TableLikelihood

MAIN = 0.05  # the penalty of the attributes' own terms: next to nothing
UNORDERED = 1.3  # the degree at which contrasts of unordered attributes are shrunk
LINEAR = 0.1  # the penalty of an interaction of degree one by one
FIRST = 1000.0  # the strength at which all pairs start
WEAKEST, STRONGEST = 0.1, 1e5
LENT = 4.0  # terms that a pair takes over from the others
ROUNDS = 6  # of fitting and learning the strengths anew: more change nothing that matters
MOST_ENTRIES = 1 << 27  # of the features: a gigabyte
TOLERANCE = 1e-3  # nats that a step must gain, in all


@dataclass(frozen=True)
class LogLinear:
    """The terms of a model over the cells of a table."""

    features: Matrix  # (cells, terms)
    penalties: Vector  # (terms,) at unit strength; zero for an attribute's own
    owners: tuple[tuple[int, ...], ...]  # the axes that each term is about

    @classmethod
    def of(cls, shape: Sequence[int], ordered: Sequence[bool]) -> "LogLinear":
        terms = sum((a - 1) * (b - 1) for a, b in combinations(shape, 2)) + sum(shape) - len(shape)
        if prod(shape) * terms > MOST_ENTRIES:
            size = f"{terms:,} terms over {prod(shape):,} cells"
            raise EstimateError(f"a model of {size} is too large: ask for fewer attributes or bins")
        where = np.indices(shape).reshape(len(shape), -1)
        bases = [_contrasts(size, is_) for size, is_ in zip(shape, ordered, strict=True)]
        columns = [basis[at] for (basis, _), at in zip(bases, where, strict=True)]
        features: list[Matrix] = []
        penalties: list[Vector] = []
        owners: list[tuple[int, ...]] = []
        for axis, column in enumerate(columns):
            features.append(column)
            penalties.append(np.zeros(column.shape[1]))
            owners += [(axis,)] * column.shape[1]
        for a, b in combinations(range(len(shape)), 2):
            both = columns[a][:, :, None] * columns[b][:, None, :]
            features.append(both.reshape(len(both), -1))
            penalties.append(np.outer(bases[a][1], bases[b][1]).ravel() ** 3 - 1 + LINEAR)
            owners += [(a, b)] * features[-1].shape[1]
        return cls(np.hstack(features), np.concatenate(penalties), tuple(owners))

    @cached_property
    def pairs(self) -> tuple[tuple[int, ...], ...]:
        return tuple(dict.fromkeys(axes for axes in self.owners if len(axes) == 2))

    @cached_property
    def _pair(self) -> npt.NDArray[np.int64]:
        """For each term the index of its pair; those of single attributes come after all pairs."""
        index = {pair: i for i, pair in enumerate(self.pairs)}
        return np.array([index.get(axes, len(index)) for axes in self.owners])

    def ridge(self, strengths: Vector) -> Vector:
        """Return the penalty of each term, given the strength of each pair."""
        own = self._pair == len(self.pairs)
        return np.where(own, MAIN, self.penalties * np.append(strengths, 1.0)[self._pair])

    def by_pair(self, values: Vector) -> Vector:
        """Sum over the terms of each pair."""
        sums = np.zeros(len(self.pairs) + 1)
        np.add.at(sums, self._pair, values)
        return sums[:-1]

    def table(self, theta: Vector) -> Vector:
        return np.exp(log_softmax(self.features @ theta))

    def information(self, f: Vector) -> Matrix:
        """Return the covariance of the features: the information in one unperturbed record."""
        mean = f @ self.features
        return (self.features * f[:, None]).T @ self.features - np.outer(mean, mean)

    def independent(self, marginals: Sequence[Vector]) -> Vector:
        """Return the terms of a product of marginals, none of which is zero."""
        logs = np.meshgrid(*(np.log(marginal) for marginal in marginals), indexing="ij")
        whole, own = np.sum(logs, axis=0).ravel(), self._pair == len(self.pairs)
        theta = np.zeros(len(own))
        theta[own] = np.linalg.lstsq(self.features[:, own], whole - whole.mean(), rcond=None)[0]
        return theta


def shrunk(model: LogLinear, likelihood: TableLikelihood, start: Vector) -> Vector:
    """Return the terms, fitted with the strengths that the reports advise."""
    strengths, theta = np.full(len(model.pairs), FIRST), start
    for _ in range(ROUNDS):
        ridge = model.ridge(strengths)
        theta = fit(model, likelihood, ridge, theta)
        strengths = _learnt(model, likelihood, theta, ridge)
    return theta


def _learnt(model: LogLinear, likelihood: TableLikelihood, theta: Vector, ridge: Vector) -> Vector:
    """Return the strengths under which terms of about this size were to be expected."""
    f = model.table(theta)
    slopes = f[:, None] * (model.features - f @ model.features)
    information = likelihood.information_along(f, slopes)
    factor = scipy.linalg.cho_factor(information + np.diag(ridge))
    left = ridge * np.diag(
        scipy.linalg.cho_solve(factor, np.eye(len(ridge)))
    )  # unknown after all, of each term
    known = np.maximum(model.by_pair(1 - left), 1e-3)
    squares = np.maximum(model.by_pair(model.penalties * theta**2), 1e-12)
    common = np.exp(np.log(np.clip(known / squares, WEAKEST, STRONGEST)).mean())
    return np.clip((known + LENT) / (squares + LENT / common), WEAKEST, STRONGEST)


def fit(model: LogLinear, likelihood: TableLikelihood, ridge: Vector, start: Vector) -> Vector:
    """Maximise the penalised likelihood by a quasi-Newton method.

    Its first guess of the curvature is that of unperturbed records, less what is lost on the way:
    nearly the one at the end, so a few steps are enough.
    """
    n = likelihood.n
    shares = likelihood.information_shares
    scale = np.sqrt([shares[axes] for axes in model.owners])
    curvature = n * model.information(model.table(start)) * np.outer(scale, scale)
    root = scipy.linalg.cholesky(curvature + np.diag(ridge + MAIN))

    def loss(step: Vector) -> tuple[float, Vector]:
        theta = start + scipy.linalg.solve_triangular(root, step)
        f = model.table(theta)
        value, multiplier = likelihood.slope(f)
        pull = n * ((f * (multiplier - 1)) @ model.features) - ridge * theta
        return float(ridge @ theta**2) / 2 - value, -scipy.linalg.solve_triangular(
            root, pull, trans="T"
        )

    here = np.zeros(len(start))
    size = max(abs(loss(here)[0]), 1.0)
    options = {"maxiter": 60, "ftol": TOLERANCE / size, "gtol": TOLERANCE, "maxcor": 20}
    found = scipy.optimize.minimize(loss, here, jac=True, method="L-BFGS-B", options=options)
    return start + scipy.linalg.solve_triangular(root, found.x)


def _contrasts(size: int, ordered: bool) -> tuple[Matrix, Vector]:
    """Return contrasts (size, size - 1) of mean square one, and the degree of each."""
    if ordered:
        powers = np.vander(np.linspace(-1, 1, size), size, increasing=True)
        basis, degrees = np.linalg.qr(powers)[0][:, 1:], np.arange(1.0, size)
    else:
        basis, degrees = np.linalg.svd(np.ones((1, size)))[2][1:].T, np.full(size - 1, UNORDERED)
    return basis * np.sqrt(size), degrees
