"""Joint tables: the passes until the likelihood is as good as reached, the time and the memory.

The papers' EM stands beside ours, and a table of four attributes. What a pass takes beside its bare
matrix products is measured by ``benchmarks.limits``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from benchmarks.cells import MILLION, NOISE, VALUES
from benchmarks.claim import Claim, Section, tell
from benchmarks.measure import peak_mb, timed
from discretion import Plan, ReportTable, simulate
from discretion.estimate.em import ascend
from discretion.estimate.noise import Vector
from discretion.joints import joint
from discretion.joints.build import likelihood_of
from discretion.joints.likelihood import JointLikelihood
from discretion.joints.table_evidence import Evidence
from discretion.kernel.cache import warm

SIZE = 16
LONG = 1000  # passes of a long run
CLOSE = 1e-6  # of the mean log-likelihood
FOUR, FOUR_OWNERS = (16, 15, 7, 6), 50_000  # 10,080 cells, as Adult's largest tables
LEAST = 1 / 0.4  # times as fast as plain EM
MOST_PASSES, MOST_MB, MOST_SECONDS = 150, 2000, 30


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


def pair() -> Iterator[Claim]:
    """Measure a table of two attributes of a million owners."""
    reports = crowd((SIZE, SIZE), MILLION)
    counted = Counted(likelihood_of(Evidence.of(reports, ("a", "b"))), [])
    ascend(counted, np.full(SIZE**2, 1 / SIZE**2), 0.0, LONG)
    values = np.maximum.accumulate(counted.values) / MILLION
    passes = int(np.flatnonzero(values >= values[-1] - CLOSE)[0]) + 1
    what = f"passes until within {CLOSE:g} of {LONG:,} passes"
    yield Claim.up_to(MOST_PASSES, what, passes, "passes")
    ours, found = timed(lambda: joint(reports, ["a", "b"], "mle"))
    yield Claim.up_to(MOST_MB, "peak memory, `mle`", peak_mb(), "MB")
    theirs, _ = timed(lambda: joint(reports, ["a", "b"], "em-lopub"))
    yield Claim("`mle` with standard errors", ours, "`em-lopub`, stopped as published", theirs)
    plain, passes = timed(lambda: climbed(counted, found.value.ravel()))
    beside = f"plain EM, {passes:,} passes, to a nat below it or the last"
    yield Claim("`mle` with standard errors", ours, beside, plain, LEAST)


def climbed(likelihood: Counted, found: Vector) -> int:
    """Take steps of expectation maximisation to a nat below a table; return how many it took."""
    f, wanted = np.full(len(found), 1 / len(found)), likelihood.slope(found)[0] - 1
    for passes in range(1, LONG + 1):
        value, multiplier = likelihood.slope(f)
        if value >= wanted:
            return passes
        f = f * multiplier
    return LONG


def four() -> Claim:
    """Measure a table of four attributes."""
    reports = crowd(FOUR, FOUR_OWNERS)
    seconds, estimate = timed(lambda: joint(reports, list("abcd")))
    what = f"`map`, {estimate.value.size:,} cells, {FOUR_OWNERS:,} owners"
    return Claim.up_to(MOST_SECONDS, what, seconds)


def section() -> Section:
    """Measure both."""
    warm()
    about = (
        f"Two attributes of {SIZE} values and {MILLION:,} owners, OUE, everyone with a budget of"
        " her own, then four attributes. A pass is one evaluation of the likelihood and its slope."
    )
    return Section("Joint tables", about, [*pair(), four()])


if __name__ == "__main__":
    tell(section())
