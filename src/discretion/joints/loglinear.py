"""A log-linear model with all pairwise interactions, each shrunk as much as the reports advise.

The log of a cell's probability is a sum of a term for each attribute and one for each pair. The
terms are in orthogonal contrasts: polynomials for ordered attributes, whose interactions are shrunk
by their degree, and the linear ones hardly. Fitted on the one likelihood of all reports, so partial
records, personal levels and secret allocations are no special cases. Interactions of three and more
attributes are left to what the pairs imply, as maximum entropy would, unless sets are named that
have terms of their own.

How strongly a pair is shrunk is learnt from the reports (MacKay 1992: the strength is the number of
terms that the reports determine over their squares), and the pairs lend each other strength; larger
sets, of which there are terms because the reports call for them, stand by themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod

import numpy as np
import numpy.typing as npt
import scipy

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
TOLERANCE = 1e-4  # nats that a step must gain, in all
MOST_TRIES = 6  # of a step's length: where rounding hides the gain, no length is long enough


@dataclass(frozen=True)
class LogLinear:
    """The terms of a model over the cells of a table."""

    features: Matrix  # (cells, terms)
    penalties: Vector  # (terms,) at unit strength; zero for an attribute's own
    owners: tuple[tuple[int, ...], ...]  # the axes that each term is about
    offset: Vector  # (cells,) the logs that terms are added to

    @classmethod
    def of(
        cls,
        shape: Sequence[int],
        ordered: Sequence[bool],
        higher: Sequence[tuple[int, ...]] = (),
        offset: Vector | None = None,
    ) -> "LogLinear":
        """Return the model of all pairs, and of these sets of three or more axes."""
        axes = range(len(shape))
        sets = [*combinations(axes, 1), *combinations(axes, 2), *higher]
        terms = sum(prod(shape[axis] - 1 for axis in own) for own in sets)
        if prod(shape) * terms > MOST_ENTRIES:
            size = f"{terms:,} terms over {prod(shape):,} cells"
            raise EstimateError(f"a model of {size} is too large: ask for fewer attributes or bins")
        where = np.indices(shape).reshape(len(shape), -1)
        bases = [_contrasts(size, is_) for size, is_ in zip(shape, ordered, strict=True)]
        features: list[Matrix] = []
        penalties: list[Vector] = []
        owners: list[tuple[int, ...]] = []
        for own in sets:
            columns, degrees = np.ones((where.shape[1], 1)), np.ones(1)
            for axis in own:
                values = bases[axis][0][where[axis]]
                columns = (columns[:, :, None] * values[:, None]).reshape(len(columns), -1)
                degrees = np.outer(degrees, bases[axis][1]).ravel()
            features.append(columns)
            penalties.append(degrees**3 - 1 + LINEAR if len(own) > 1 else np.zeros(len(degrees)))
            owners += [own] * len(degrees)
        added = np.zeros(prod(shape)) if offset is None else offset
        return cls(np.hstack(features), np.concatenate(penalties), tuple(owners), added)

    @cached_property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The sets of axes that interact."""
        return tuple(dict.fromkeys(axes for axes in self.owners if len(axes) > 1))

    @cached_property
    def _set(self) -> npt.NDArray[np.int64]:
        """For each term the index of its set; those of single attributes come after all sets."""
        index = {axes: i for i, axes in enumerate(self.sets)}
        return np.array([index.get(axes, len(index)) for axes in self.owners])

    def terms(self, axes: tuple[int, ...]) -> npt.NDArray[np.int64]:
        """Return which terms a set has."""
        return np.flatnonzero(self._set == self.sets.index(axes))

    def ridge(self, strengths: Vector) -> Vector:
        """Return the penalty of each term, given the strength of each set."""
        own = self._set == len(self.sets)
        return np.where(own, MAIN, self.penalties * np.append(strengths, 1.0)[self._set])

    def by_set(self, values: Vector) -> Vector:
        """Sum over the terms of each set."""
        sums = np.zeros(len(self.sets) + 1)
        np.add.at(sums, self._set, values)
        return sums[:-1]

    def table(self, theta: Vector) -> Vector:
        logs = self.offset + self.features @ theta
        cells: Vector = np.exp(logs - logs.max())
        return cells / cells.sum()

    def information(self, likelihood: TableLikelihood, theta: Vector) -> Matrix:
        """Return the observed information about the terms."""
        f = self.table(theta)
        slopes = f[:, None] * (self.features - f @ self.features)
        return likelihood.information_along(f, slopes)

    def independent(self, marginals: Sequence[Vector]) -> Vector:
        """Return the terms of a product of marginals, none of which is zero."""
        logs = np.meshgrid(*(np.log(marginal) for marginal in marginals), indexing="ij")
        whole, own = np.sum(logs, axis=0).ravel(), self._set == len(self.sets)
        theta = np.zeros(len(own))
        theta[own] = np.linalg.lstsq(self.features[:, own], whole - whole.mean(), rcond=None)[0]
        return theta


@dataclass(frozen=True)
class Shrunk:
    """Fitted terms, the strength of each set, and how many terms the reports determine in all."""

    sets: tuple[tuple[int, ...], ...]  # of axes that interact
    theta: Vector
    strengths: Vector
    determined: float
    offset: Vector  # the logs that the terms are added to


def shrunk(
    model: LogLinear, likelihood: TableLikelihood, start: Vector, strengths: Vector | None = None
) -> Shrunk:
    """Fit the terms with the strengths that the reports advise, from some to begin with."""
    first = np.full(len(model.sets), FIRST) if strengths is None else strengths
    found = Shrunk(model.sets, start, first, 0.0, model.offset)
    information = model.information(likelihood, start)
    for _ in range(ROUNDS):
        ridge = model.ridge(found.strengths)
        theta = fit(model, likelihood, ridge, found.theta, information)
        information = model.information(likelihood, theta)
        found = _learnt(model, theta, ridge, information)
    return found


def _learnt(model: LogLinear, theta: Vector, ridge: Vector, information: Matrix) -> Shrunk:
    """Return the strengths under which terms of about this size were to be expected."""
    factor = scipy.linalg.cho_factor(information + np.diag(ridge))
    left = ridge * np.diag(
        scipy.linalg.cho_solve(factor, np.eye(len(ridge)))
    )  # unknown after all, of each term
    known = np.maximum(model.by_set(1 - left), 1e-3)
    squares = np.maximum(model.by_set(model.penalties * theta**2), 1e-12)
    pairs = np.array([len(axes) == 2 for axes in model.sets])
    alone = np.clip(known / squares, WEAKEST, STRONGEST)
    common = np.exp(np.log(alone[pairs]).mean())
    lent = np.clip((known + LENT) / (squares + LENT / common), WEAKEST, STRONGEST)
    strengths = np.where(pairs, lent, alone)
    return Shrunk(model.sets, theta, strengths, float((1 - left).sum()), model.offset)


def fit(
    model: LogLinear, likelihood: TableLikelihood, ridge: Vector, start: Vector, information: Matrix
) -> Vector:
    """Maximise the penalised likelihood by a quasi-Newton method, given the information near by.

    With that as the first guess of the curvature a few steps are enough.
    """
    n = likelihood.n
    root = scipy.linalg.cholesky(information + np.diag(ridge + MAIN))
    along = scipy.linalg.solve_triangular(root, np.eye(len(root)))

    def loss(step: Vector) -> tuple[float, Vector]:
        theta = start + along @ step
        f = model.table(theta)
        value, multiplier = likelihood.slope(f)
        pull = n * ((f * (multiplier - 1)) @ model.features) - ridge * theta
        return float(ridge @ theta**2) / 2 - value, -(pull @ along)

    here = np.zeros(len(start))
    size = max(abs(loss(here)[0]), 1.0)
    flat = float(np.sqrt(2 * TOLERANCE / len(start)))  # half the sum of squares is to be gained
    lengths = {"maxiter": 60, "maxcor": 20, "maxls": MOST_TRIES}
    options = {"ftol": TOLERANCE / size, "gtol": flat, **lengths}
    found = scipy.optimize.minimize(loss, here, jac=True, method="L-BFGS-B", options=options)
    return start + along @ found.x


def _contrasts(size: int, ordered: bool) -> tuple[Matrix, Vector]:
    """Return contrasts (size, size - 1) of mean square one, and the degree of each."""
    if ordered:
        powers = np.vander(np.linspace(-1, 1, size), size, increasing=True)
        basis, degrees = np.linalg.qr(powers)[0][:, 1:], np.arange(1.0, size)
    else:
        basis, degrees = np.linalg.svd(np.ones((1, size)))[2][1:].T, np.full(size - 1, UNORDERED)
    return basis * np.sqrt(size), degrees
