"""Random words for simulation: xoshiro256++ (Blackman and Vigna 2021) and exact draws from it.

The state is four 64-bit integers, drawn from the caller's generator. It is fast and seedable,
hence for simulation only: a device draws from the operating system.
"""

import numpy as np
import numpy.typing as npt
from numba import njit, uint64

from discretion.kernel import cached

Words = npt.NDArray[np.uint64]
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
AHEAD = 4096  # words that are drawn ahead of their use, where that is quicker
LAST = AHEAD - 65  # where so many are left as lanes and a coin may need
SOON = 10  # words after which 64 lanes are mostly decided


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


@cached(nogil=True)
def fill(words: Words, state: Words) -> None:
    """Fill an array with random words: those that ``word`` would return, one after the other."""
    a, b, c, d = state
    for i in range(len(words)):
        mixed = a + d
        words[i] = ((mixed << uint64(23)) | (mixed >> uint64(41))) + a
        shifted = b << uint64(17)
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = (d << uint64(45)) | (d >> uint64(19))
    state[0], state[1], state[2], state[3] = a, b, c, d


@njit(nogil=True)
def refill(ahead: Words, at: int, state: Words) -> int:
    """Bring the words from ``at`` on to the front, draw more behind them, and return 0."""
    left = len(ahead) - at
    for i in range(left):
        ahead[i] = ahead[at + i]
    fill(ahead[left:], state)
    return 0


@njit(inline="always")
def lanes(heads: np.uint64, ahead: Words, at: int) -> tuple[np.uint64, int]:
    """Return 64 coins at once, each set with probability ``heads / 2^64`` exactly.

    All lanes compare a random number with ``heads``, from the top bit down; a lane is decided at
    the first bit that differs, and after a few words all of them are. Where the next word stands is
    returned too. It is worked out without a branch, as no processor could foresee it. ``at`` may
    be up to ``LAST``.
    """
    below, undecided, used, start = uint64(0), ALL, uint64(0), uint64(at)
    for bit in range(SOON):
        used += uint64(undecided != 0)
        bits = ahead[start + uint64(bit)]
        below, undecided = _compared(heads, uint64(bit), bits, below, undecided)
    while undecided != 0 and used < uint64(64):
        below, undecided = _compared(heads, used, ahead[start + used], below, undecided)
        used += uint64(1)
    return below, at + np.int64(used)  # type: ignore[return-value]  # compiled, it is one


@njit(inline="always")
def _compared(
    heads: np.uint64, bit: np.uint64, bits: np.uint64, below: np.uint64, undecided: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Compare one bit of every undecided lane with that of ``heads``."""
    one = uint64(0) - ((heads >> (uint64(63) - bit)) & uint64(1))
    return below | (undecided & ~bits & one), undecided & ~(bits ^ one)


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
