"""Two attributes that are independent, but for one value of one of them.

Cars with two seats are never accepted, and whoever is under 25 is single; of all others the one
attribute says little of the other. One strength for all interactions shrinks such a row too much or
all other rows too little. These models have terms for one row or column alone, which are hardly
shrunk; there is one for each value of either attribute, and that in which no value stands apart.
"""

from dataclasses import replace

import numpy as np

from discretion.estimate.noise import Vector
from discretion.joints.likelihood import TableLikelihood
from discretion.joints.loglinear import MAIN, LogLinear
from discretion.joints.penalised import Fitted, best

VARIANCE = 8.0  # of the terms of the value that stands apart: it may be anything


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
