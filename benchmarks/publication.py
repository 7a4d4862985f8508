"""Publication: ``python -m benchmarks.publication`` writes a section of docs/results.md.

As many attributes, values and owners as Adult has, made along a tree: from reports to synthetic
rows, the papers' EM on tables of two and three attributes beside it, and ten million rows.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from benchmarks.bars import judged
from benchmarks.cells import MILLION, NOISE, VALUES
from benchmarks.measure import peak_mb, timed
from discretion import Plan, ReportTable, simulate
from discretion.joints import joint
from discretion.kernel.cache import warm
from discretion.publication import dependence, publish
from discretion.publication.rows import batches, write
from experiments.page import write_section

SIZES = (8, 9, 8, 16, 16, 7, 15, 6, 5, 2, 6, 4, 8, 8, 2)  # of Adult, numbers in bins
OWNERS, ROWS, MANY = 48_842, 45_222, 10 * MILLION
KEPT = 0.6  # of the values that follow those of an attribute before
MOST_SECONDS, MOST_MB, MOST_ROW_SECONDS = 60.0, 2000.0, 20.0


def crowd() -> ReportTable:
    """Return reports about attributes that depend on each other along a tree."""
    rng = np.random.default_rng(VALUES)
    codes = [rng.choice(SIZES[0], OWNERS, p=rng.dirichlet(np.ones(SIZES[0])))]
    for place, size in enumerate(SIZES[1:], 1):
        before = int(rng.integers(0, place))
        follows = rng.integers(0, size, SIZES[before])[codes[before]]
        own = rng.choice(size, OWNERS, p=rng.dirichlet(np.ones(size)))
        codes.append(np.where(rng.random(OWNERS) < KEPT, follows, own))
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


def measured(reports: ReportTable) -> list[str]:
    """Return the rows of the table."""
    testing, _ = timed(lambda: dependence(reports))
    publishing, found = timed(lambda: publish(reports, ROWS, seed=NOISE))
    drawing, _ = timed(lambda: found.rows)
    memory = peak_mb()
    pairs, _ = timed(lambda: joint(reports, ["a0", "a1"], "em-lopub"))
    triples, _ = timed(lambda: joint(reports, ["a0", "a1", "a2"], "em-lopub"))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        writing, _ = timed(lambda: write(batches(found.model, MANY, NOISE), path))
    whole, cells = publishing + drawing, sum(c.table.size for c in found.model.cliques)
    seconds, most = judged(f"≤ {MOST_SECONDS:g}", whole <= MOST_SECONDS), f"≤ {MOST_MB:g}"
    fast = judged(f"≤ {MOST_ROW_SECONDS:g}", writing <= MOST_ROW_SECONDS)
    return [
        f"| from reports to {ROWS:,} rows ({cells:,} cells) | {whole:.1f} s | {seconds} |",
        f"| testing all {len(found.dependence.pairs)} pairs alone | {testing:.1f} s | |",
        f"| peak memory | {memory:,.0f} MB | {judged(most, memory <= MOST_MB)} |",
        f"| `em-lopub` as published, one table of two attributes | {pairs:.1f} s | |",
        f"| `em-lopub` as published, one table of three | {triples:.1f} s | |",
        f"| {MANY:,} rows to a Parquet file | {writing:.1f} s | {fast} |",
    ]


def main() -> None:
    """Measure and write the section."""
    warm()
    rows = measured(crowd())
    table = "\n".join(["| | measured | bar |", "|---|---|---|", *rows])
    text = (
        f"Made by `python -m benchmarks.publication`: {OWNERS:,} owners, {len(SIZES)} attributes"
        " with as many values as Adult's, made along a tree, subset selection, Dirichlet budgets of"
        " 2 an attribute on average."
    )
    write_section("Publication: speed", f"{text}\n\n{table}")
    sys.stdout.write(table + "\n")


if __name__ == "__main__":
    main()
