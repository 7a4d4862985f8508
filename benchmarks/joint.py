"""Joint tables: ``python -m benchmarks.joint`` writes a section of docs/results.md.

A pass of the climb beside its bare matrix products, the passes until the likelihood is as good as
reached, the memory, the papers' EM beside it, and a table of four attributes.
"""

import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import pyarrow as pa

from benchmarks.bars import judged
from benchmarks.cells import MILLION, NOISE, VALUES
from discretion import Plan, ReportTable, simulate
from discretion.estimate.noise import Vector
from discretion.joints import joint
from discretion.joints.build import likelihood_of
from discretion.joints.em import ascend
from discretion.joints.evidence import Evidence
from discretion.joints.likelihood import JointLikelihood
from experiments.page import write_section

SIZE = 16
REPEATS = 5
LONG = 1000  # passes of a long run
CLOSE = 1e-6  # of the mean log-likelihood
FOUR, FOUR_OWNERS = (16, 15, 7, 6), 50_000  # 10,080 cells, as Adult's largest tables
MOST_PASSES, MOST_RATIO, MOST_MB, MOST_SECONDS = 150, 2.0, 2000, 30


@dataclass(frozen=True)
class Counted:
    """A likelihood that remembers its values, pass by pass."""

    likelihood: JointLikelihood
    values: list[float]

    @property
    def n(self) -> float:
        return self.likelihood.n

    def slope(self, f: Vector) -> tuple[float, Vector]:
        value, multiplier = self.likelihood.slope(f)
        self.values.append(value)
        return value, multiplier


def crowd(sizes: Sequence[int], owners: int, mechanism: str = "oue") -> ReportTable:
    """Return reports about dependent attributes, budgets of her own for everyone."""
    rng = np.random.default_rng(VALUES)
    codes = [rng.choice(size, owners, p=rng.dirichlet(np.ones(size))) for size in sizes]
    copied = rng.random(owners) < 0.5
    codes[1] = np.where(copied, codes[0] * sizes[1] // sizes[0], codes[1])
    names = "abcd"[: len(sizes)]
    labels = [pa.array([str(code) for code in range(size)]) for size in sizes]
    author = {
        "name": "joint",
        "attributes": [
            {"name": name, "kind": "categorical", "values": own.to_pylist(), "mechanism": mechanism}
            for name, own in zip(names, labels, strict=True)
        ],
        "budget": {"average": 2, "least": 0.25, "most": 6, "step": 0.25},
    }
    columns = [own.take(pa.array(at)) for own, at in zip(labels, codes, strict=True)]
    records = pa.table(dict(zip(names, columns, strict=True)))
    return simulate(Plan.of(author), records, budgets="dirichlet", seed=NOISE)


def best(action: Callable[[], object]) -> float:
    """Return the seconds of the fastest go."""
    seconds = []
    for _ in range(REPEATS):
        start = perf_counter()
        action()
        seconds.append(perf_counter() - start)
    return min(seconds)


def products(likelihood: JointLikelihood, f: Vector) -> None:
    """Do the matrix products of a pass in single precision, and nothing else."""
    table = f.reshape(likelihood.shape).astype(np.float32)
    for terms in likelihood.groups[0].blocks():
        for a, b in terms:
            _ = a @ table
            _ = a.T @ b


def pair() -> list[str]:
    """Measure a table of two attributes of a million owners."""
    reports = crowd((SIZE, SIZE), MILLION)
    counted = Counted(likelihood_of(Evidence.of(reports, ("a", "b"))), [])
    start = np.full(SIZE**2, 1 / SIZE**2)
    pass_ = best(lambda: counted.likelihood.slope(start))
    bare = best(lambda: products(counted.likelihood, start))
    ascend(counted, start, 0.0, LONG)
    values = np.maximum.accumulate(counted.values) / MILLION
    passes = int(np.flatnonzero(values >= values[-1] - CLOSE)[0]) + 1
    begin = perf_counter()
    joint(reports, ["a", "b"], "mle")
    whole = perf_counter() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    begin = perf_counter()
    joint(reports, ["a", "b"], "em-lopub")
    theirs = perf_counter() - begin
    ratio = pass_ / bare
    rows = {
        f"passes until within 1e-6 of {LONG:,} passes": (f"{passes}", _up_to(MOST_PASSES, passes)),
        "a pass over its bare products": (
            f"{pass_ * 1e3:.0f} ms, {ratio:.2f}",
            _up_to(MOST_RATIO, ratio),
        ),
        "peak memory": (f"{memory:,.0f} MB", _up_to(MOST_MB, memory)),
        "`mle` with standard errors": (f"{whole:.1f} s", ""),
        "`em-lopub`, stopped as published": (f"{theirs:.1f} s", ""),
    }
    return [f"| {what} | {found} | {bar} |" for what, (found, bar) in rows.items()]


def four() -> list[str]:
    """Measure a table of four attributes."""
    reports = crowd(FOUR, FOUR_OWNERS)
    begin = perf_counter()
    estimate = joint(reports, list("abcd"))
    seconds = perf_counter() - begin
    row = f"| `map`, {estimate.value.size:,} cells, {FOUR_OWNERS:,} owners | {seconds:.1f} s | "
    return [row + f"{_up_to(MOST_SECONDS, seconds)} |"]


def _up_to(most: float, found: float) -> str:
    return judged(f"≤ {most:g}", found <= most)


def main() -> None:
    """Measure and write the section."""
    table = "\n".join(["| | measured | bar |", "|---|---|---|", *pair(), *four()])
    text = (
        f"Made by `python -m benchmarks.joint`: two attributes of {SIZE} values and {MILLION:,}"
        " owners, OUE, everyone with a budget of her own, then four attributes. A pass is one"
        " evaluation of the likelihood and its slope; its bare products are the same single"
        " precision matrix products in the same run. BLAS runs on as many threads as it likes."
    )
    write_section("Joint tables: speed", f"{text}\n\n{table}")
    sys.stdout.write(table + "\n")


if __name__ == "__main__":
    main()
