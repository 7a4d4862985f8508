"""What the reports leave open about a shrunk table: the law of its cells, given the reports.

A shrunk table is biased, by how much depends on the interactions that it shrinks. Seen as draws
from normal laws, one for each set of attributes, they have a posterior law (Morris 1983), whose
mean and covariance are centre and deviations of intervals. It counts three things: what the reports
leave open if interactions are about as large as they seem to be; that their size is learnt from the
same reports; and the interactions of three attributes or more that the table has no terms for.

Given the strength of a set, its terms are normal; strengths are averaged over a grid, each weighted
by how well the set's terms fit it, and by how plausible it is beforehand. The fewer terms a pair
has, the less they say of their own size, and the less is it presumed to be small. The size of a
larger set's interaction is presumed to be of the order of the pairs' (a half-t law with three
degrees of freedom, Gelman 2006). Such intervals are right for the average cell, not for each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import scipy

from discretion.estimate.noise import Matrix, Vector
from discretion.joints.likelihood import TableLikelihood
from discretion.joints.loglinear import LogLinear, Shrunk

BASIS = "empirical Bayes"
STRENGTHS = np.logspace(-2, 5, 29)
CAUTION = 0.25  # the power of an interaction's variance in its prior, where it has many terms


@dataclass(frozen=True)
class Posterior:
    """The mean of a table's cells, and deviations whose products sum to their covariance."""

    mean: Vector
    root: Matrix  # (r, cells)


@dataclass(frozen=True)
class _Terms:
    """What the reports say of the terms of one set, all others having been adapted to them."""

    information: Matrix
    pull: Vector  # information x the terms that fit best
    slopes: Matrix  # (cells, terms)
    mean: Vector  # in the shrunk table
    covariance: Matrix  # around it, at the strength that it has


def posterior(
    shape: Sequence[int], ordered: Sequence[bool], likelihood: TableLikelihood, fit: Shrunk
) -> Posterior:
    """Return the law of the cells around a fitted table."""
    model = LogLinear.of(shape, ordered, _higher(len(shape), fit.sets), fit.offset)
    theta = np.append(fit.theta, np.zeros(len(model.owners) - len(fit.theta)))
    f = model.table(theta)
    slopes = f[:, None] * (model.features - f @ model.features)
    information = slopes.T @ likelihood.information(f) @ slopes
    pull = likelihood.n * (likelihood.slope(f)[1] @ slopes)
    known = np.arange(len(fit.theta))
    ridge = model.ridge(np.append(fit.strengths, np.ones(len(model.sets) - len(fit.sets))))[known]
    inverse: Matrix = scipy.linalg.inv(information[np.ix_(known, known)] + np.diag(ridge))
    step = inverse @ (pull[known] - ridge * fit.theta)
    best = fit.theta + step  # the strengths have changed since the fit
    mean, covariance = f + slopes[:, known] @ step, slopes[:, known] @ inverse @ slopes[:, known].T
    common = float(np.exp(np.log(fit.strengths[[len(axes) == 2 for axes in fit.sets]]).mean()))
    for axes in model.sets:
        own = model.terms(axes)
        if axes in fit.sets:
            found = _fitted(inverse, ridge, slopes, best, own)
        else:
            aside = inverse @ information[np.ix_(known, own)]
            left = information[np.ix_(own, own)] - information[np.ix_(own, known)] @ aside
            rest = pull[own] - information[np.ix_(own, known)] @ step
            along = slopes[:, own] - slopes[:, known] @ aside
            found = _Terms(left, rest, along, np.zeros(len(own)), np.zeros((len(own),) * 2))
        centre, spread = _averaged(found, model.penalties[own], _prior(axes, len(own), common))
        mean = mean + found.slopes @ (centre - found.mean)
        covariance = covariance + found.slopes @ (spread - found.covariance) @ found.slopes.T
    values, vectors = np.linalg.eigh(covariance)
    return Posterior(mean, (vectors * np.sqrt(np.maximum(values, 0.0))).T)


def _fitted(
    inverse: Matrix, ridge: Vector, slopes: Matrix, best: Vector, own: npt.NDArray[np.int64]
) -> _Terms:
    """Take the terms of a set out of those that were fitted together."""
    covariance = inverse[np.ix_(own, own)]
    precision: Matrix = scipy.linalg.inv(covariance)
    along = slopes[:, : len(best)] @ inverse[:, own] @ precision
    information = precision - np.diag(ridge[own])
    return _Terms(information, precision @ best[own], along, best[own], covariance)


def _averaged(terms: _Terms, penalties: Vector, prior: Vector) -> tuple[Vector, Matrix]:
    """Return mean and covariance of the terms of a set, averaged over its strength."""
    scale = 1 / np.sqrt(penalties)
    values, vectors = np.linalg.eigh(terms.information * np.outer(scale, scale))
    turned = scale[:, None] * vectors
    pull, precision = terms.pull @ turned, np.maximum(values, 0.0)[:, None] + STRENGTHS
    means = pull[:, None] / precision
    weights = (np.log(STRENGTHS / precision).sum(axis=0) + pull @ means) / 2 + prior
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    mean = means @ weights
    away = (means - mean[:, None]) * np.sqrt(weights)
    covariance = np.diag((1 / precision) @ weights) + away @ away.T
    return turned @ mean, turned @ covariance @ turned.T


def _prior(axes: tuple[int, ...], terms: int, common: float) -> Vector:
    """Return how plausible the strengths are beforehand, as logarithms."""
    if len(axes) == 2:
        return -np.log(STRENGTHS) * max(1 / (1 + terms), CAUTION)
    return -np.log(STRENGTHS) / 2 - 2 * np.log1p(common / STRENGTHS / 3)


def _higher(axes: int, fitted: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return all sets of three axes or more, those that have been fitted first."""
    every = [own for order in range(3, axes + 1) for own in combinations(range(axes), order)]
    first = [own for own in fitted if len(own) > 2]
    return first + [own for own in every if own not in first]
