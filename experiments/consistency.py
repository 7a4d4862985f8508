"""What post-processing does to errors and to intervals: ``python -m experiments.consistency``."""

import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa

import discretion as ds
from discretion.labels.consistency import STEPS
from experiments.accuracy import Flags, each, table
from experiments.crowds import Vector, dirichlet
from experiments.page import write_section

SEED = 20261116
POSTS: tuple[tuple[str, ...], ...] = ((), *((step,) for step in STEPS), ("power", "norm-sub"))
TOP = np.array([0.4, 0.25, 0.2, 0.1, 0.05])
CASES = (("subset", 8), ("subset", 64), ("subset", 256), ("bloom", 24))
KINDS = ("sparse", "zipf", "uniform")


def truth(kind: str, size: int) -> Vector:
    """Return five frequent values and no other, a power law, or all alike."""
    match kind:
        case "sparse":
            return np.concatenate([TOP, np.zeros(size - len(TOP))])
        case "zipf":
            law = np.arange(1, size + 1) ** -1.5
            return law / law.sum()
    return np.full(size, 1 / size)


def crowd(mechanism: str, f: Vector, owners: int, seed: int) -> ds.ReportTable:
    """Return reports with unequal budgets, where 15 % of the values are missing."""
    if mechanism != "bloom":
        return dirichlet(mechanism, f, owners, seed, share=(1, 4), missing=0.15)
    rng, values = np.random.default_rng(seed), [str(code) for code in range(len(f))]
    words = {"bloom": {"hashes": 2, "bits": 32}}
    asked = {"name": "a0", "kind": "categorical", "values": values, "mechanism": words}
    plan = ds.Plan.of({"name": "words", "attributes": [asked], "budget": {"levels": [1, 2, 4]}})
    codes = rng.choice(len(f), owners, p=f).astype(str)
    records = {"a0": pa.array(codes, mask=rng.random(owners) < 0.15)}
    return ds.simulate(plan, records, budgets="levels", seed=seed)


def errors(
    mechanism: str, kind: str, size: int, runs: int, seed: int, owners: int = 10_000
) -> Vector:
    """Measure the mean squared error of ``weighted`` after each of POSTS, and of the ``mle``."""
    run = partial(_errors, mechanism, truth(kind, size), owners)
    return np.mean(each(run, runs, seed), axis=0)


def coverage(
    mechanism: str, kind: str, size: int, runs: int, seed: int, owners: int = 10_000
) -> tuple[Vector, Vector]:
    """Measure how often 95 % intervals hold the truth after each of POSTS: (posts, cells).

    Also how often they would if they were around the processed value.
    """
    run = partial(_held, mechanism, truth(kind, size), owners)
    kept, moved = np.mean(each(run, runs, seed), axis=0, dtype=float)
    return kept, moved


def _errors(mechanism: str, f: Vector, owners: int, seed: int) -> list[float]:
    reports = crowd(mechanism, f, owners, seed)
    linear = _frequencies(reports, "weighted")
    found = [ds.postprocess(linear, *steps) for steps in POSTS]
    return [float(((e.value - f) ** 2).sum()) for e in (*found, _frequencies(reports, "mle"))]


def _held(mechanism: str, f: Vector, owners: int, seed: int) -> tuple[list[Flags], list[Flags]]:
    linear = _frequencies(crowd(mechanism, f, owners, seed), "weighted")
    found = [ds.postprocess(linear, *steps) for steps in POSTS]
    moved = [replace(estimate, unprocessed=None) for estimate in found]
    return [_holds(estimate, f) for estimate in found], [_holds(estimate, f) for estimate in moved]


def _holds(estimate: ds.FrequencyEstimate, f: Vector) -> Flags:
    low, high = estimate.interval().T
    return (low <= f) & (f <= high)


def _frequencies(reports: ds.ReportTable, method: str) -> ds.FrequencyEstimate:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ds.DependenceWarning)  # one in a thousand by design
        return ds.frequencies(reports, "a0", method)


def sections() -> Iterator[tuple[str, str]]:
    """Measure everything; yield each section of the page, its title and its text."""
    yield "Post-processing: squared error", error_section()
    yield "Post-processing: coverage of 95 % intervals", coverage_section()


def error_section(runs: int = 100) -> str:
    """Compare the steps with none, and with the mle, where values are few, many or coded."""
    cases = [(mechanism, size, kind) for mechanism, size in CASES for kind in KINDS]
    found = np.array([errors(m, kind, size, runs, SEED) for m, size, kind in cases])
    heads = ["step", *(f"{m} {size}, {kind}" for m, size, kind in cases)]
    rows = [
        [name, *(f"{1e4 * x:.3g}" for x in column)]
        for name, column in zip([*map(_name, POSTS), "mle"], found.T, strict=True)
    ]
    return f"""
`make results`, seed {SEED}. `weighted` from 10,000 owners with unequal budgets, 15 % of the values
missing, then these steps; the `mle` of the same reports in the last row. Truths: five values and no
other ({", ".join(f"{x:g}" for x in TOP)}), a power law with exponent 1.5, and all alike; 8 to 256
values, and 24 that are sent as words of 32 bits. Summed squared error times 10,000, mean of {runs}
runs.

{table(heads, rows)}"""


def coverage_section(runs: int = 400) -> str:
    """Count how often intervals hold the truth after each step."""
    cases = [("subset", 8, "zipf"), ("subset", 64, "sparse"), ("subset", 256, "sparse")]
    kept, moved = zip(
        *(coverage(m, kind, size, runs, SEED) for m, size, kind in cases), strict=True
    )
    rows = [
        [m, size, kind, _name(steps), *(f"{x:.1%}" for x in shares)]
        for (m, size, kind), own, others in zip(cases, kept, moved, strict=True)
        for steps, *shares in zip(
            POSTS,
            own.mean(axis=1),
            own[:, :5].mean(axis=1),
            others[:, :5].mean(axis=1),
            strict=True,
        )
    ]
    heads = "mechanism", "values", "truth", "step", "all values", "the 5 most frequent", "moved"
    return f"""
`make results`, seed {SEED}. The same crowds, {runs} samples: how often the interval of a value
holds its frequency, over all values and over the 5 most frequent ones. Steps other than `norm` keep
the interval of the unprocessed estimate, and stretch it where it does not hold the new value. The
last column is what intervals of the same width around the new value would do.

{table(heads, rows)}"""


def _name(steps: tuple[str, ...]) -> str:
    return ", then ".join(steps) or "none"


if __name__ == "__main__":
    for title, text in sections():
        print(f"## {title}\n{text}\n", flush=True)
        write_section(title, text)
