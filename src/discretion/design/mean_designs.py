"""Ways to ask for the means of d numbers with one total: who tells what, and how well that works.

``draw k``    k of the numbers, drawn beforehand, one by one with an even part of the total each
``m blocks``  the numbers of one of m blocks, drawn beforehand, as one cell with the whole total

In a block each number is told at b equally spaced levels, to one of which a coin rounds it. With v
the variance of a decoded answer around the mean of all, ranges scaled to [-1, 1] and m the owners
who tell a number, the squared error of its mean is v / m. For a cell of k numbers

    g = (e^eps - 1) / (e^eps + b^k - 1),    v = (g E t^2 + (1 - g) mean level^2) / g^2 - mean^2

where t is the rounded number: a cell is its own with probability g, else any of all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, expm1

import numpy as np

from discretion.budget.level import MOST
from discretion.design.guess import Guess
from discretion.mechanism import NUMBERS, number_law
from discretion.numbers.readings import noise_of
from discretion.plan.bundles import MOST_CELLS
from discretion.plan.contract import Contract

MOST_LEVELS = 64
MOST_NUMBERS = MOST_CELLS.bit_length() - 1  # of one block
BEST = "window"  # also stands for what has no law at every level, or none that is decoded
DECODED = tuple(name for name in NUMBERS if name != "laplace")


@dataclass(frozen=True)
class Asked:
    """A number, by which mechanism it is told alone, and how it is supposed to lie."""

    name: str
    mechanism: str
    guess: Guess

    def alone(self, level: int) -> float:
        """Return the variance of a decoded answer around the mean of all."""
        size = len(self.guess.chances)
        powers = np.vander(np.arange(size), 3, increasing=True)  # 1, x and x^2 of the codes
        noise = noise_of(number_law(self.mechanism, size, level)) @ (self.guess.chances @ powers)
        return float(noise) * (2 / (size - 1)) ** 2 + self.guess.spread

    def told(self, levels: int, cells: int, level: int) -> float:
        """Return the same where it is one of those in a cell, at so many levels."""
        own = expm1(level / 1000) / (exp(level / 1000) + cells - 1)
        others = float(np.mean(np.linspace(-1, 1, levels) ** 2))
        second = (own * self.guess.square_at(levels) + (1 - own) * others) / own**2
        return second - self.guess.square + self.guess.spread


@dataclass(frozen=True)
class Block:
    """Numbers that are one answer, each at so many levels; of a single one, by its mechanism."""

    numbers: tuple[Asked, ...]
    levels: int

    def variance(self, total: int) -> float:
        """Return the sum of the variances of decoded answers; each gets a whole level."""
        k = len(self.numbers)
        if k == 1:
            return self.numbers[0].alone(total)
        cells = self.levels**k
        return sum(number.told(self.levels, cells, total // k * k) for number in self.numbers)


@dataclass(frozen=True)
class Design:
    """``sample`` of the blocks are drawn by each owner; where all are of one number: attributes."""

    blocks: tuple[Block, ...]
    sample: int

    @property
    def most(self) -> int:
        """The numbers of the largest block."""
        return max(len(block.numbers) for block in self.blocks)

    @property
    def contract(self) -> Contract:
        return Contract.ATTRIBUTE if self.most == 1 else Contract.RECORD

    @property
    def name(self) -> str:
        if self.most == 1:
            return f"draw {self.sample}"
        return "1 block" if len(self.blocks) == 1 else f"{len(self.blocks)} blocks"

    @property
    def mechanism(self) -> str:
        """How an answer is told."""
        if self.most == 1:
            return ", ".join(dict.fromkeys(block.numbers[0].mechanism for block in self.blocks))
        levels = sorted({block.levels for block in self.blocks if block.levels})
        told = f"{levels[0]} to {levels[-1]}" if len(levels) > 1 else f"{levels[0]}"
        return f"{self.most} at {told} levels"

    def alone(self, total: int) -> int:
        """Return the level that bounds what is told about one number."""
        return total // self.sample

    def squared_error(self, n: float, total: int) -> float:
        """Return the squared error to expect of a mean, averaged over the numbers."""
        count = sum(len(block.numbers) for block in self.blocks)
        variance = sum(block.variance(total // self.sample) for block in self.blocks)
        return variance * len(self.blocks) / (self.sample * n * count)


def draws(numbers: Sequence[Asked], total: int) -> Iterator[Design]:
    """Yield the designs in which numbers are told one by one."""
    alone = tuple(Block((number,), 0) for number in numbers)
    for k in range(1, len(numbers) + 1):
        if 1 <= total // k <= MOST:
            yield Design(alone, k)


def blocks(numbers: Sequence[Asked], total: int) -> Iterator[Design]:
    """Yield the designs in which blocks are told as one cell, at the best levels for each.

    Numbers with a like mean of squares are in one block, where the same levels suit them.
    """
    alike = sorted(numbers, key=lambda number: number.guess.square)
    for count in range(len(alike) - 1, 0, -1):
        ends = [i * len(alike) // count for i in range(count + 1)]
        parts = [tuple(alike[start:stop]) for start, stop in pairwise(ends)]
        if not max(map(len, parts)) <= min(total, MOST_NUMBERS) or total > MOST:
            return
        yield Design(tuple(_block(part, total) for part in parts), 1)


def _block(numbers: tuple[Asked, ...], total: int) -> Block:
    """Return the block with the levels at which it errs least."""
    if len(numbers) == 1:
        return Block(numbers, 0)
    finest = min(MOST_LEVELS, *(len(number.guess.chances) for number in numbers))
    possible = (b for b in range(2, finest + 1) if b ** len(numbers) <= MOST_CELLS)
    return min((Block(numbers, b) for b in possible), key=lambda block: block.variance(total))
