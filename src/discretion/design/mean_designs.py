"""Ways to ask for the means of numbers with one total: who reports what, and the error of that."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from discretion.budget.level import MOST
from discretion.design.design import Block, Design, Names
from discretion.design.guess import Guess
from discretion.mechanism import NUMBERS
from discretion.plan.bundles import MOST_CELLS
from discretion.plan.bundles import NUMBERS as BUNDLED
from discretion.plan.plan import Contract

MOST_LEVELS = 64
MOST_NUMBERS = MOST_CELLS.bit_length() - 1  # of one block
BEST = "window"  # also stands for what has no law at every level, or none that is decoded
DECODED = tuple(name for name in NUMBERS if name != "laplace")


def squared_error(design: Design, guesses: Mapping[str, Guess], n: float, total: int) -> float:
    """Return the squared error to expect of a mean, averaged over the numbers."""
    count = sum(len(block.names) for block in design.blocks)
    variance = sum(_variance(block, guesses, total // design.sample) for block in design.blocks)
    return variance * len(design.groups) / (design.sample * n * count)


def reported(design: Design) -> str:
    """Say how numbers are reported: by which mechanism, or how many at how many levels."""
    if design.contract is Contract.ATTRIBUTE:
        return ", ".join(dict.fromkeys(block.mechanism for block in design.blocks))
    levels = sorted({block.rounded for block in design.blocks if block.rounded})
    listed = f"{levels[0]} to {levels[-1]}" if len(levels) > 1 else f"{levels[0]}"
    return f"{design.largest} at {listed} levels"


def draws(mechanisms: Mapping[str, str], total: int) -> Iterator[Design]:
    """Yield the designs in which numbers are reported one by one."""
    alone = tuple((Block((name,), mechanism),) for name, mechanism in mechanisms.items())
    for k in range(1, len(mechanisms) + 1):
        if 1 <= total // k <= MOST:
            yield Design(f"draw {k}", alone, k, f"drawing {k}")


def blocks(guesses: Mapping[str, Guess], total: int) -> Iterator[Design]:
    """Yield the designs in which blocks are reported as one cell, at the best levels for each.

    Numbers with a like mean of squares are in one block, where the same levels suit them.
    """
    alike = sorted(guesses, key=lambda name: guesses[name].square)
    for count in range(len(alike) - 1, 0, -1):
        ends = [i * len(alike) // count for i in range(count + 1)]
        parts = [tuple(alike[start:stop]) for start, stop in pairwise(ends)]
        if not max(map(len, parts)) <= min(total, MOST_NUMBERS) or total > MOST:
            return
        name, which = f"{count} blocks", f"one of {count} blocks"
        if count == 1:
            name, which = "1 block", "all as one"
        groups = tuple((_block(part, guesses, total),) for part in parts)
        yield Design(name, groups, doing=f"reporting {which}")


def _block(names: Names, guesses: Mapping[str, Guess], total: int) -> Block:
    """Return the block with the levels at which it errs least."""
    if len(names) == 1:
        return Block(names, BEST)
    finest = min(MOST_LEVELS, *(guesses[name].size for name in names))
    possible = (b for b in range(2, finest + 1) if b ** len(names) <= MOST_CELLS)
    found = (Block(names, BUNDLED[0], b) for b in possible)
    return min(found, key=lambda block: _variance(block, guesses, total))


def _variance(block: Block, guesses: Mapping[str, Guess], total: int) -> float:
    """Return the sum of the variances of decoded answers; each gets a whole level."""
    own = [guesses[name] for name in block.names]
    if len(own) == 1:
        return own[0].variance(block.mechanism, total)
    b, k = block.rounded, len(own)
    return sum(guess.variance_in_cell(b, b**k, total // k * k) for guess in own)
