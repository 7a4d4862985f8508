"""Answers by group: ``python -m experiments.groups [SETTING ...] [--runs N] [--seed S]``.

How often 95 % intervals hold the truth: of shares of groups, the three per cents of a crosstab,
means and quantiles by group, differences and ratios. 20,000 owners, levels .5, 1, 2 and 4 by
attribute and at random; each attribute lacks with a rate of its own. A cell is left out of a run in
which its group is not learnt: how often groups are is printed too.
"""

import argparse
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.special import ndtr

import discretion as ds
from discretion.plan import Plan

SEED, RUNS, OWNERS = 20261119, 400, 20_000
LEVELS, AT = [0.5, 1, 2, 4], [0.25, 0.5, 0.75]
Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Setting:
    """People in groups, what they answer and earn, and how they are asked."""

    groups: Array  # (g,) shares
    rows: Array  # (g, answers) shares of answers
    middles: Array  # (g,) of a log-normal number
    widths: Array  # (g,)
    most: int  # the end of its range
    lacking: Mapping[str, float]
    mechanisms: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)  # of the plan

    @cached_property
    def plan(self) -> Plan:
        labels = {"work": len(self.groups), "travel": self.rows.shape[1]}
        asked: list[dict[str, Any]] = [
            {"name": name, "kind": "categorical", "values": list(map(str, range(size)))}
            for name, size in labels.items()
        ]
        asked.append({"name": "pay", "kind": "numeric", "range": [0, self.most], "step": 1})
        for each in asked:
            if each["name"] in self.mechanisms:
                each["mechanism"] = self.mechanisms[each["name"]]
        return Plan.of(
            {"name": "groups", "attributes": asked, "budget": {"levels": LEVELS}, **self.more}
        )

    @cached_property
    def below(self) -> Array:
        """How likely a number in each group is up to each point of the grid."""
        ends = np.log(np.arange(self.most + 1) + 0.5) - np.log(self.middles)[:, None]
        found: Array = ndtr(ends / self.widths[:, None])
        found[:, -1] = 1.0
        return found

    @cached_property
    def means(self) -> Array:
        found: Array = (1 - self.below).sum(axis=1)
        return found

    @cached_property
    def quantiles(self) -> Array:
        return np.array([np.searchsorted(own, AT) for own in self.below], np.float64)

    def reports(self, seed: tuple[int, int]) -> ds.ReportTable:
        rng = np.random.default_rng(seed)
        group = rng.choice(len(self.groups), OWNERS, p=self.groups)
        drawn = rng.random(OWNERS)
        answer = (drawn[:, None] > self.rows.cumsum(axis=1)[group, :-1]).sum(axis=1)
        pay = np.exp(rng.normal(np.log(self.middles)[group], self.widths[group]))
        values = {
            "work": group.astype(str),
            "travel": answer.astype(str),
            "pay": np.clip(np.rint(pay), 0, self.most),
        }
        records = {
            name: pa.array(own, mask=rng.random(OWNERS) < self.lacking[name])
            for name, own in values.items()
        }
        return ds.simulate(self.plan, records, budgets="levels", seed=int(rng.integers(1 << 31)))


UNEVEN = {"work": 0.25, "travel": 0.1, "pay": 0.3}
SETTINGS = {
    "three groups": Setting(
        np.array([0.05, 0.35, 0.6]),
        np.array([[0.3, 0.6, 0.1], [0.5, 0.25, 0.25], [0.15, 0.15, 0.7]]),
        np.array([60.0, 25.0, 40.0]),
        np.array([0.5, 0.8, 0.35]),
        150,
        UNEVEN,
        {"work": "subset", "travel": "grr", "pay": "pm"},
    ),
    "six groups": Setting(
        np.array([0.05, 0.07, 0.1, 0.13, 0.2, 0.45]),
        np.array(
            [
                [0.8, 0.1, 0.05, 0.03, 0.02],
                [0.2, 0.2, 0.2, 0.2, 0.2],
                [0.05, 0.15, 0.5, 0.2, 0.1],
                [0.4, 0.1, 0.1, 0.1, 0.3],
                [0.1, 0.3, 0.1, 0.4, 0.1],
                [0.35, 0.05, 0.3, 0.05, 0.25],
            ]
        ),
        np.array([100.0, 40.0, 70.0, 20.0, 60.0, 50.0]),
        np.array([0.3, 0.9, 0.5, 1.0, 0.6, 0.4]),
        300,
        {"work": 0.1, "travel": 0.3, "pay": 0.05},
        {"work": "oue", "travel": "olh"},
    ),
    "a bundle": Setting(
        np.array([0.06, 0.1, 0.24, 0.6]),
        np.array([[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6], [0.4, 0.35, 0.25]]),
        np.array([30.0, 90.0, 50.0, 45.0]),
        np.array([0.6, 0.4, 0.7, 0.5]),
        200,
        {"work": 0.15, "travel": 0.15, "pay": 0.2},
        more={"bundles": [["work", "travel"]]},
    ),
    "tiny groups": Setting(
        np.array([0.002, 0.008, 0.03, 0.16, 0.8]),
        np.array(
            [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.3, 0.3, 0.4], [0.1, 0.3, 0.6], [0.4, 0.35, 0.25]]
        ),
        np.array([30.0, 90.0, 60.0, 50.0, 45.0]),
        np.array([0.6, 0.4, 0.6, 0.7, 0.5]),
        200,
        UNEVEN,
    ),
    "twenty groups": Setting(
        np.full(20, 0.05),
        np.column_stack([np.linspace(0.1, 0.8, 20), np.linspace(0.9, 0.2, 20)]),
        np.linspace(20.0, 90.0, 20),
        np.full(20, 0.5),
        200,
        UNEVEN,
    ),
}


def intervals(setting: Setting, reports: ds.ReportTable) -> Iterator[tuple[str, Array, Array]]:
    """Yield what is estimated, its intervals and the truth."""
    cells = setting.groups[:, None] * setting.rows
    names = list(map(str, range(len(setting.groups))))
    table = ds.frequencies(reports, "travel", by="work")
    pay = ds.mean(reports, "pay", by="work")
    curve = ds.quantiles(reports, "pay", AT, by="work")
    yield "shares of groups", table.shares.interval(), setting.groups
    yield "row per cents", table.interval(), setting.rows
    yield "column per cents", table.columns.interval(), cells / cells.sum(axis=0)
    yield "total per cents", table.total.interval(), cells
    yield "means", pay.interval(), setting.means
    yield "quantiles", curve.interval(), setting.quantiles
    for i, j in list(combinations(range(len(names)), 2))[-15:]:
        if table.learnt[[i, j]].all():
            one, other = setting.rows[i], setting.rows[j]
            yield "differences", table.difference(names[i], names[j]).interval(), one - other
            yield "ratios", table.ratio(names[i], names[j]).interval(), one / other
        if pay.learnt[[i, j]].all():
            one, other = setting.means[i : i + 1], setting.means[j : j + 1]
            yield "differences of means", pay.difference(names[i], names[j]).interval(), one - other
            yield "ratios of means", pay.ratio(names[i], names[j]).interval(), one / other


@dataclass(frozen=True)
class Measured:
    """What intervals of one kind hold, over all runs."""

    covered: float
    worst: float  # cell, where all runs have the same cells
    width: float
    learnt: float  # the share of cells

    @classmethod
    def of(cls, held: list[Array], widths: list[Array]) -> "Measured":
        """``held``: 1 or 0 for each cell of each interval, nan where nothing is learnt."""
        every = np.concatenate(held)
        known = ~np.isnan(every)
        alike = np.array(held if len({len(own) for own in held}) == 1 else [[every[known].mean()]])
        counted = np.maximum((~np.isnan(alike)).sum(axis=0), 1)
        cells = np.where(np.isnan(alike).all(axis=0), 1.0, np.nansum(alike, axis=0) / counted)
        width = np.concatenate(widths)
        finite = width[np.isfinite(width)]
        return cls(every[known].mean(), cells.min(), finite.mean(), known.mean())


def measure(setting: Setting, runs: int, seed: int) -> dict[str, Measured]:
    """Return what is measured of each kind of estimate."""
    held: dict[str, list[Array]] = {}
    widths: dict[str, list[Array]] = {}
    for run in range(runs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ds.DependenceWarning)  # found by chance in some
            for what, ends, truth in intervals(setting, setting.reports((seed, run))):
                low, high = np.moveaxis(ends, -1, 0)
                own = np.where(np.isnan(low), np.nan, (low <= truth) & (truth <= high))
                held.setdefault(what, []).append(own.ravel())
                widths.setdefault(what, []).append((high - low).ravel())
    return {what: Measured.of(own, widths[what]) for what, own in held.items()}


def main() -> None:
    """Print what is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("settings", nargs="*", default=[*SETTINGS], metavar="SETTING")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    for name in given.settings:
        print(f"{name}: {given.runs} runs of {OWNERS:,} owners, seed {given.seed}")
        print(f"{'':22}{'coverage':>10}{'worst cell':>12}{'width':>10}{'learnt':>9}")
        for what, own in measure(SETTINGS[name], given.runs, given.seed).items():
            row = f"{own.covered:10.4f}{own.worst:12.4f}{own.width:10.4g}{own.learnt:9.3f}"
            print(f"{what:22}{row}", flush=True)


if __name__ == "__main__":
    main()
