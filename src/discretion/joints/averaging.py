"""Between estimates of a table: which of them the reports advise, and what lies between.

Shrunk tables of two attributes differ in what they take interactions to be: alike in all directions
or not, of one value alone, or nothing at all. They are averaged by their marginal likelihoods. One
value may well stand apart: cars with two seats are never accepted, whoever is under 25 is single,
and of all others the one attribute says little of the other. One strength for all interactions
shrinks such a row too much or all other rows too little.

A shrunk table and the most likely one each have an unbiased estimate of their loss, Akaike's
(1974): the deviance plus twice the number of terms that the reports determine. A shrunk table has
more terms than those (MacKay 1992); in the most likely one they are its cells above zero, less one.
The two are averaged with weights that fall with the exponential of half that loss: one of them
where the reports can tell, both where they cannot. The less of the interactions the shrunk table
has found to be there, the more certain the others have to be: where it has found none their terms
count twice, since then the two differ most, and so does the price of a choice that noise has made.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.special import expit, softmax

from discretion.estimate.noise import Vector
from discretion.joints.directions import directed
from discretion.joints.likelihood import TableLikelihood
from discretion.joints.loglinear import MAIN, LogLinear, Shrunk
from discretion.joints.penalised import Fitted, best

FAINT = 1e-3  # of an even share: cells below are zero, where zeros are not exact
LEAST = 0.5  # interactions of a table that has none
PRICE = 2.0  # of a term that only the most likely table has, where no interaction is seen
PRICE_OF_PAIRS = 3.0  # the same where shrunk tables of several structures have been tried
APART = 0.3  # how plausible it is beforehand that one value stands apart, in units of independence
DIRECTED = 0.02  # that directions differ; they have been fitted to the same reports
VARIANCE = 8.0  # of the terms of a value that stands apart: it may be anything
MOST_TERMS = 256  # of the interaction: a step has the cube of that


class Between(NamedTuple):
    """A shrunk table and how many terms the reports determine in it."""

    value: Vector
    determined: float


def structured(model: LogLinear, likelihood: TableLikelihood, fit: Shrunk) -> Between:
    """Return a fit of two attributes, averaged with those of other structures."""
    rows, columns = (size - 1 for size in likelihood.shape)
    if not 1 < rows * columns <= MOST_TERMS:
        return Between(model.table(fit.theta), fit.determined)
    even = best(model, likelihood, np.diag(model.ridge(fit.strengths)), fit.theta)
    none = independent(model, likelihood, fit.theta)
    further = apart(model, likelihood, none)
    fits = [even, none, directed(model, likelihood, even, float(fit.strengths[0])), *further]
    beforehand = [1.0, 1.0, DIRECTED, *[APART / len(further)] * len(further)]
    weights = softmax([each.evidence for each in fits] + np.log(beforehand))
    return Between(
        weights @ [each.table for each in fits],
        float(weights @ [each.determined for each in fits]),
    )


def averaged(
    likelihood: TableLikelihood, likely: Vector, shrunk: Between, price: float = PRICE
) -> Vector:
    """Return the average of the most likely table and a shrunk one."""
    value, determined = shrunk
    free = int(np.count_nonzero(likely > FAINT / len(likely))) - 1
    more = free - determined
    single = sum(likelihood.shape) - len(likelihood.shape)  # terms of single attributes
    seen = np.clip((determined - single) / max(free - single, LEAST), 0.0, 1.0)
    gain = likelihood.slope(likely)[0] - likelihood.slope(value)[0]
    weight = float(expit(gain - (price - (price - 1) * seen) * more))
    return weight * likely + (1 - weight) * value


def independent(model: LogLinear, likelihood: TableLikelihood, start: Vector) -> Fitted:
    """Return the product of marginals that the reports advise."""
    mains = sum(likelihood.shape) - 2  # the terms of single attributes come first
    own = replace(model, features=model.features[:, :mains])
    return best(own, likelihood, MAIN * np.eye(mains), start[:mains])


def apart(model: LogLinear, likelihood: TableLikelihood, without: Fitted) -> list[Fitted]:
    """Return for each value of both attributes the model in which it stands apart.

    Of an attribute with two values both models are the same.
    """
    found = []
    where = np.indices(likelihood.shape).reshape(2, -1)
    rows, columns = (size - 1 for size in likelihood.shape)
    mains = np.split(model.features[:, : rows + columns], [rows], axis=1)
    for axis, size in enumerate(likelihood.shape):
        other = mains[1 - axis]
        ridge = np.diag(np.repeat([MAIN, 1 / VARIANCE], [rows + columns, other.shape[1]]))
        start = np.append(without.theta, np.zeros(other.shape[1]))
        for value in range(size if size > 2 else 1):
            further = (where[axis] == value)[:, None] * other
            own = replace(model, features=np.hstack([*mains, further]))
            found.append(best(own, likelihood, ridge, start))
    return found
