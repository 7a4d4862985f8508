"""Plain NumPy: local hashing and Hadamard response, in blocks, with one budget for everybody.

A function is a seed of a 64-bit mixer. Hadamard reports are counted by ``bincount`` and a fast
transform, once over all owners together and once by level, as ours are.
"""

import numpy as np
import numpy.typing as npt

from benchmarks.cells import BUDGETS, EPSILON, MENU, NOISE, TIMES, Cell
from benchmarks.measure import Codes, Measured, Seconds, Vector, best_of, repeated, timed, zipf

BLOCK = 1 << 18  # cells at a time
KEPT = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB

Words = npt.NDArray[np.uint64]


def mixed(seeds: Words, codes: Words, cells: int) -> Words:
    """Return the cell of each code by each seed (Steele, Lea and Flood 2014)."""
    first, second, third = (np.uint64(factor) for factor in KEPT)
    x = seeds + (codes + np.uint64(1)) * first
    x = (x ^ (x >> np.uint64(30))) * second
    x = (x ^ (x >> np.uint64(27))) * third
    return (x >> np.uint64(33)) % np.uint64(cells)


def tell(cells: Words, many: int, rng: np.random.Generator) -> Words:
    """Return each cell, or another one."""
    keep = rng.random(len(cells)) < np.exp(EPSILON) / (np.exp(EPSILON) + many - 1)
    other = rng.integers(0, many - 1, len(cells)).astype(np.uint64)
    other += other >= cells
    return np.where(keep, cells, other)


def olh(codes: Codes, size: int, rng: np.random.Generator) -> tuple[Seconds, Vector]:
    """Perturb, count value by value, and estimate."""
    many = round(np.exp(EPSILON)) + 1

    def perturb() -> tuple[Words, Words]:
        seeds = rng.integers(0, 2**63, len(codes), dtype=np.uint64)
        return seeds, tell(mixed(seeds, codes.astype(np.uint64), many), many, rng)

    def count(seeds: Words, told: Words) -> Codes:
        total, every = np.zeros(size, np.int64), np.arange(size, dtype=np.uint64)
        rows = max(1, BLOCK // size)
        for start in range(0, len(seeds), rows):
            block = slice(start, start + rows)
            total += (mixed(seeds[block, None], every, many) == told[block, None]).sum(axis=0)
        return total

    client, reports = timed(perturb)
    counting, counts = timed(lambda: count(*reports))
    p, q = np.exp(EPSILON) / (np.exp(EPSILON) + many - 1), 1 / many
    return {"client": client, "count": counting}, (counts / len(codes) - q) / (p - q)


def hrr(codes: Codes, size: int, rng: np.random.Generator) -> tuple[Seconds, Vector]:
    """Perturb, count by coefficient, and transform; sizes are powers of two."""
    which = np.random.default_rng(BUDGETS).integers(0, len(MENU), len(codes))

    def perturb() -> Codes:
        functions = rng.integers(0, size, len(codes))
        odd = np.bitwise_count(functions & codes) & 1
        lies = rng.random(len(codes)) >= np.exp(EPSILON) / (np.exp(EPSILON) + 1)
        return 2 * functions + (odd ^ lies)

    def pooled(reports: Codes) -> Codes:
        told = np.bincount(reports, minlength=2 * size).reshape(1, size, 2)
        return transformed(told[..., 0] - told[..., 1])

    def by_level(reports: Codes) -> Codes:
        told = np.bincount(which * (2 * size) + reports, minlength=len(MENU) * 2 * size)
        pairs = told.reshape(len(MENU), size, 2)
        return transformed(pairs[..., 0] - pairs[..., 1])

    client, reports = timed(perturb)
    seconds = {
        "client": client,
        "count": best_of(TIMES, lambda: by_level(reports)),
        "pooled": best_of(TIMES, lambda: pooled(reports)),
    }
    gap = (np.exp(EPSILON) - 1) / (np.exp(EPSILON) + 1)
    return seconds, pooled(reports)[0] / len(codes) / gap


def transformed(values: Codes) -> Codes:
    """Return the Walsh-Hadamard transform of each row."""
    shape, half = values.shape, values.shape[-1] // 2
    while half:
        pairs = values.reshape(-1, 2, half)
        values = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1)
        half //= 2
    return values.reshape(shape)


ORACLES = {"olh": olh, "hrr": hrr}


def measure(cell: Cell) -> Measured:
    """Perturb, count and estimate."""
    codes, rng = zipf(cell), np.random.default_rng(NOISE)
    oracle = ORACLES[cell.mechanism]
    oracle(codes[:8], cell.size, rng)
    return repeated(lambda: oracle(codes, cell.size, rng), codes, cell.size)
