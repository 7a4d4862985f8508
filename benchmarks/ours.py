"""Ours: every owner has a budget of her own, one of 24 levels from 0.25 to 6.

Kernels are compiled, or read from their cache, on a small crowd before anything is timed.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa

from benchmarks.cells import BUDGETS, MENU, NOISE, TIMES, Cell
from benchmarks.measure import (
    Measured,
    Seconds,
    Vector,
    best_of,
    repeated,
    serve,
    timed,
    zipf,
)
from discretion import (
    Aggregate,
    DependenceWarning,
    FrequencyEstimate,
    Plan,
    ReportTable,
    frequencies,
    simulate,
)
from discretion.crowd.shapes import draw
from discretion.randomness import system

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
        self.laws = [self.plan.questions[NAME].law(level) for level in MENU]
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
    counting, _ = timed(lambda: Aggregate.of(reports))
    serving, found = timed(lambda: with_errors(estimate(Aggregate.of(reports), "weighted")))
    seconds = {"client": client, "simulate": simulating, "count": counting, "server": serving}
    return seconds, found.value


def scale(crowd: Crowd) -> tuple[Seconds, Vector]:
    """Simulate, count, maximise the likelihood, and work out the standard errors of that."""
    simulating, reports = timed(crowd.simulate)
    counting, _ = timed(lambda: Aggregate.of(reports))
    maximising, found = timed(lambda: estimate(reports, "mle"))
    erring, _ = timed(lambda: with_errors(found))
    steps = {"simulate": simulating, "count": counting, "mle": maximising, "mle errors": erring}
    return steps, found.value


def simulate_alone(crowd: Crowd) -> tuple[Seconds, None]:
    """Simulate, so that the peak is that of a simulation."""
    return {"simulate": timed(crowd.simulate)[0]}, None


def mle_alone(crowd: Crowd) -> tuple[Seconds, Vector]:
    """Estimate with standard errors; the peak is the simulation's or that of this, if larger."""
    reports = crowd.simulate()
    seconds, found = timed(lambda: with_errors(estimate(reports, "mle")))
    return {"mle": seconds}, found.value


def estimate(data: ReportTable | Aggregate, method: str) -> FrequencyEstimate:
    """Return an estimate; its test for dependence rings once in a thousand by design."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)
        return frequencies(data, NAME, method)


def with_errors(found: FrequencyEstimate) -> FrequencyEstimate:
    """Return the estimate after its intervals: errors are worked out when they are asked for."""
    found.interval()
    return found


def decode(crowd: Crowd) -> tuple[Seconds, None]:
    """Count, from the table of reports to the aggregate."""
    reports = crowd.simulate()
    return {"count": best_of(TIMES, lambda: Aggregate.of(reports))}, None


def device(crowd: Crowd) -> tuple[Seconds, None]:
    """Perturb as devices do: exactly, from the system's generator, one owner after the other."""
    laws, source = [crowd.laws[which] for which in crowd.which], system()
    pairs = list(zip(laws, crowd.codes.tolist(), strict=True))
    return {"client": timed(lambda: [law.perturb(code, source) for law, code in pairs])[0]}, None


TASKS: Mapping[str, Callable[[Crowd], tuple[Seconds, Vector | None]]] = {
    "compare": compare,
    "owners": scale,
    "codes": scale,
    "simulate": simulate_alone,
    "mle": mle_alone,
    "decode": decode,
    "device": device,
}


def measure(cell: Cell) -> Measured:
    """Warm the kernels up and measure the task of a cell."""
    task = TASKS[cell.task]
    task(Crowd(replace(cell, size=FEW_CODES, owners=FEW)))
    crowd = Crowd(cell)
    return repeated(partial(task, crowd), crowd.codes, cell.size)


if __name__ == "__main__":
    serve(measure)
