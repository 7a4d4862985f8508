"""Views against attribute-wise reports and sampled attributes: how far tables of pairs are off.

``python -m experiments.views [VALUES ATTRIBUTES [EPSILON [PAIRS]]]``: 100,000 owners with the same
epsilon for the whole record under every design, on ten dependent laws made from the seeds that are
printed: mixtures of four classes in which attributes are independent. ``python -m experiments.views
adult DATA [PAIRS]``: the 15 columns of Adult, numbers in up to eight bins, rare labels as one.

The designs are split (everybody reports every attribute), sampled attributes (so many of them as
are best in hindsight) and views as ``auto`` makes them; the first two are estimated by ``map``,
views by ``auto``. Beside them stand, from the reports of pairs, the steps of CALM (Zhang et al.
2018: tables made consistent and non-negative), and from those of split LoPub's EM (Ren et al.
2018). With PAIRS, so many pairs of each law are looked at, drawn beforehand.
"""

import sys
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow.csv as csv

import discretion as ds
from discretion.aggregate import Aggregate, Evidence
from discretion.crowd.simulate import simulate_codes
from discretion.estimate.noise import simplex
from discretion.table import ReportTable

OWNERS = 100_000
LAWS = 10
SEED = 20261126
SETTINGS = ((3, 6), (4, 8), (8, 16))  # values of each attribute, and attributes
EPSILONS = (1.0, 2.0, 4.0)
CLASSES, CONCENTRATION = 4, 0.7
SAMPLES = (2, 3, 4)  # attributes that a device draws
TOTALS = (4.0, 8.0, 12.0, 30.0)  # of Adult, for the whole record
RUNS = 5  # of Adult: crowds of as many owners as it has records
BINS, LABELS = 8, 8  # of its columns, at most
TURNS = 20  # of consistency and non-negativity

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Pair = tuple[int, int]


class Population(Protocol):
    """Whose answers are simulated, and what is true of them."""

    @property
    def sizes(self) -> tuple[int, ...]: ...

    def pair(self, one: int, other: int) -> Array: ...

    def crowd(self, n: int, rng: np.random.Generator) -> Codes: ...


class Law(NamedTuple):
    """A mixture of classes in which attributes are independent."""

    weights: Array  # (classes,)
    shares: Array  # (attributes, classes, values)

    @classmethod
    def drawn(cls, values: int, attributes: int, seed: int) -> "Law":
        rng = np.random.default_rng([SEED, values, attributes, seed])
        weights = rng.dirichlet(np.full(CLASSES, 2.0))
        shares = rng.dirichlet(np.full(values, CONCENTRATION), (attributes, CLASSES))
        return cls(weights, shares)

    @property
    def sizes(self) -> tuple[int, ...]:
        return (self.shares.shape[2],) * len(self.shares)

    def pair(self, one: int, other: int) -> Array:
        return np.einsum("z,zi,zj->ij", self.weights, self.shares[one], self.shares[other])

    def crowd(self, n: int, rng: np.random.Generator) -> Codes:
        """Draw the codes of n people."""
        own = rng.choice(len(self.weights), n, p=self.weights)
        below = self.shares.cumsum(axis=2)[:, own].transpose(1, 0, 2)
        drawn = rng.random((n, len(self.shares), 1))
        codes = (drawn > below).sum(axis=2)
        return np.minimum(codes, self.shares.shape[2] - 1)


class Records(NamedTuple):
    """Records of a file, each of which is somebody."""

    codes: Codes

    @classmethod
    def adult(cls, place: Path) -> "Records":
        table = csv.read_csv(place / "adult.csv.gz")
        return cls(np.column_stack([_coded(column.to_numpy()) for column in table.columns]))

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple((self.codes.max(axis=0) + 1).tolist())

    def pair(self, one: int, other: int) -> Array:
        table = np.zeros((self.sizes[one], self.sizes[other]))
        np.add.at(table, (self.codes[:, one], self.codes[:, other]), 1 / len(self.codes))
        return table

    def crowd(self, n: int, rng: np.random.Generator) -> Codes:
        return rng.permutation(self.codes)[:n]


def _coded(column: npt.NDArray[Any]) -> Codes:
    """Return bins of numbers with about as many people in each; of labels, rare ones as one."""
    if column.dtype.kind in "if":
        inner = np.unique(np.quantile(column, np.arange(1, BINS) / BINS))
        return np.unique(np.searchsorted(inner, column), return_inverse=True)[1]
    labels, codes, counts = np.unique(column.astype(str), return_inverse=True, return_counts=True)
    rank = np.empty(len(labels), np.int64)
    rank[np.argsort(-counts)] = np.arange(len(labels))
    return np.minimum(rank[codes], LABELS - 1)


def plan_of(sizes: tuple[int, ...], **design: Any) -> ds.Plan:
    """Return the plan of a design."""
    asked = [
        {"name": f"x{i}", "kind": "categorical", "values": [f"v{code}" for code in range(size)]}
        for i, size in enumerate(sizes)
    ]
    return ds.Plan.of({"name": "views", "attributes": asked, **design})


def designs(sizes: tuple[int, ...], epsilon: float) -> Iterator[tuple[str, ds.Plan, str]]:
    """Yield each design with its plan and the method that estimates its tables."""
    total = {"total": epsilon, "spread": 1.5, "step": 0.001}
    split = plan_of(sizes, budget=total)
    yield "split", split, "map"
    yield "LoPub", split, "em-lopub"
    for k in SAMPLES:
        yield f"sample {k}", plan_of(sizes, budget=total, share={"sample": k}), "map"
    levels = {"levels": [epsilon]}
    yield "CALM", plan_of(sizes, budget=levels, views={"size": 2}), "calm"
    yield "views", plan_of(sizes, budget=levels, views="auto"), "auto"


def calm(reports: ReportTable) -> dict[Pair, Array]:
    """Return the tables of all pairs, from unbiased ones: consistent and non-negative, in turns."""
    counts, count = Aggregate.of(reports), len(reports.plan.attributes)
    tables: dict[Pair, Array] = {}
    for one, other in combinations(range(count), 2):
        sizes = [reports.plan.attributes[f"x{i}"].size for i in (one, other)]
        value = Evidence.of(counts, f"x{one}+x{other}").pooled().value
        tables[one, other] = value.reshape(sizes)
    for _ in range(TURNS):
        for i in range(count):
            own = [pair for pair in tables if i in pair]
            margins = {pair: tables[pair].sum(axis=1 - pair.index(i)) for pair in own}
            mean = np.mean(list(margins.values()), axis=0)
            for pair in own:
                gap = (mean - margins[pair]) / tables[pair].shape[1 - pair.index(i)]
                tables[pair] = tables[pair] + (gap[:, None] if pair[0] == i else gap)
        tables = {pair: simplex(own.ravel()).reshape(own.shape) for pair, own in tables.items()}
    return tables


def errors(
    reports: ReportTable, people: Population, pairs: list[Pair], method: str
) -> tuple[float, float]:
    """Return the mean total variation over the pairs, and the share of cells in their intervals."""
    found, inside = [], []
    consistent = calm(reports) if method == "calm" else {}
    for pair in pairs:
        truth = people.pair(*pair)
        if consistent:
            found.append(abs(consistent[pair] - truth).sum() / 2)
            continue
        table = ds.joint(reports, [f"x{i}" for i in pair], method=method)
        ends = table.interval()
        inside.append(((ends[..., 0] <= truth) & (truth <= ends[..., 1])).mean())
        found.append(abs(table.value - truth).sum() / 2)
    return float(np.mean(found)), float(np.mean(inside)) if inside else np.nan


Measured = dict[str, list[float]]


def added(off: Measured, people: Population, epsilon: float, most: int, n: int, run: int) -> float:
    """Add the errors of every design on one crowd, and return the coverage of views."""
    rng, attributes = np.random.default_rng([SEED, run]), len(people.sizes)
    every = list(combinations(range(attributes), 2))
    pairs = [every[i] for i in rng.permutation(len(every))[:most]]
    reports, before = None, None
    for name, plan, method in designs(people.sizes, epsilon):
        if reports is None or plan is not before:
            own = np.random.default_rng([SEED, run, 1])
            reports = simulate_codes(plan, people.crowd(n, own), own)
        error, covered = errors(reports, people, pairs, method)
        off.setdefault(name, []).append(error)
        before = plan
    line = ", ".join(f"{name} {errors[-1]:.4f}" for name, errors in off.items())
    print(f"  run {run}: {line}; covered {covered:.3f}", flush=True)
    return covered


def summary(off: Measured, covered: list[float]) -> str:
    """Return how views compare over all crowds, with every other design and the best sample."""
    logs = {name: np.log(found) for name, found in off.items()}
    best = min((name for name in logs if name.startswith("sample")), key=lambda n: logs[n].mean())
    ratios = {name: logs["views"] - logs[name] for name in ("split", best, "LoPub", "CALM")}
    said = [
        f"over {name} {np.exp(own.mean()):.3f} (worst {np.exp(own.max()):.3f})"
        for name, own in ratios.items()
    ]
    return f"views {', '.join(said)}; covered {np.mean(covered):.3f}"


def measured(values: int, attributes: int, epsilon: float, most: int) -> None:
    """Print the errors on every law, and how views compare over all of them."""
    off: Measured = {}
    start = time.process_time()
    laws = [Law.drawn(values, attributes, seed) for seed in range(LAWS)]
    covered = [added(off, law, epsilon, most, OWNERS, run) for run, law in enumerate(laws)]
    print(
        f"{values} values, {attributes} attributes, epsilon {epsilon:g}: {summary(off, covered)}, "
        f"{time.process_time() - start:.0f} s",
        flush=True,
    )


def of_adult(place: Path, most: int) -> None:
    """Print the errors on Adult at every total."""
    people = Records.adult(place)
    for total in TOTALS:
        off: Measured = {}
        n, runs = len(people.codes), range(RUNS)
        covered = [added(off, people, total, most, n, run) for run in runs]
        print(f"Adult, total {total:g}: {summary(off, covered)}", flush=True)


def main() -> None:
    """Measure one setting, or all of them; or Adult."""
    if sys.argv[1:2] == ["adult"]:
        print(f"Adult, seed {SEED}")
        of_adult(Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1 << 20)
        return
    values, attributes, epsilon, most = (*map(float, sys.argv[1:]), *(0.0,) * 4)[:4]
    settings = [(int(values), int(attributes))] if attributes else SETTINGS
    print(f"{OWNERS:,} owners, seed {SEED}, laws {LAWS}")
    for setting in settings:
        for each in (epsilon,) if epsilon else EPSILONS:
            measured(*setting, each, int(most) or 1 << 20)


if __name__ == "__main__":
    main()
