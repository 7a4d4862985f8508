"""One yes or no that changes once at most: sums over dyadic intervals, and rotation beside them.

Every owner draws one of log2(T) + 1 levels. At the end of each interval of her level she sends one
bit: whether her answer rose or fell within it, told with log-odds epsilon; a fair coin if neither.
As only one of her intervals is not zero, two histories are told apart by at most epsilon over all
rounds. The count at a round is a sum over the intervals that make up the time until then.

Source: U. Erlingsson et al., Amplification by Shuffling (SODA 2019), their protocol for counts over
rounds, for at most one change; O. Ohrimenko, A. Wirth and H. Wu (2022) for more of them.
"""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Changes = npt.NDArray[np.int64]  # the round in which an owner's answer becomes yes; T: never


def truth_of(changes: Changes, rounds: int) -> Array:
    """Return the share of yes in each round."""
    came = np.bincount(changes, minlength=rounds + 1)[:rounds]
    return np.asarray(came.cumsum() / len(changes))


def dyadic(changes: Changes, rounds: int, epsilon: float, rng: np.random.Generator) -> Array:
    """Return the estimated share of yes in each round; their number is a power of two."""
    levels = rounds.bit_length()
    drawn = rng.integers(0, levels, len(changes))
    told = 1 / (1 + np.exp(-epsilon))
    sums = []
    for level in range(levels):
        own = changes[drawn == level]
        count = rounds >> level
        rose = np.bincount(own[own < rounds] >> level, minlength=count)
        kept = rng.binomial(rose, told)
        coins = rng.binomial(len(own) - rose, 0.5)
        net = 2 * (kept + coins) - len(own)  # ones less minus ones, interval by interval
        sums.append(levels * net / (2 * told - 1))
    return np.array([_until(sums, t + 1) for t in range(rounds)]) / len(changes)


def _until(sums: list[Array], time: int) -> float:
    """Add up the intervals that make up the time from the start."""
    found, at = 0.0, 0
    for level in reversed(range(len(sums))):
        if time >> level & 1:
            found += float(sums[level][at >> level])
            at += 1 << level
    return found


def rotation(changes: Changes, rounds: int, epsilon: float, rng: np.random.Generator) -> Array:
    """Return the estimates where every owner answers in one round, with direct answers."""
    turn = rng.integers(0, rounds, len(changes))
    told = 1 / (1 + np.exp(-epsilon))
    asked = np.bincount(turn, minlength=rounds)
    yes = np.bincount(turn[changes <= turn], minlength=rounds)
    said = rng.binomial(yes, told) + rng.binomial(asked - yes, 1 - told)
    shares = (said / np.maximum(asked, 1) - (1 - told)) / (2 * told - 1)
    return np.asarray(shares)
