"""How one cell is measured: the seconds of its steps, the peak of its process, and its answer.

Runs in both environments, so it imports nothing but NumPy.
"""

import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from benchmarks.cells import VALUES, ZIPF, Cell

MOST_REPEATS = 5
ENOUGH = 1.0  # seconds: who has spent this much is not repeated in the same process
MOMENT = 0.1  # seconds over which others' noise evens out
MEGABYTE = 10**6

Codes = npt.NDArray[np.int64]
Vector = npt.NDArray[np.float64]
Seconds = dict[str, float]  # by step
Once = Callable[[], tuple[Seconds, Vector | None]]  # all steps once, and the estimate
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Measured:
    """What the process of a cell answers."""

    seconds: Seconds  # the best of the repeats, by step
    base_mb: float  # peak before the first step: interpreter, libraries, input
    peak_mb: float
    rmse: float | None  # of the estimate, about the frequencies of these very owners


def timed(call: Callable[[], Value]) -> tuple[float, Value]:
    """Return the seconds that a call takes on the clock, and its result."""
    start = time.perf_counter()
    value = call()
    return time.perf_counter() - start, value


def best_of(times: int, call: Callable[[], object]) -> float:
    """Return the seconds of the fastest of many calls: for milliseconds that others take away."""
    return min(timed(call)[0] for _ in range(times))


def medians(*calls: Callable[[], object], turns: int = 5, moment: float = MOMENT) -> list[float]:
    """Return the median processor seconds of each call, on all threads of this process.

    They take turns, so that a noisy machine is noisy to all of them, and warm up once before. In
    its turn a call is done until a moment is filled. Seconds are those of the processor, since
    others may work on the machine too.
    """
    for call in calls:
        call()
    spent = [[_processor_seconds(call, moment) for call in calls] for _ in range(turns)]
    return [statistics.median(own) for own in zip(*spent, strict=True)]


def _processor_seconds(call: Callable[[], object], moment: float) -> float:
    times, start, spent = 0, time.process_time(), 0.0
    while not times or spent < moment:
        call()
        times, spent = times + 1, time.process_time() - start
    return spent / times


def repeated(once: Once, codes: Codes, size: int) -> Measured:
    """Do the steps again while that is cheap; the rule is the same for everybody."""
    base, spent = peak_mb(), 0.0
    best: Seconds = {}
    for _ in range(MOST_REPEATS):
        seconds, estimate = once()
        best = {step: min(s, best.get(step, s)) for step, s in seconds.items()}
        spent += sum(seconds.values())
        if spent >= ENOUGH:
            break
    error = None if estimate is None else rmse(estimate, codes, size)
    return Measured(best, base, peak_mb(), error)


def rmse(estimate: Vector, codes: Codes, size: int) -> float:
    """Return the root of the mean squared error, about the frequencies of these very owners."""
    truth = np.bincount(codes, minlength=size) / len(codes)
    return float(np.sqrt(np.mean((estimate - truth) ** 2)))


def zipf(cell: Cell) -> Codes:
    """Return the true codes: the same for all who are compared, up to the number of owners."""
    weights = 1 / np.arange(1, cell.size + 1) ** ZIPF
    rng = np.random.default_rng(VALUES)
    return rng.choice(cell.size, cell.owners, p=weights / weights.sum())


def peak_mb() -> float:
    """Return the most memory that this process has held.

    On Linux ``getrusage`` counts what its parent held when it began; the kernel's mark does not.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (mark,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(mark.split()[1]) * 1024 / MEGABYTE
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE  # macOS: in bytes


def serve(measure: Callable[[Cell], Measured]) -> None:
    """Read a cell from standard input and write what was measured to standard output, as JSON."""
    cell = Cell(**json.load(sys.stdin))
    print(json.dumps(asdict(measure(cell))))
