"""What is supposed about numbers before anybody is asked: how they lie on their grids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from scipy.special import betainc

from discretion.crowd.records import MISSING, code_columns
from discretion.errors import EstimateError, KindError
from discretion.estimate.noise import Vector
from discretion.plan import Plan
from discretion.schema import Numeric
from discretion.table.frame import to_arrow

SMALLEST = 1e-12  # variance of a guess, in squared ranges
PART = 0.25  # of the variance of an even spread: what numbers have that nothing is known about


@dataclass(frozen=True, eq=False)
class Guess:
    """Where numbers lie whose range is scaled to [-1, 1], and how far from each other."""

    chances: Vector  # (size,) of the grid points, wherever the attribute may have its mean
    spread: float  # the variance within the attribute

    @classmethod
    def of(cls, chances: Vector) -> Self:
        """Return the guess that one attribute has these chances."""
        places = np.linspace(-1.0, 1.0, len(chances))
        return cls(chances, float(chances @ places**2 - (chances @ places) ** 2))

    @cached_property
    def square(self) -> float:
        """The mean of squares."""
        return float(self.chances @ np.linspace(-1.0, 1.0, len(self.chances)) ** 2)

    def square_at(self, levels: int) -> float:
        """Return the mean of squares after a coin has rounded the number to one of the levels."""
        rest = np.arange(len(self.chances)) * (levels - 1) / (len(self.chances) - 1) % 1.0
        return self.square + float(self.chances @ (rest * (1 - rest))) * (2 / (levels - 1)) ** 2


def guesses(plan: Plan, names: Sequence[str], guess: object = None) -> list[Guess]:
    """Return a guess for each of the names.

    ``guess``: a frame, records that are like those of the owners; or a mapping from names to pairs
    (mean, standard deviation). Numbers that nothing is known about lie anywhere in their range,
    those of one attribute nearer to each other, with half the deviation of an even spread: ranges
    are mostly wide.
    """
    if guess is None or isinstance(guess, Mapping):
        pairs = guess or {}
        if unknown := [name for name in pairs if name not in names]:
            raise EstimateError(f"guesses must be about {', '.join(names)}, not {unknown[0]!r}")
        return [_supposed(_number(plan, name), pairs.get(name)) for name in names]
    codes = code_columns(plan, to_arrow(guess), np.random.default_rng(0))
    columns = [codes[:, list(plan.attributes).index(name)] for name in names]
    sizes = [plan.questions[name].attribute.size for name in names]
    return [_counted(*item) for item in zip(names, columns, sizes, strict=True)]


def _counted(name: str, codes: np.ndarray[tuple[int], np.dtype[np.int64]], size: int) -> Guess:
    known = codes[codes != MISSING]
    if not len(known):
        raise EstimateError(f"no record to guess from has {name!r}")
    return Guess.of(np.bincount(known, minlength=size) / len(known))


def _number(plan: Plan, name: str) -> Numeric:
    found = plan.questions[name].attribute
    if not isinstance(found, Numeric):
        raise KindError(name, plan.questions[name].mechanism, "a number")
    return found


def _supposed(number: Numeric, pair: object) -> Guess:
    """Return equal chances, or those of a beta distribution with this mean and deviation."""
    if pair is None:
        even = Guess.of(np.full(number.size, 1 / number.size))
        return replace(even, spread=PART * even.spread)
    low, high = (float(end * number.unit) for end in (number.low, number.high))
    try:
        mean, deviation = (float(part) for part in pair)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise EstimateError(
            f"a guess must be a pair (mean, standard deviation), got {pair!r}"
        ) from None
    middle = (mean - low) / (high - low)
    ratio = middle * (1 - middle) / max((deviation / (high - low)) ** 2, SMALLEST) - 1
    if not 0 < middle < 1 or not ratio > 0 or deviation <= 0:
        raise EstimateError(
            f"{number.name}: no numbers from {low:g} to {high:g} have mean {mean:g} and standard "
            f"deviation {deviation:g}"
        )
    ends = np.arange(number.size + 1) / number.size
    return Guess.of(np.diff(betainc(middle * ratio, (1 - middle) * ratio, ends)))
