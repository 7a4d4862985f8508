"""Ours: every owner has a budget of her own, one of 24 levels from 0.25 to 6.

Kernels are compiled, or read from their cache, on a small crowd before anything is timed.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa

from benchmarks.cells import BUDGETS, MENU, NOISE, Cell
from benchmarks.measure import Measured, Seconds, Vector, repeated, serve, timed, zipf
from discretion import Aggregate, DependenceWarning, Plan, ReportTable, frequencies, simulate
from discretion.crowd.shapes import draw
from discretion.table.columns import rank
from discretion.table.support import count_supports

NAME = "x"
FEW, FEW_CODES = 500, 8  # the small crowd: kernels are compiled for types, not for sizes


class Crowd:
    """The owners of a cell: what each would answer and how private, and the plan that asks them."""

    def __init__(self, cell: Cell) -> None:
        labels = [str(code) for code in range(cell.size)]
        question = {"name": NAME, "kind": "categorical", "values": labels}
        author = {
            "name": f"{cell.mechanism} {cell.size}",
            "attributes": [{**question, "mechanism": cell.mechanism}],
            "budget": {"levels": [level / 1000 for level in MENU]},
        }
        self.plan = Plan.of(author)
        self.laws = [self.plan.law(NAME, level) for level in MENU]
        self.codes = zipf(cell)
        self.which = np.random.default_rng(BUDGETS).integers(0, len(MENU), cell.owners)
        self.records = pa.table({NAME: pa.array(labels).take(pa.array(self.codes))})

    def draw(self) -> None:
        """Perturb, and nothing else."""
        draw(self.laws, self.which, self.codes, np.random.default_rng(NOISE))

    def simulate(self) -> ReportTable:
        """Go from records to a table of reports, budgets drawn on the way."""
        return simulate(self.plan, self.records, budgets="levels", seed=NOISE)


def compare(crowd: Crowd) -> tuple[Seconds, Vector]:
    """Perturb; simulate; then count by level and code, and estimate with standard errors."""
    client, _ = timed(crowd.draw)
    simulating, reports = timed(crowd.simulate)
    ((levels, y),) = reports.answers(NAME)
    used, which = rank(levels)
    counting, _ = timed(lambda: count_supports(crowd.laws[0], y, which, len(used)))
    serving, value = timed(lambda: estimate(Aggregate.of(reports), "weighted"))
    seconds = {"client": client, "simulate": simulating, "count": counting, "server": serving}
    return seconds, value


def scale(crowd: Crowd) -> tuple[Seconds, Vector]:
    """Simulate, count, and maximise the likelihood."""
    simulating, reports = timed(crowd.simulate)
    counting, _ = timed(lambda: Aggregate.of(reports))
    maximising, value = timed(lambda: estimate(reports, "mle"))
    return {"simulate": simulating, "count": counting, "mle": maximising}, value


def simulate_alone(crowd: Crowd) -> tuple[Seconds, None]:
    """Simulate, so that the peak is that of a simulation."""
    return {"simulate": timed(crowd.simulate)[0]}, None


def mle_alone(crowd: Crowd) -> tuple[Seconds, Vector]:
    """Maximise the likelihood; the peak is that of the simulation or of this, if larger."""
    reports = crowd.simulate()
    seconds, value = timed(lambda: estimate(reports, "mle"))
    return {"mle": seconds}, value


def estimate(data: ReportTable | Aggregate, method: str) -> Vector:
    """Return the frequencies; their test for dependence rings once in a thousand by design."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)
        return frequencies(data, NAME, method).value


TASKS: Mapping[str, Callable[[Crowd], tuple[Seconds, Vector | None]]] = {
    "compare": compare,
    "owners": scale,
    "codes": scale,
    "simulate": simulate_alone,
    "mle": mle_alone,
}


def measure(cell: Cell) -> Measured:
    """Warm the kernels up and measure the task of a cell."""
    task = TASKS[cell.task]
    task(Crowd(replace(cell, size=FEW_CODES, owners=FEW)))
    crowd = Crowd(cell)
    return repeated(partial(task, crowd), crowd.codes, cell.size)


if __name__ == "__main__":
    serve(measure)
