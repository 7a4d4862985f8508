"""How results look in a terminal."""

import numpy as np
import numpy.typing as npt
from rich.table import Table

from discretion.estimate import FrequencyEstimate
from discretion.estimate.show import rows


def frequency_table(
    estimate: FrequencyEstimate, truth: npt.NDArray[np.float64] | None = None
) -> Table:
    """Return a table of frequencies; with the truth, which rows' intervals hold it."""
    table = Table(box=None, pad_edge=False)
    table.add_column(estimate.attribute, min_width=16)
    if truth is not None:
        table.add_column("truth", justify="right")
    for heading in ("estimate", "stderr", "95 % interval"):
        table.add_column(heading, justify="right")
    intervals = estimate.interval()
    for i, (label, *cells) in enumerate(rows(estimate)):
        if truth is None:
            table.add_row(label, *cells)
            continue
        holds = intervals[i, 0] <= truth[i] <= intervals[i, 1]
        table.add_row(label, f"{truth[i]:.4f}", *cells, "" if holds else "missed")
    return table
