"""The shapes of ``discretion.mechanism``, drawn for many owners with a law of their own each.

The coins are 64-bit integers compared with the integers of the law, so a simulated report has the
probabilities a device gives it. The generator is seedable, hence for simulation only.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from discretion.kernel.draw import draw_choice, draw_subset, draw_unary, fresh_state
from discretion.mechanism import Choice, Law, Subset, Unary
from discretion.table.columns import Bytes

Codes = npt.NDArray[np.int64]


def draw(laws: Sequence[Law], which: Codes, codes: Codes, rng: np.random.Generator) -> Bytes:
    """Return a report (n, width) about each code, drawn from its own law ``laws[which[i]]``.

    All laws have one shape and one size; they differ in their parameters.
    """
    size = laws[0].size
    y = np.empty((len(codes), laws[0].width), np.uint8)
    rows = (np.ascontiguousarray(which), np.ascontiguousarray(codes), size, y, fresh_state(rng))
    match laws[0]:
        case Choice():
            draw_choice(_each(laws, "keep"), *rows)
        case Unary():
            draw_unary(_each(laws, "true"), _each(laws, "false"), *rows)
        case Subset():
            counts = _each(laws, "count").astype(np.int64)
            draw_subset(_each(laws, "keep"), counts, *rows)
        case other:
            raise TypeError(f"no shape to draw {other!r}")
    return y


def _each(laws: Sequence[Law], parameter: str) -> npt.NDArray[np.uint64]:
    return np.array([getattr(law, parameter) for law in laws], np.uint64)
