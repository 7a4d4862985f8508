"""What is supposed about numbers before anybody is asked, and the error that follows from it.

With v the variance of a decoded answer around the mean of all, ranges scaled to [-1, 1] and m the
owners who report a number, the squared error of its mean is v / m. For a cell of k numbers, each
rounded by a coin to one of b equally spaced levels,

    g = (e^eps - 1) / (e^eps + b^k - 1),    v = (g E t^2 + (1 - g) mean level^2) / g^2 - mean^2

where t is the rounded number: a cell is its own with probability g, else any of all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, expm1
from typing import Self

import numpy as np
from scipy.special import betainc

from discretion.crowd.records import code_columns
from discretion.errors import EstimateError
from discretion.estimate.noise import Vector
from discretion.kernel.numbers import MISSING
from discretion.mechanism import number_law
from discretion.numbers.number_evidence import noise_of
from discretion.plan import Plan
from discretion.schema import Numeric
from discretion.table.frame import to_arrow

SMALLEST = 1e-12  # variance of a guess, in squared ranges
PART = 0.25  # of the variance of an even spread: what numbers have that nothing is known about


@dataclass(frozen=True, eq=False)
class Guess:
    """How numbers are distributed whose range is scaled to [-1, 1], and how far from each other."""

    frequencies: Vector  # (size,) of the grid points, wherever the attribute may have its mean
    spread: float  # the variance within the attribute

    @classmethod
    def of(cls, frequencies: Vector) -> Self:
        """Return the guess that one attribute has these frequencies."""
        points = np.linspace(-1.0, 1.0, len(frequencies))
        return cls(frequencies, float(frequencies @ points**2 - (frequencies @ points) ** 2))

    @property
    def size(self) -> int:
        """The number of grid points."""
        return len(self.frequencies)

    @cached_property
    def square(self) -> float:
        """The mean of squares."""
        return float(self.frequencies @ np.linspace(-1.0, 1.0, self.size) ** 2)

    def square_at(self, levels: int) -> float:
        """Return the mean of squares after a coin has rounded the number to one of the levels."""
        rest = np.arange(self.size) * (levels - 1) / (self.size - 1) % 1.0
        return self.square + float(self.frequencies @ (rest * (1 - rest))) * (2 / (levels - 1)) ** 2

    def variance(self, mechanism: str, level: int) -> float:
        """Return the variance of a decoded answer around the mean of all."""
        powers = np.vander(np.arange(self.size), 3, increasing=True)  # 1, x and x^2 of the codes
        noise = noise_of(number_law(mechanism, self.size, level)) @ (self.frequencies @ powers)
        return float(noise) * (2 / (self.size - 1)) ** 2 + self.spread

    def variance_in_cell(self, levels: int, cells: int, level: int) -> float:
        """Return the same where the number, at so many levels, is one of those in a cell."""
        own = expm1(level / 1000) / (exp(level / 1000) + cells - 1)
        others = float(np.mean(np.linspace(-1, 1, levels) ** 2))
        second = (own * self.square_at(levels) + (1 - own) * others) / own**2
        return second - self.square + self.spread


def guesses(plan: Plan, names: Sequence[str], guess: object = None) -> dict[str, Guess]:
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
        return {name: _supposed(_number(plan, name), pairs.get(name)) for name in names}
    codes = code_columns(plan, to_arrow(guess), np.random.default_rng(0))
    columns = {name: codes[:, list(plan.attributes).index(name)] for name in names}
    return {
        name: _counted(name, columns[name], plan.questions[name].attribute.size) for name in names
    }


def _counted(name: str, codes: np.ndarray[tuple[int], np.dtype[np.int64]], size: int) -> Guess:
    known = codes[codes != MISSING]
    if not len(known):
        raise EstimateError(f"no record to guess from has {name!r}")
    return Guess.of(np.bincount(known, minlength=size) / len(known))


def _number(plan: Plan, name: str) -> Numeric:
    question = plan.questions[name]
    if question.attribute.number is None:
        raise question.refused("a number")
    return question.attribute.number


def _supposed(number: Numeric, pair: object) -> Guess:
    """Return equal frequencies, or those of a beta distribution with this mean and deviation."""
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
