"""Publication: from reports to synthetic rows.

As many attributes, values and owners as Adult has, made along a tree: from reports to synthetic
rows, the papers' EM on tables of two and three attributes beside it, and ten million rows. Then a
million such owners, in a folder.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from benchmarks.cells import MILLION, NOISE, VALUES
from benchmarks.claim import Claim, Section, tell
from benchmarks.measure import peak_mb, timed
from discretion import Plan, ReportFolder, ReportTable, simulate
from discretion.joints import joint
from discretion.kernel.cache import warm
from discretion.synthesis import dependence, publish
from discretion.synthesis.rows import batches, write

SIZES = (8, 9, 8, 16, 16, 7, 15, 6, 5, 2, 6, 4, 8, 8, 2)  # of Adult, numbers in bins
OWNERS, ROWS, MANY = 48_842, 45_222, 10 * MILLION
KEPT = 0.6  # of the values that follow those of an attribute before
MOST_SECONDS, MOST_MB, MOST_ROW_SECONDS = 60.0, 2000.0, 20.0
MOST_OF_A_MILLION = 300.0, 4000.0  # seconds, and MB


def crowd(owners: int) -> ReportTable:
    """Return reports about attributes that depend on each other along a tree."""
    rng = np.random.default_rng(VALUES)
    codes = [rng.choice(SIZES[0], owners, p=rng.dirichlet(np.ones(SIZES[0])))]
    for place, size in enumerate(SIZES[1:], 1):
        before = int(rng.integers(0, place))
        follows = rng.integers(0, size, SIZES[before])[codes[before]]
        own = rng.choice(size, owners, p=rng.dirichlet(np.ones(size)))
        codes.append(np.where(rng.random(owners) < KEPT, follows, own))
    return simulate(_plan(), _records(codes), budgets="dirichlet", seed=NOISE)


def _plan() -> Plan:
    attributes = [
        {"name": f"a{i}", "kind": "categorical", "values": [str(v) for v in range(size)]}
        for i, size in enumerate(SIZES)
    ]
    budget = {"average": 2, "least": 0.25, "most": 10, "step": 0.25}
    return Plan.of({"name": "publication", "attributes": attributes, "budget": budget})


def _records(codes: Sequence[np.ndarray]) -> pa.Table:
    labels = pa.array([str(value) for value in range(max(SIZES))])
    return pa.table({f"a{i}": labels.take(pa.array(own)) for i, own in enumerate(codes)})


def measured(reports: ReportTable) -> Iterator[Claim]:
    """Yield what publishing takes, and what the papers' EM takes for single tables."""
    testing, _ = timed(lambda: dependence(reports))
    publishing, found = timed(lambda: publish(reports, ROWS, seed=NOISE))
    drawing, _ = timed(lambda: found.rows)
    cells = sum(clique.table.size for clique in found.model.cliques)
    what = f"from reports to {ROWS:,} rows ({cells:,} cells)"
    yield Claim.up_to(MOST_SECONDS, what, publishing + drawing)
    yield Claim.up_to(MOST_MB, "peak memory", peak_mb(), "MB")
    yield Claim(f"testing all {len(found.dependence.pairs)} pairs alone", testing)
    for names in (["a0", "a1"], ["a0", "a1", "a2"]):
        seconds, _ = timed(partial(joint, reports, names, "em-lopub"))
        yield Claim(f"`em-lopub` as published, one table of {len(names)} attributes", seconds)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        writing, _ = timed(lambda: write(batches(found.model, MANY, NOISE), path))
    yield Claim.up_to(MOST_ROW_SECONDS, f"{MANY:,} rows to a Parquet file", writing)


def a_million() -> Iterator[Claim]:
    """Yield what a folder of a million reports takes, in a process of its own."""
    with TemporaryDirectory() as place, _process() as process:
        process.submit(_write, place).result()
        with _process() as fresh:
            seconds, peak = fresh.submit(_published, place).result()
    most_seconds, most_mb = MOST_OF_A_MILLION
    yield Claim.up_to(most_seconds, f"from a folder of {MILLION:,} reports to rows", seconds)
    yield Claim.up_to(most_mb, f"peak memory, {MILLION:,} reports", peak, "MB")


def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"))


def _write(place: str) -> None:
    ReportFolder.write(place, [crowd(MILLION)])


def _published(place: str) -> tuple[float, float]:
    warm()
    seconds, _ = timed(lambda: publish(ReportFolder.open(place), ROWS, seed=NOISE).rows)
    return seconds, peak_mb()


def section() -> Section:
    """Measure a crowd like Adult's."""
    warm()
    about = (
        f"{OWNERS:,} owners, {len(SIZES)} attributes with as many values as Adult's, made along a"
        " tree, subset selection, Dirichlet budgets of 2 an attribute on average."
    )
    return Section("Publication", about, [*measured(crowd(OWNERS)), *a_million()])


if __name__ == "__main__":
    tell(section())
