"""Random words for simulation: xoshiro256++ (Blackman and Vigna 2021) and exact draws from it.

The state is four 64-bit integers, drawn from the caller's generator. It is fast and seedable,
hence for simulation only: a device draws from the operating system.
"""

import numpy as np
import numpy.typing as npt
from numba import njit, uint64

Words = npt.NDArray[np.uint64]
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@njit(inline="always")
def word(state: Words) -> np.uint64:
    """Return the next 64 random bits."""
    mixed = state[0] + state[3]
    result = ((mixed << uint64(23)) | (mixed >> uint64(41))) + state[0]
    shifted = state[1] << uint64(17)
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = (state[3] << uint64(45)) | (state[3] >> uint64(19))
    return result


@njit(inline="always")
def lanes(heads: np.uint64, state: Words) -> np.uint64:
    """Return 64 coins at once, each set with probability ``heads / 2^64`` exactly.

    All lanes compare a random number with ``heads``, from the top bit down; a lane is decided at
    the first bit that differs, and after a few words all of them are.
    """
    below, undecided = uint64(0), ALL
    for place in range(63, -1, -1):
        bits = word(state)
        if (heads >> uint64(place)) & uint64(1):
            below |= undecided & ~bits
            undecided &= bits
        else:
            undecided &= ~bits
        if undecided == 0:
            break
    return below


@njit(inline="always")
def uniform(n: np.uint64, state: Words) -> np.uint64:
    """Return a uniform integer below n <= 2^32, by Lemire's method (2019)."""
    product = (word(state) >> uint64(32)) * n
    rest = product & uint64(0xFFFFFFFF)
    if rest < n:
        least = (uint64(1) << uint64(32)) % n
        while rest < least:
            product = (word(state) >> uint64(32)) * n
            rest = product & uint64(0xFFFFFFFF)
    return product >> uint64(32)


@njit(inline="always")
def wide(n: np.uint64, state: Words) -> np.uint64:
    """Return a uniform integer below any n, by masking and rejection."""
    mask = n - uint64(1)
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> uint64(shift)
    while True:
        drawn = word(state) & mask
        if drawn < n:
            return drawn
