"""Kernels beside what no program goes below: random words, memory copies, bare matrix products.

Simulation is held against filling as many words from its own generator as its exact method needs,
counting against a copy of the columns it reads, and an evaluation of a likelihood against its
matrix products in single precision, done by BLAS. All take turns, on one thread, then on two.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.bare import insert
from benchmarks.cells import MILLION, NOISE, OURS, Cell
from benchmarks.claim import Claim, Section, tell
from benchmarks.collector import AUTHOR, reports
from benchmarks.joint import crowd
from benchmarks.measure import medians
from benchmarks.ours import NAME, Crowd
from discretion import Aggregate, Plan
from discretion.collector.outcome import Incoming
from discretion.collector.store import open_store
from discretion.family.sets.likelihood import ReportLikelihood, Supports
from discretion.joints.build import likelihood_of
from discretion.joints.likelihood import JointLikelihood
from discretion.joints.shards import evidence_of
from discretion.kernel.cache import warm
from discretion.kernel.draw import fresh_state
from discretion.kernel.words import fill
from discretion.table.reader import reader_of

FILL, ALL_WORDS = "random fill", "fill of all words"
COPY, PRODUCTS, INSERT = "memory copy", "bare products", "bare insert"
LEAST = {FILL: 0.3, ALL_WORDS: 0.3, COPY: 0.3, PRODUCTS: 0.5}  # the bars: of a limit's speed
TOGETHER = 1000  # reports to a commit
LANES = 64
WORDS = sum(1 - (1 - 2.0**-j) ** LANES for j in range(LANES))  # until all coins are decided
BLOCK = 1 << 16  # words, or rows, at a time: in the cache

Call = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Line:
    """One comparison that has been made ready."""

    what: str
    ours: Call
    limit: str
    theirs: Call

    def claim(self, threads: int = 1) -> Claim:
        """Measure both in turns, on so many threads that do the same."""
        ours, theirs = medians(*(together(call, threads) for call in (self.ours, self.theirs)))
        what = self.what if threads == 1 else f"{self.what}, {threads} threads"
        return Claim(what, ours / threads, self.limit, theirs / threads, LEAST.get(self.limit))


def together(call: Call, threads: int) -> Call:
    """Return a call that does the same on several threads at once."""
    if threads == 1:
        return call

    def every() -> None:
        with ThreadPoolExecutor(threads) as pool:
            for done in [pool.submit(call) for _ in range(threads)]:
                done.result()

    return every


def drawing(size: int, owners: int) -> Line:
    """Perturb by OUE, and nothing else."""
    asked = _asked(size, owners)
    return Line(f"perturb, OUE, {_sized(size, owners)}", asked.draw, FILL, filling(asked))


def simulating(size: int, owners: int) -> Line:
    """Go from records to a table of OUE reports with random levels and ids."""
    asked, more = _asked(size, owners), 3  # words: an id of two, and a level
    return Line(
        f"simulate, OUE, {_sized(size, owners)}", asked.simulate, ALL_WORDS, filling(asked, more)
    )


def filling(asked: Crowd, more: int = 0) -> Call:
    """Fill as many random words as OUE needs: a few for each 64 coins, one for the true bit."""
    owners, groups = len(asked.codes), -(-asked.laws[0].size // LANES)
    needed = round(owners * (groups * WORDS + 1 + more))
    block, state = np.empty(BLOCK, np.uint64), fresh_state(np.random.default_rng(NOISE))

    def every() -> None:
        for start in range(0, needed, BLOCK):
            fill(block[: needed - start], state)

    return every


def counting(size: int, owners: int) -> Line:
    """Count OUE reports by level and code."""
    reports = _asked(size, owners).simulate()
    ((levels, y),) = reports.answers(NAME)
    what = f"count, OUE, {_sized(size, owners)}"
    return Line(what, lambda: Aggregate.of(reports), COPY, copying(levels, y))


def copying(*columns: npt.NDArray[Any]) -> Call:
    """Copy columns to where memory is at hand already."""
    copies = [np.empty_like(column) for column in columns]

    def every() -> None:
        for copy, column in zip(copies, columns, strict=True):
            np.copyto(copy, column)

    return every


def evaluating(size: int, owners: int, mechanism: str) -> Line:
    """Evaluate the likelihood of a pair table and its slope once."""
    reports = crowd((size, size), owners, mechanism)
    own = likelihood_of(evidence_of(reports, ("a", "b")))
    assert isinstance(own, JointLikelihood)
    f = np.full(size**2, 1 / size**2)
    what = f"evaluate a pair table, {mechanism}, {_sized(size, owners)}"
    return Line(what, lambda: own.slope(f), PRODUCTS, lambda: products(own, f))


def products(own: JointLikelihood, f: npt.NDArray[np.float64]) -> None:
    """Do the matrix products of an evaluation in single precision, and nothing else."""
    table = f.reshape(own.shape).astype(np.float32)
    total = np.zeros(own.shape)
    for terms in own.groups[0].blocks():
        for a, b in terms:
            _ = a @ table
            total += a.T @ b


def fitting(size: int, owners: int) -> Line:
    """Evaluate the likelihood of frequencies, its slope and its curvature once."""
    asked = _asked(size, owners)
    ratios = np.array([float(law.ratio) for law in asked.laws])
    own = ReportLikelihood(Supports.by_level(asked.simulate(), NAME), ratios)
    bits = np.unpackbits(own.supports.packed, axis=1, count=size, bitorder="little")
    dense = bits.astype(np.float32)
    f = np.full(size, 1 / size)

    def bare() -> None:
        weights, total = np.ones((2, BLOCK), np.float32), np.zeros((2, size))
        for start in range(0, len(dense), BLOCK):
            rows = dense[start : start + BLOCK]
            _ = rows @ f.astype(np.float32)
            total += weights[:, : len(rows)] @ rows

    what = f"evaluate frequencies, OUE, {_sized(size, owners)}"
    return Line(what, lambda: own.at(f), PRODUCTS, bare)


def keeping(owners: int) -> Line:
    """Keep reports in SQLite, each once, in batches; the processor's part of that."""
    plan = Plan.of(AUTHOR)
    bodies = reports(plan, owners, NOISE)
    ids = reader_of(plan).read(bodies).ids()
    rows = [Incoming(0, id, body) for id, body in zip(ids, bodies, strict=True)]
    batches = [rows[at : at + TOGETHER] for at in range(0, owners, TOGETHER)]

    def ours() -> None:
        with TemporaryDirectory() as folder:
            store = open_store(f"sqlite:///{folder}/ours.db", plan)
            for batch in batches:
                store.put(batch)
            store.close()

    def theirs() -> None:
        with TemporaryDirectory() as folder:
            insert(Path(folder, "bare.db"), batches)

    return Line(f"keep in SQLite, {owners:,} reports", ours, INSERT, theirs)


def _asked(size: int, owners: int) -> Crowd:
    return Crowd(Cell(OURS, "compare", "oue", size, owners))


def _sized(size: int, owners: int) -> str:
    return f"{size} values, {owners:,} owners"


QUICK: Sequence[Callable[[], Line]] = (  # small enough for a processor's own cache
    partial(drawing, 1024, 60_000),
    partial(simulating, 128, 300_000),
    partial(counting, 128, 100_000),
    partial(counting, 1024, 20_000),
    partial(evaluating, 16, 100_000, "oue"),
    partial(evaluating, 10, 300_000, "subset"),
    partial(fitting, 128, 3_000),
    partial(keeping, 10_000),
)
LARGE = (128, MILLION), (1024, MILLION // 4)
COUNTED = *LARGE, (128, 10 * MILLION), (1024, MILLION)  # in a cache, and in memory
PAIRS = (10, MILLION, "oue"), (30, MILLION, "oue"), (10, MILLION, "subset"), (30, 100_000, "subset")
FULL: Sequence[Callable[[], Line]] = (
    *(partial(drawing, *sizes) for sizes in LARGE),
    *(partial(simulating, *sizes) for sizes in LARGE),
    *(partial(counting, *sizes) for sizes in COUNTED),
    *(partial(evaluating, *case) for case in PAIRS),
    *(partial(fitting, *sizes) for sizes in ((128, MILLION // 4), (1024, MILLION // 20))),
    partial(keeping, 30_000),
)
THREADED: Sequence[Callable[[], Line]] = (
    *(partial(counting, *sizes) for sizes in COUNTED),
    partial(evaluating, *PAIRS[0]),
    partial(fitting, 128, MILLION // 4),
)


def measured(lines: Sequence[Callable[[], Line]], threads: int = 1) -> Iterator[Claim]:
    """Yield the claims; what one has in memory is gone before the next."""
    for line in lines:
        yield line().claim(threads)


def section() -> Section:
    """Measure all lines on one thread, then those that run in threads on two."""
    warm()
    about = (
        "What no program goes below. A random fill draws as many words from the same generator as"
        " the exact method needs, or as a whole simulation does, with its ids and levels; but"
        " looking up labels, which takes as long as such a fill, needs none. A memory copy copies"
        " the columns that are read: 20 to 33 MB, which a large cache holds, so that a copy is"
        " twice as fast, and 128 to 200 MB. Bare products are the matrix products of an"
        " evaluation in single precision by BLAS, of the different reports where these are fewer."
        " Medians of five turns, in seconds of the processor, of one thread where two do the same"
        " at once."
    )
    return Section("Physical limits", about, [*measured(FULL), *measured(THREADED, threads=2)])


if __name__ == "__main__":
    tell(section())
