"""Belief propagation: what each report makes probable in every cell of a junction tree.

Reports are worked on side by side, LANES at once, so that the inner loops run over them; indices
are looked up once for all. A clique multiplies its own table by what comes in (evidence about its
attributes, and messages of its children) and sums onto the cells that it shares with its parent.
On the way back the same products, times what the parent knows, are the posterior.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

LANES = 128
LEAST = np.float32(1e-30)
FAST = {"reassoc", "contract", "nsz", "arcp"}  # sums may be in any order; nothing is infinite

Single = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]
Maps = npt.NDArray[np.int32]


@njit(cache=True, nogil=True, fastmath=FAST)
def beliefs(
    evidence: Single,  # (rows, reports)
    tables: Single,  # of the cliques one after the other, children first: chances given the parent
    first: Places,  # (cliques + 1,): where each begins
    inputs: Places,  # (cliques + 1,): where the inputs of each begin among all
    rows: Places,  # (inputs,): the first row of each, messages after the evidence
    maps: Maps,  # (inputs, cells): the row of each that a cell of its clique takes
    heights: Places,  # (inputs,): the rows of a message; 0 for evidence
    out: Places,  # (cliques,): the first row of each clique's own message
    out_maps: Maps,  # (cliques, cells): the row that a cell is summed on
    expected: npt.NDArray[np.float64],  # (cells of all cliques,): posteriors are added to it
) -> float:
    """Add the posteriors of all reports to ``expected``, and return their log-likelihood."""
    known, n = evidence.shape
    cliques = len(out)
    height = out[cliques - 1] + 1  # the last one is the root; its message is one row
    up, down = np.ones((height, LANES), np.float32), np.zeros((height, LANES), np.float32)
    scales = np.empty((cliques, LANES), np.float32)
    product, total = np.empty(LANES, np.float32), np.empty(LANES, np.float32)
    value = 0.0
    for start in range(0, n, LANES):
        width = min(LANES, n - start)
        for row in range(known):
            for lane in range(width):
                up[row, lane] = evidence[row, start + lane]
        for clique in range(cliques):
            end = height if clique == cliques - 1 else out[clique + 1]
            _collect(
                clique, end, tables, first, inputs, rows, maps, out, out_maps, up, product, total
            )
            for lane in range(LANES):
                scales[clique, lane] = 1 / max(total[lane], LEAST)
            for row in range(out[clique], end):
                for lane in range(LANES):
                    up[row, lane] *= scales[clique, lane]
            for lane in range(width):
                value += np.log(np.float64(total[lane]))
        for lane in range(LANES):
            down[height - 1, lane] = lane < width
        for clique in range(cliques - 1, -1, -1):
            end = height if clique == cliques - 1 else out[clique + 1]
            for row in range(out[clique], end):
                for lane in range(LANES):
                    down[row, lane] *= scales[clique, lane] / max(up[row, lane], LEAST)
            for k in range(inputs[clique], inputs[clique + 1]):
                down[rows[k] : rows[k] + heights[k]] = 0
            _distribute(
                clique,
                tables,
                first,
                inputs,
                rows,
                maps,
                heights,
                out,
                out_maps,
                up,
                down,
                product,
                expected,
            )
    return value


@njit(fastmath=FAST)
def _collect(
    clique: int,
    end: int,
    tables: Single,
    first: Places,
    inputs: Places,
    rows: Places,
    maps: Maps,
    out: Places,
    out_maps: Maps,
    up: Single,
    product: Single,
    total: Single,
) -> None:
    """Sum a clique's products onto its message, and all of that to the total of each report."""
    top = out[clique]
    up[top:end] = 0
    for cell in range(first[clique + 1] - first[clique]):
        product[:] = tables[first[clique] + cell]
        for k in range(inputs[clique], inputs[clique + 1]):
            coming = up[rows[k] + maps[k, cell]]
            for lane in range(LANES):
                product[lane] *= coming[lane]
        sent = up[top + out_maps[clique, cell]]
        for lane in range(LANES):
            sent[lane] += product[lane]
    total[:] = 0
    for row in range(top, end):
        for lane in range(LANES):
            total[lane] += up[row, lane]


@njit(fastmath=FAST)
def _distribute(
    clique: int,
    tables: Single,
    first: Places,
    inputs: Places,
    rows: Places,
    maps: Maps,
    heights: Places,
    out: Places,
    out_maps: Maps,
    up: Single,
    down: Single,
    product: Single,
    expected: npt.NDArray[np.float64],
) -> None:
    """Add a clique's posteriors to what is expected, and onto what its children are told."""
    for cell in range(first[clique + 1] - first[clique]):
        coming = down[out[clique] + out_maps[clique, cell]]
        for lane in range(LANES):
            product[lane] = tables[first[clique] + cell] * coming[lane]
        for k in range(inputs[clique], inputs[clique + 1]):
            coming = up[rows[k] + maps[k, cell]]
            for lane in range(LANES):
                product[lane] *= coming[lane]
        mass = np.float32(0)
        for lane in range(LANES):
            mass += product[lane]
        expected[first[clique] + cell] += mass
        for k in range(inputs[clique], inputs[clique + 1]):
            if heights[k]:
                sent = down[rows[k] + maps[k, cell]]
                for lane in range(LANES):
                    sent[lane] += product[lane]
