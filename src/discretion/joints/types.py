"""Types of owners with secret budgets: how each divides what she may spend among her attributes.

Under an allowance a type has a weight for each attribute of the table and for any other, and spends
a part of the allowance, from nothing to all, in proportion to the weights of what it shares.
Without one a type has a level of the menu for each attribute. Types are spread evenly over all that
a policy allows, without any randomness; the least levels and the whole allowance are among them.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import scipy
from scipy.special import gammaincinv

from discretion.budget import Policy
from discretion.estimate.noise import Matrix, Vector

TYPES = 1024
CONCENTRATIONS = (0.5, 1.0, 2.0, 8.0)  # of the gamma laws from which the types' weights are drawn
SPENDING = 2  # one in so many types spends the whole allowance


class Types(ABC):
    """What owners of each type spend."""

    @staticmethod
    def of(policy: Policy, attributes: int) -> "Types":
        """Return types spread over all that the policy allows for so many attributes."""
        menu = np.array(policy.menu) / 1000
        if policy.allowance(1) is not None:
            return Dividing.spread(policy, attributes)
        if len(menu) ** attributes <= TYPES:
            return Choosing(np.array(list(product(menu, repeat=attributes))))
        return Choosing(menu[(_points(attributes) * len(menu)).astype(np.int64)])

    @property
    @abstractmethod
    def count(self) -> int:
        """How many types there are."""

    @abstractmethod
    def levels(self, axes: Sequence[int], shared: int) -> Matrix:
        """Return epsilons (types, axes) when so many attributes are shared, these among them."""


@dataclass(frozen=True)
class Choosing(Types):
    """Types that choose a level for each attribute, whatever else is shared."""

    chosen: Matrix  # (types, attributes)

    @property
    def count(self) -> int:
        return len(self.chosen)

    def levels(self, axes: Sequence[int], shared: int) -> Matrix:
        own: Matrix = self.chosen[:, list(axes)]
        return own


@dataclass(frozen=True)
class Dividing(Types):
    """Types that divide a part of an allowance."""

    policy: Policy
    weights: Matrix  # (types, attributes + 1): of the table's attributes, and of any other
    spent: Vector  # (types,) the part of the allowance beyond the least levels

    @classmethod
    def spread(cls, policy: Policy, attributes: int) -> "Dividing":
        points = _points(attributes + 2)
        kind = np.arange(TYPES) // (TYPES // (len(CONCENTRATIONS) * SPENDING))
        shape = np.array(CONCENTRATIONS)[kind // SPENDING, None]  # runs of points are even too
        spent = np.where(kind % SPENDING, points[:, -1], 1.0)
        spent[-1] = 0.0
        return cls(policy, gammaincinv(shape, points[:, :-1]), spent)

    @property
    def count(self) -> int:
        return len(self.spent)

    def levels(self, axes: Sequence[int], shared: int) -> Matrix:
        allowance = self.policy.allowance(shared)
        assert allowance is not None
        least, most = self.policy.floor(shared) / 1000, self.policy.menu[-1] / 1000
        own = self.weights[:, list(axes)]
        rest = (allowance / 1000 - shared * least) * self.spent
        whole = own.sum(axis=1) + (shared - len(axes)) * self.weights[:, -1]
        return np.clip(least + (rest / whole)[:, None] * own, least, most)


def _points(dimensions: int) -> Matrix:
    """Return points spread evenly over the unit cube, inside it (Sobol 1967)."""
    found: Matrix = scipy.stats.qmc.Sobol(dimensions, scramble=False).random(TYPES)
    return found + 0.5 / TYPES
