"""Plain NumPy: what a good engineer writes in an afternoon, in blocks that fit the cache.

Personal budgets come as arrays p and q with an entry for each owner. The estimate pools them
without weights; with one budget for all it is the textbook one. The floats are not exact, and
there are no standard errors.

p, q    how often the true code, and any other code, is in the support of a report
counts  how many codes a subset has
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks import hashing
from benchmarks.cells import EPSILON, NOISE, Cell
from benchmarks.measure import Codes, Measured, Seconds, Vector, repeated, serve, timed, zipf

BLOCK = 1 << 18  # cells at a time: a megabyte of single-precision numbers

Bits = npt.NDArray[np.bool_]
Reports = npt.NDArray[Any]  # codes (n,) for GRR, else packed supports (n, bytes)


@dataclass(frozen=True, slots=True)
class Laws:
    """The law of each owner's report."""

    mechanism: str
    size: int
    p: Vector  # (n,)
    q: Vector  # (n,)
    counts: Codes  # (n,)

    @classmethod
    def of(cls, mechanism: str, size: int, epsilon: Vector) -> "Laws":
        odds = np.exp(epsilon)
        counts = np.maximum(1, np.rint(size / (odds + 1))).astype(np.int64)
        match mechanism:
            case "grr":
                p = odds / (odds + size - 1)
                q = (1 - p) / (size - 1)
            case "oue":
                p, q = np.full(len(odds), 0.5), 1 / (odds + 1)
            case "sue":
                q = 1 / (np.sqrt(odds) + 1)
                p = 1 - q
            case "subset":
                p = counts * odds / (counts * odds + size - counts)
                q = (p * (counts - 1) + (1 - p) * counts) / (size - 1)
            case other:
                raise ValueError(f"mechanism must be grr, oue, sue or subset, got {other}")
        return cls(mechanism, size, p, q, counts)

    def __getitem__(self, rows: slice) -> "Laws":
        return Laws(self.mechanism, self.size, self.p[rows], self.q[rows], self.counts[rows])


def perturb(laws: Laws, codes: Codes, rng: np.random.Generator) -> Reports:
    """Return a report about each code, from the owner's own law."""
    if laws.mechanism == "grr":
        return _choose(laws, codes, rng)
    draw = _subset if laws.mechanism == "subset" else _unary
    packed = np.empty((len(codes), -(-laws.size // 8)), np.uint8)
    rows = max(1, BLOCK // laws.size)
    for start in range(0, len(codes), rows):
        block = slice(start, start + rows)
        packed[block] = np.packbits(draw(laws[block], codes[block], rng), axis=1)
    return packed


def count(laws: Laws, reports: Reports) -> Codes:
    """Return how many reports speak for each code."""
    if laws.mechanism == "grr":
        return np.bincount(reports, minlength=laws.size)
    total = np.zeros(laws.size, np.int64)
    rows = max(1, BLOCK // laws.size)
    for start in range(0, len(reports), rows):
        bits = np.unpackbits(reports[start : start + rows], axis=1, count=laws.size)
        total += bits.sum(axis=0, dtype=np.int32)
    return total


def estimate(laws: Laws, counts: Codes) -> Vector:
    """Return the frequencies, given that budgets do not depend on values."""
    return (counts - laws.q.sum()) / (laws.p - laws.q).sum()


def _choose(laws: Laws, codes: Codes, rng: np.random.Generator) -> Codes:
    keep = rng.random(len(codes)) < laws.p
    other = rng.integers(0, laws.size - 1, len(codes))
    other += other >= codes
    return np.where(keep, codes, other)


def _unary(laws: Laws, codes: Codes, rng: np.random.Generator) -> Bits:
    q = laws.q.astype(np.float32)
    bits: Bits = rng.random((len(codes), laws.size), dtype=np.float32) < q[:, None]
    bits[np.arange(len(codes)), codes] = rng.random(len(codes)) < laws.p
    return bits


def _subset(laws: Laws, codes: Codes, rng: np.random.Generator) -> Bits:
    """Take the codes with the smallest random keys, the true one's set first or last."""
    keys = rng.random((len(codes), laws.size), dtype=np.float32)
    held = rng.random(len(codes)) < laws.p
    keys[np.arange(len(codes)), codes] = np.where(held, -1, 2)
    bits = np.zeros(keys.shape, np.bool_)
    for size in np.unique(laws.counts):
        rows = np.flatnonzero(laws.counts == size)
        chosen = np.argpartition(keys[rows], size - 1, axis=1)[:, :size]
        bits[rows[:, None], chosen] = True
    return bits


def measure(cell: Cell) -> Measured:
    """Perturb, count and estimate, with an array of budgets that happen to be equal."""
    if cell.mechanism in hashing.ORACLES:
        return hashing.measure(cell)
    codes = zipf(cell)
    laws = Laws.of(cell.mechanism, cell.size, np.full(cell.owners, EPSILON))
    rng = np.random.default_rng(NOISE)

    def once() -> tuple[Seconds, Vector]:
        client, reports = timed(lambda: perturb(laws, codes, rng))
        counting, counts = timed(lambda: count(laws, reports))
        estimating, value = timed(lambda: estimate(laws, counts))
        return {"client": client, "count": counting, "server": counting + estimating}, value

    perturb(laws[:8], codes[:8], rng)
    return repeated(once, codes, cell.size)


if __name__ == "__main__":
    serve(measure)
