"""Quotients of estimates: their errors, and intervals that hold where the denominator is uncertain.

An estimate here is a value with deviations, whose products are its covariance with all others. The
quotient of X and Y may be t if X - t Y, which is as normal as X and Y are, is not far from zero
(Fieller 1954). Where Y itself may be zero there is no bound, and none is made up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.special import ndtri

from discretion.estimate.documents import finite
from discretion.estimate.documents.groups import Learnt
from discretion.estimate.estimate import check_confidence

CLEAR = 3.0  # standard errors above zero of a group of which anything is said
Array = npt.NDArray[np.float64]
Along = int | slice | npt.NDArray[np.int64] | None
Index = Along | tuple[Along, ...]


@dataclass(frozen=True, eq=False)
class Estimated:
    """Values (*shape,), and deviations (r, *shape) that are common to all of them."""

    value: Array
    root: Array

    def __getitem__(self, at: Index) -> "Estimated":
        along = at if isinstance(at, tuple) else (at,)
        return Estimated(self.value[along], self.root[slice(None), *along])

    def __sub__(self, other: "Estimated") -> "Estimated":
        return Estimated(self.value - other.value, self.root - other.root)

    def sum(self, axis: int, *, keepdims: bool = False) -> "Estimated":
        """Add up along an axis, from the left."""
        value = self.value.sum(axis=axis, keepdims=keepdims)
        return Estimated(value, self.root.sum(axis=1 + axis, keepdims=keepdims))

    @property
    def stderr(self) -> Array:
        """The standard errors (*shape,)."""
        return np.sqrt((self.root**2).sum(axis=0))

    @property
    def clear(self) -> npt.NDArray[np.bool_]:
        """Which values are clearly above zero."""
        return self.value > CLEAR * self.stderr


def quotient(part: Estimated, whole: Estimated) -> Estimated:
    """Return what a part is of a whole, to the first order."""
    with np.errstate(divide="ignore", invalid="ignore"):
        value = part.value / whole.value
        return Estimated(value, (part.root - value * whole.root) / whole.value)


def fieller(part: Estimated, whole: Estimated, confidence: float) -> tuple[Array, Array]:
    """Return low and high of quotients; infinite where nothing bounds them."""
    check_confidence(confidence)
    z2 = float(ndtri((1 + confidence) / 2)) ** 2
    x, y = np.broadcast_arrays(part.value, whole.value)
    square = y**2 - z2 * (whole.root**2).sum(axis=0)
    mixed = x * y - z2 * (part.root * whole.root).sum(axis=0)
    rest = x**2 - z2 * (part.root**2).sum(axis=0)
    reach = np.sqrt(np.maximum(mixed**2 - square * rest, 0.0))
    bounded = square > 0
    divisor = np.where(square == 0, 1.0, square)
    one, other = (mixed - reach) / divisor, (mixed + reach) / divisor
    low = np.where(bounded, one, np.where(rest > 0, np.maximum(one, other), -np.inf))
    return low, np.where(bounded, other, np.inf)


@dataclass(frozen=True, eq=False)
class Proportions:
    """Shares of wholes; a whole that is not clearly above zero has none, and they are nan."""

    value: Array  # from the most likely table
    part: Estimated  # what intervals are made of
    whole: Estimated  # of the same shape, or one for several

    @classmethod
    def of(cls, value: Array, part: Estimated, whole: Estimated) -> "Proportions":
        """Take the values of parts, of which the share is that in the values of the wholes."""
        return cls(np.where(whole.clear, value, np.nan), part, whole)

    @classmethod
    def among_all(cls, value: Array, part: Estimated) -> "Proportions":
        """Take shares of everybody as they are."""
        return cls.of(value, part, Estimated(np.ones(1), np.zeros((len(part.root), 1))))

    @cached_property
    def exact(self) -> Estimated:
        """The shares around which intervals are, which may lie outside [0, 1]."""
        return quotient(self.part, self.whole)

    @property
    def stderr(self) -> Array:
        """The standard errors."""
        return np.where(np.isnan(self.value), np.nan, self.exact.stderr)

    def interval(self, confidence: float = 0.95) -> Array:
        """Return low and high (*shape, 2) of each share, one at a time; they hold the value.

        They keep to [0, 1], and reach into it by a standard error at least.
        """
        low, high = fieller(self.part, self.whole, confidence)
        known, stderr = np.nan_to_num(self.value), np.nan_to_num(self.exact.stderr)
        low, high = np.minimum(low, 1 - stderr), np.maximum(high, stderr)
        ends = np.stack([np.minimum(low, known), np.maximum(high, known)], axis=-1)
        return np.where(np.isnan(self.value)[..., None], np.nan, np.clip(ends, 0.0, 1.0))

    def document(self, labels: Sequence[str]) -> list[Learnt]:
        """Return the label, value, stderr and interval of each share, for machines."""
        return learnt(labels, self.value, self.stderr, self.interval())


def learnt(labels: Sequence[str], value: Array, stderr: Array, interval: Array) -> list[Learnt]:
    """Return estimates by label for machines; what is not learnt is null."""
    columns = {"value": value, "stderr": stderr, "low": interval[:, 0], "high": interval[:, 1]}
    found: list[Learnt] = finite(pa.table({"label": pa.array(labels), **columns}).to_pylist())
    return found
