"""The best terms of a log-linear model under given penalties, and how likely these are."""

from dataclasses import dataclass

import numpy as np
import scipy

from discretion.estimate.noise import Matrix, Vector
from discretion.joints.likelihood import TableLikelihood
from discretion.joints.loglinear import LogLinear

STEPS = 25  # of Newton's method, to the best terms
GAIN = 1e-4  # nats that a step must promise
SHORTEST = 1e-3  # of a Newton step


@dataclass(frozen=True)
class Fitted:
    """The best terms under some penalties, and the inverse of the curvature there."""

    theta: Vector
    table: Vector
    value: float  # of the likelihood less the penalty
    inverse: Matrix
    ridge: Matrix

    @property
    def evidence(self) -> float:
        """The marginal likelihood in Laplace's approximation, but for a constant."""
        both = (np.linalg.slogdet(own)[1] for own in (self.ridge, self.inverse))
        return self.value + float(sum(both)) / 2

    @property
    def determined(self) -> float:
        """How many terms the reports determine."""
        return len(self.theta) - float((self.inverse * self.ridge).sum())


def best(
    model: LogLinear, likelihood: TableLikelihood, ridge: Matrix, start: Vector, steps: int = STEPS
) -> Fitted:
    """Climb by Newton's method; the curvature is that before the last step."""

    def height(theta: Vector) -> float:
        return likelihood.slope(model.table(theta))[0] - float(theta @ ridge @ theta) / 2

    theta, value = start, height(start)
    for _ in range(steps):
        f = model.table(theta)
        slopes = f[:, None] * (model.features - f @ model.features)
        pull = likelihood.n * (likelihood.slope(f)[1] @ slopes) - ridge @ theta
        inverse: Matrix = scipy.linalg.inv(likelihood.information_along(f, slopes) + ridge)
        step, size = inverse @ pull, 1.0
        if float(pull @ step) < GAIN:
            break
        while (there := height(theta + size * step)) < value and size > SHORTEST:
            size /= 2
        if there <= value:
            break
        theta, value = theta + size * step, there
    return Fitted(theta, model.table(theta), value, inverse, ridge)
