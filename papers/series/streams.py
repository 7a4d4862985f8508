"""Protocols for streams of reports, any w consecutive ones of which may cost an owner epsilon.

LBU and LPU, LBA and LPA: X. Ren et al., LDP-IDS (SIGMOD 2022). Uniform ones divide the budget of an
owner, or the owners, over w rounds. Adaptive ones spend half on seeing how far the last release is
off, and release anew only where that is more than the error of doing so; what was not spent in the
rounds since is added, and as many rounds later nothing is spent.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from discretion.mechanism import MECHANISMS

Array = npt.NDArray[np.float64]


@cache
def _law(size: int, level: int) -> tuple[Array, Array]:
    """Return the probabilities of all outputs by value, and which values each output supports."""
    law = MECHANISMS["subset"](size, level)
    outputs = [y for y in range(1 << size) if law.form.admits(y)]
    rows = [[float(law.probability(y, x)) for y in outputs] for x in range(size)]
    held = [[y >> x & 1 for x in range(size)] for y in outputs]
    return np.array(rows), np.array(held, np.float64)


@dataclass(frozen=True)
class Oracle:
    """Unbiased estimates from reports of fresh owners, whose counts are drawn by the exact law."""

    size: int
    rng: np.random.Generator

    def ask(self, shares: Array, owners: int, epsilon: float) -> Array:
        """Let so many owners with values of these shares report once."""
        rows, held = _law(self.size, round(1000 * epsilon))
        values = self.rng.multinomial(owners, shares)
        outputs = sum(self.rng.multinomial(n, row) for n, row in zip(values, rows, strict=True))
        own, other = self._hits(epsilon)
        return np.asarray((outputs @ held / owners - other) / (own - other))

    def variance(self, owners: int, epsilon: float) -> float:
        """Return the mean variance over labels, as the protocols reckon with it: at even shares."""
        own, other = self._hits(epsilon)
        even = (own + (self.size - 1) * other) / self.size
        return float(even * (1 - even) / (own - other) ** 2 / owners)

    def rare(self, epsilon: float) -> float:
        """Return owners times the variance of the share of a rare label."""
        own, other = self._hits(epsilon)
        return other * (1 - other) / (own - other) ** 2

    def _hits(self, epsilon: float) -> tuple[float, float]:
        """Return how likely a value is supported by a report of it, and by one of another."""
        rows, held = _law(self.size, round(1000 * epsilon))
        return float(rows[0] @ held[:, 0]), float(rows[0] @ held[:, 1])


Stream = Callable[[Array, int, float, int, Oracle], Array]


def budgets_divided(truth: Array, owners: int, epsilon: float, window: int, by: Oracle) -> Array:
    """LBU: all owners report in every round, with a part of the budget."""
    return np.array([by.ask(shares, owners, epsilon / window) for shares in truth])


def owners_divided(truth: Array, owners: int, epsilon: float, window: int, by: Oracle) -> Array:
    """LPU: a part of the owners reports in every round, with the whole budget."""
    return np.array([by.ask(shares, owners // window, epsilon) for shares in truth])


def budgets_absorbed(truth: Array, owners: int, epsilon: float, window: int, by: Oracle) -> Array:
    """LBA: what budget was not spent on releases is added to the next one."""
    part = epsilon / (2 * window)
    return _absorbed(
        truth,
        window,
        by,
        lambda _: (owners, part),
        lambda units: (owners, part * units),
    )


def owners_absorbed(truth: Array, owners: int, epsilon: float, window: int, by: Oracle) -> Array:
    """LPA: owners who were not asked for releases are added to those of the next one."""
    part = owners // (2 * window)
    return _absorbed(
        truth,
        window,
        by,
        lambda _: (part, epsilon),
        lambda units: (part * units, epsilon),
    )


Spending = Callable[[int], tuple[int, float]]  # owners and epsilon of so many units


def _absorbed(truth: Array, window: int, by: Oracle, look: Spending, release: Spending) -> Array:
    """Look in every round; release where that is worth it, with all that was left meanwhile."""
    found, last, at, used = list[Array](), np.full(truth.shape[1], 1 / truth.shape[1]), -1, 0
    for t, shares in enumerate(truth):
        owners, epsilon = look(1)
        seen = by.ask(shares, owners, epsilon)
        off = float(((seen - last) ** 2).mean()) - by.variance(owners, epsilon)
        idle = max(used - 1, 0)  # rounds after a release in which nothing may be spent
        units = min(t - at - idle, window)
        if units > 0:
            owners, epsilon = release(units)
            if off > by.variance(owners, epsilon):
                last, at, used = by.ask(shares, owners, epsilon), t, units
        found.append(last)
    return np.array(found)


STREAMS: Mapping[str, Stream] = {
    "LBU": budgets_divided,
    "LPU": owners_divided,
    "LBA": budgets_absorbed,
    "LPA": owners_absorbed,
}
