"""Shares of random ranges: published methods and ours, on the same people in one run."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import numpy as np
import pyarrow as pa

import discretion as ds
from papers.data import Dataset
from papers.exhibit import Exhibit, Table, Tables, number
from papers.ranges.densities import DENSITIES, Crowd, Vector
from papers.ranges.trees import ahead, haar_hrr, hh
from papers.ranges.windows import ems
from papers.study import Check, Effort, Findings, Measurement, Step, Study, mean

SIZES, EPSILONS = (1024, 65_536), (1, 2)
OWNERS, RANGES = 100_000, 2_000
TIERS = (0.5, 1, 2, 4)  # where everybody has one of these levels
FIRST_SEED = 29_001  # none of these was used while the methods were made
UNIT = 1e-5  # of the squared errors in the tables

OURS, LIKELIHOOD = "hierarchy", "sw likelihood"
PEERS: Mapping[str, Callable[[Crowd, float, np.random.Generator], Vector]] = {
    "HH": hh,
    "HaarHRR": haar_hrr,
    "AHEAD": ahead,
    "SW + EMS": ems,
}
METHODS = (OURS, LIKELIHOOD, *PEERS)
AGAINST_EMS = {"heaped": 0.9, "spikes": 0.6}  # and elsewhere:
AGAINST_EMS_SMOOTH = 2.6


@dataclass(frozen=True)
class Ranges(Study):
    """Squared errors of ranges, and what their intervals cover."""

    name: ClassVar[str] = "ranges"
    printed: ClassVar[tuple[str, ...]] = ("errors", "coverage")
    runs: int = 20
    sizes: tuple[int, ...] = SIZES
    epsilons: tuple[float, ...] = EPSILONS
    owners: int = OWNERS

    @classmethod
    def of(cls, effort: Effort) -> Self:
        if effort.quick:
            return cls(effort.runs or 1, SIZES[:1], EPSILONS[:1], OWNERS // 10)
        return cls(effort.runs or cls.runs)

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        return ()

    def steps(self, tables: Mapping[str, pa.Table]) -> list[Step]:
        settings = [
            (size, density, levels)
            for size in self.sizes
            for density in DENSITIES
            for levels in (*((e,) for e in self.epsilons), TIERS)
        ]
        return [
            Step(f"{density}, {size:,}, {_level(levels)}, run {run + 1}", partial(trial, *own))
            for size, density, levels in settings
            for run in range(self.runs)
            for own in [(size, density, levels, self.owners, FIRST_SEED + run)]
        ]

    def checks(self, found: Findings) -> Iterator[Check]:
        for size in self.sizes:
            fine = size > SIZES[0]
            for epsilon in self.epsilons:
                at = f"{size:,}, ε = {epsilon}"
                each, together = (0.30, 0.15) if fine else (0.55, 0.33)
                yield from _ratios(found, size, epsilon, "HH", each, together)
                yield from _ratios(found, size, epsilon, "AHEAD", 1.9, 1.2)
                yield from _ratios(found, size, epsilon, LIKELIHOOD, 0.85)
                if fine:
                    yield from _ratios(found, size, epsilon, "HaarHRR", 0.2)
                for density in DENSITIES:
                    most = AGAINST_EMS.get(density, AGAINST_EMS_SMOOTH)
                    ours, theirs = _both(found, size, density, epsilon, "SW + EMS")
                    yield Check.ratio(
                        "squared error over SW + EMS", density, at, ours, theirs, most
                    )
        for size in self.sizes:
            for levels in (*((e,) for e in self.epsilons), TIERS):
                at = f"{size:,}, ε = {_level(levels)}"
                covered = [found.mean("covered", size, d, levels) for d in DENSITIES]
                widths = [found.mean("width", size, d, levels) for d in DENSITIES]
                yield Check(
                    "coverage, over the densities",
                    "mean",
                    at,
                    float(np.mean(covered)),
                    low=0.92,
                    high=0.97,
                )
                for density, value in zip(DENSITIES, widths, strict=True):
                    yield Check(
                        "width over that of the linear intervals", density, at, value, high=0.55
                    )

    def exhibits(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        yield "runs", str(len(found.runs("mse", *self._first, OURS)))
        yield "errors", Tables(self._errors(found))
        yield "coverage", Tables(self._coverage(found))

    @property
    def _first(self) -> tuple[int, str, tuple[float, ...]]:
        return self.sizes[0], next(iter(DENSITIES)), (self.epsilons[0],)

    def _errors(self, found: Findings) -> Iterator[Table]:
        for size in self.sizes:
            for levels in (*((e,) for e in self.epsilons), TIERS):
                known = [m for m in METHODS if ("mse", size, "smooth", levels, m) in found]
                rows = [
                    (m, *(f"{found.mean('mse', size, d, levels, m) / UNIT:.2f}" for d in DENSITIES))
                    for m in known
                ]
                title = f"{size:,} codes, ε = {_level(levels)}"
                yield Table(("squared error, 1e-5", *DENSITIES), rows, title)

    def _coverage(self, found: Findings) -> Iterator[Table]:
        for what, title in (
            ("covered", "Share of ranges that the 95 % intervals cover"),
            ("linear covered", "The same of the linear intervals"),
            ("width", "Width over that of the linear intervals"),
        ):
            rows = [
                (
                    f"{size:,}",
                    _level(levels),
                    *(number(found.mean(what, size, d, levels)) for d in DENSITIES),
                )
                for size in self.sizes
                for levels in (*((e,) for e in self.epsilons), TIERS)
            ]
            yield Table(("codes", "ε", *DENSITIES), rows, title)


def trial(
    size: int, density: str, levels: tuple[float, ...], owners: int, seed: int
) -> Iterator[Measurement]:
    """Let the same people report by every method; of several levels ours alone takes all."""
    rng = np.random.default_rng([seed, size, *density.encode(), *(int(1000 * e) for e in levels)])
    crowd, setting = Crowd.of(density, size, owners, RANGES, rng), (size, density, levels)
    if len(levels) == 1:
        for name, method in PEERS.items():
            yield ("mse", *setting, name), error(crowd, crowd.shares(method(crowd, levels[0], rng)))
        yield ("mse", *setting, LIKELIHOOD), error(crowd, likelihood(crowd, levels, seed))
    shares = ds.ranges(reports(crowd, "hierarchy", levels, seed), "x", _pairs(crowd))
    yield ("mse", *setting, OURS), error(crowd, shares.value)
    for what, own in (("covered", shares.interval()), ("linear covered", shares.linear.interval())):
        yield (
            (what, *setting),
            float(((own[:, 0] <= crowd.truth) & (crowd.truth <= own[:, 1])).mean()),
        )
    yield ("width", *setting), mean(shares.stderr) / mean(shares.linear.stderr)


def reports(crowd: Crowd, mechanism: str, levels: Sequence[float], seed: int) -> ds.ReportTable:
    """Return reports through the library's own crowd."""
    number = {"name": "x", "kind": "numeric", "range": [0, crowd.size - 1], "step": 1}
    plan = ds.Plan.of(
        {
            "name": "ranges",
            "attributes": [{**number, "mechanism": mechanism}],
            "budget": {"levels": list(levels)},
        }
    )
    return ds.simulate(plan, pa.table({"x": crowd.codes}), budgets="levels", seed=seed)


def likelihood(crowd: Crowd, levels: Sequence[float], seed: int) -> Vector:
    """Return the shares by the most likely distribution of reports by the square wave."""
    table = reports(crowd, "sw", levels, seed)
    cuts = np.unique(np.concatenate([crowd.low, crowd.high]))
    below = ds.cdf(table, "x", np.maximum(cuts - 1, 0)).value * (cuts > 0)
    return below[np.searchsorted(cuts, crowd.high)] - below[np.searchsorted(cuts, crowd.low)]


def error(crowd: Crowd, shares: Vector) -> float:
    """Return the mean squared error of the ranges."""
    return mean((shares - crowd.truth) ** 2)


def _pairs(crowd: Crowd) -> list[tuple[int, int]]:
    return list(zip(crowd.low.tolist(), (crowd.high - 1).tolist(), strict=True))


def _level(levels: Sequence[float]) -> str:
    return ", ".join(f"{level:g}" for level in levels)


def _both(
    found: Findings, size: int, density: str, epsilon: float, peer: str
) -> tuple[Vector, Vector]:
    setting = ("mse", size, density, (epsilon,))
    return found.runs(*setting, OURS), found.runs(*setting, peer)


def _ratios(
    found: Findings,
    size: int,
    epsilon: float,
    peer: str,
    each: float,
    together: float | None = None,
) -> Iterator[Check]:
    """Yield the ratio of squared errors of every density, and their geometric mean."""
    rule, at, ratios = f"squared error over {peer}", f"{size:,}, ε = {epsilon}", []
    for density in DENSITIES:
        ours, theirs = _both(found, size, density, epsilon, peer)
        ratios.append(mean(ours) / mean(theirs))
        yield Check.ratio(rule, density, at, ours, theirs, each)
    if together is not None:
        geometric = float(np.exp(np.mean(np.log(ratios))))
        yield Check(rule, "geometric mean", at, geometric, high=together)
