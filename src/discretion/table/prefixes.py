"""Reports about prefixes, many at once: their rows of bits, and the parities that they report."""

import numpy as np
import numpy.typing as npt

from discretion.table.columns import Bytes

Words = npt.NDArray[np.uint64]
WORD_BYTES = 8


def parities_of(y: Bytes, bits: int, rows: int) -> tuple[Words, Bytes]:
    """Return the rows (n, rows) of reports in one group at one level, and the parities (n,).

    The parities are the low bits of a report, and row after row stands above them.
    """
    spare = np.zeros((len(y), WORD_BYTES + 1), np.uint8)
    wide = np.concatenate([y, spare], axis=1)
    found = np.empty((len(y), rows), np.uint64)
    for row in range(rows):
        byte, shift = divmod(rows + row * bits, 8)
        low = np.ascontiguousarray(wide[:, byte : byte + WORD_BYTES]).view("<u8")[:, 0]
        high = wide[:, byte + WORD_BYTES].astype(np.uint64) << np.uint64(64 - shift) if shift else 0
        found[:, row] = (low >> np.uint64(shift) | high) & np.uint64((1 << bits) - 1)
    return found, y[:, 0] & np.uint8((1 << rows) - 1)
