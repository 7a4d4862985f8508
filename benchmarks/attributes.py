"""More attributes: how the time to simulate, to count and to estimate grows with them."""

import numpy as np
import pyarrow as pa

from benchmarks.cells import NOISE, VALUES
from benchmarks.claim import Curve, Section, tell
from benchmarks.measure import medians
from discretion import Aggregate, Plan, ReportTable, frequencies, simulate
from discretion.kernel.cache import warm

OWNERS, SIZE = 100_000, 16
MANY = (1, 2, 4, 8, 16, 32)
TURNS = 3
SLOPES = (0.9, 1.1)


def plan(many: int) -> Plan:
    """Ask so many questions with 16 labels, for any of four levels each."""
    labels = [str(value) for value in range(SIZE)]
    questions = [{"name": f"a{i}", "kind": "categorical", "values": labels} for i in range(many)]
    budget = {"levels": [0.5, 1, 2, 4]}
    return Plan.of({"name": "attributes", "attributes": questions, "budget": budget})


def seconds(many: int) -> tuple[float, float, float]:
    """Return the processor's seconds to simulate, to count, and to estimate all frequencies."""
    rng, labels = np.random.default_rng(VALUES), pa.array([str(value) for value in range(SIZE)])
    codes = rng.integers(0, SIZE, (many, OWNERS))
    records = pa.table({f"a{i}": labels.take(pa.array(own)) for i, own in enumerate(codes)})

    def simulated() -> ReportTable:
        return simulate(plan(many), records, budgets="levels", seed=NOISE)

    reports = simulated()

    def estimated() -> None:
        for name in reports.plan.names:
            frequencies(reports, name, "mle")

    drawn, counted, found = medians(
        simulated, lambda: Aggregate.of(reports), estimated, turns=TURNS
    )
    return drawn, counted, found


def section() -> Section:
    """Measure all numbers of attributes."""
    warm()
    taken = zip(*(seconds(many) for many in MANY), strict=True)
    curves = [
        Curve(step, "attributes", [*zip(MANY, own, strict=True)], SLOPES)
        for step, own in zip(("simulate", "count", "`mle` of each"), taken, strict=True)
    ]
    about = (
        f"{OWNERS:,} owners who share all attributes of {SIZE} labels each, subset selection, four"
        f" levels; medians of {TURNS} turns, in seconds of the processor."
    )
    return Section("Attributes", about, [], curves)


if __name__ == "__main__":
    tell(section())
