"""Bins that nobody named: ``python -m experiments.bins [DATA] [--on NAME ...] [--runs N]``.

A yes/no attribute by a number, from 50,000 reports at an average level of 2: cells of the joint
table and row per cents, in the bins that ``joint`` chooses and in those that a person would name.
Printed: how often 95 % intervals hold the truth, how wide they are on average, the widest, and the
bins that were chosen most often. People are drawn anew from a population in each run. Populations:
made ones, and with a folder DATA those of its files of Adult, Bank and CPS. The rule is tuned on
all but ``made``, ``cps`` and ``cps_union``.
"""

import argparse
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv

import discretion as ds
from discretion.plan import Plan

SEED, RUNS, OWNERS = 20261128, 100, 50_000
LEVELS = (0.5, 1, 2, 4.5)  # 2 on average
LACKING = 0.05  # of each attribute
EVERYBODY = 1_000_000  # of a made population
UNNAMED, BY_HAND = "unnamed", "by hand"
Vector = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Population:
    """A number and a yes/no attribute of all people; the grid; bins that a person would name."""

    number: Vector
    answer: Truths
    low: float
    high: float
    step: float
    hand: Sequence[float]

    @property
    def plan(self) -> Plan:
        number = {"kind": "numeric", "range": [self.low, self.high], "step": self.step}
        answer = {"kind": "categorical", "values": ["yes", "no"]}
        asked = [{"name": "x", **number}, {"name": "a", **answer}]
        return Plan.of({"name": "bins", "attributes": asked, "budget": {"levels": list(LEVELS)}})

    @property
    def on_grid(self) -> Vector:
        steps = np.rint((np.clip(self.number, self.low, self.high) - self.low) / self.step)
        found: Vector = self.low + self.step * steps
        return found

    def reports(self, seed: tuple[int, int]) -> ds.ReportTable:
        rng = np.random.default_rng(seed)
        who = rng.integers(0, len(self.number), OWNERS)
        records = {
            "x": pa.array(self.on_grid[who], mask=rng.random(OWNERS) < LACKING),
            "a": pa.array(
                np.where(self.answer[who], "yes", "no"), mask=rng.random(OWNERS) < LACKING
            ),
        }
        drawn = int(rng.integers(1 << 31))
        return ds.simulate(self.plan, pa.table(records), budgets="levels", seed=drawn)

    def cells(self, edges: Sequence[float]) -> Vector:
        """Return the share of each bin (rows) and answer in the population."""
        which = np.searchsorted(edges, self.on_grid, side="right") - 1
        sides = (self.answer, ~self.answer)
        both = [np.bincount(which[own], minlength=len(edges)) for own in sides]
        return np.column_stack(both) / len(self.number)


def made() -> Population:
    """Earnings like those of a labour survey: skewed, heaped, and a few far out."""
    rng = np.random.default_rng(21)
    pay = np.exp(rng.normal(10.65, 0.62, EVERYBODY))
    pay *= np.where(rng.random(EVERYBODY) < 0.02, 4, 1)
    heap = np.where(rng.random(EVERYBODY) < 0.4, 5_000, 1_000)
    pay = np.clip(np.rint(pay / heap) * heap, 0, 250_000)
    likely = 0.55 - 0.35 / (1 + np.exp(-(pay - 45_000) / 15_000))
    yes = rng.random(EVERYBODY) < likely
    return Population(pay, yes, 0, 250_000, 1_000, (0, 20_000, 60_000))


def humps() -> Population:
    """A number with two humps, and an answer that depends on the hump."""
    rng = np.random.default_rng(22)
    second = rng.random(EVERYBODY) < 0.35
    number = np.where(second, rng.normal(70, 8, EVERYBODY), rng.normal(30, 10, EVERYBODY))
    return Population(number, rng.random(EVERYBODY) < 0.2 + 0.5 * second, 0, 100, 1, (0, 25, 50))


def waiting() -> Population:
    """Exponential waiting times in minutes, half of them in tens, and an answer nearly all say."""
    rng = np.random.default_rng(23)
    number = rng.exponential(40, EVERYBODY)
    number = np.where(rng.random(EVERYBODY) < 0.5, np.rint(number / 10) * 10, number)
    likely = 0.85 + 0.1 * (number > 50)
    return Population(number, rng.random(EVERYBODY) < likely, 0, 360, 1, (0, 30, 60))


def even() -> Population:
    """A number that is spread evenly, and an answer that rises with it."""
    rng = np.random.default_rng(24)
    number = rng.uniform(0, 1000, EVERYBODY)
    return Population(number, rng.random(EVERYBODY) < number / 1000, 0, 1000, 5, (0, 300, 700))


def incomes() -> Population:
    """The made census's incomes, and who bikes or walks."""
    table = ds.census(200_000, seed=25)
    bikes = np.isin(np.array(table["travel"].to_pylist()), ["bike", "walk"])
    income = table["income"].to_numpy().astype(float)
    return Population(income, bikes, 0, 150_000, 500, (0, 30_000, 60_000))


MADE: Mapping[str, Callable[[], Population]] = {
    "made": made,
    "humps": humps,
    "waiting": waiting,
    "even": even,
    "incomes": incomes,
}


def real(data: Path) -> Iterator[tuple[str, Callable[[], Population]]]:
    """Yield the populations of data sets."""

    def columns(name: str, *wanted: str) -> list[npt.NDArray[np.generic]]:
        table = pa.csv.read_csv(data / name)
        return [table[each].to_numpy(zero_copy_only=False) for each in wanted]

    def adult_age() -> Population:
        age, income = columns("adult.csv.gz", "age", "income")
        return Population(age.astype(float), income == ">50K", 15, 95, 1, (15, 30, 50))

    def adult_hours() -> Population:
        hours, sex = columns("adult.csv.gz", "hours-per-week", "sex")
        return Population(hours.astype(float), sex == "Female", 0, 100, 1, (0, 35, 45))

    def bank_age() -> Population:
        age, housing = columns("bank-full.csv.gz", "age", "housing")
        return Population(age.astype(float), housing == "yes", 15, 95, 1, (15, 35, 50))

    def bank_balance() -> Population:
        balance, y = columns("bank-full.csv.gz", "balance", "y")
        return Population(balance.astype(float), y == "yes", -2_000, 20_000, 50, (-2_000, 0, 2_000))

    def cps() -> Population:
        pay, female = columns("cps09mar.csv", "earnings", "female")
        hand = (0, 20_000, 60_000)
        return Population(pay.astype(float), female == 1, 0, 250_000, 1_000, hand)

    def cps_union() -> Population:
        pay, union = columns("cps09mar.csv", "earnings", "union")
        hand = (0, 20_000, 60_000)
        return Population(pay.astype(float), union == 1, 0, 250_000, 1_000, hand)

    def cps_week() -> Population:
        hours, married = columns("cps09mar.csv", "hours", "marital")
        return Population(hours.astype(float), married == 1, 0, 100, 1, (0, 40, 50))

    for own in (adult_age, adult_hours, bank_age, bank_balance, cps, cps_union, cps_week):
        yield own.__name__, own


@dataclass
class Measured:
    """What intervals of one kind hold, over runs."""

    covered: list[Vector] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    widest: float = 0.0

    def add(self, ends: Vector, truth: Vector) -> None:
        low, high = np.moveaxis(ends, -1, 0)
        known = ~np.isnan(low)
        self.covered.append(((low <= truth) & (truth <= high))[known].astype(float))
        self.widths.append(float(np.nanmean(high - low)))
        self.widest = max(self.widest, float(np.nanmax(high - low)))

    def __str__(self) -> str:
        each = [own.mean() for own in self.covered]
        error = np.std(each) / np.sqrt(len(each))
        return (
            f"{np.concatenate(self.covered).mean():7.3f} ±{error:.3f}{np.mean(self.widths):9.4f}"
            f"{self.widest:9.3f}"
        )


def starts(labels: Sequence[str]) -> list[float]:
    """Return where bins begin."""
    return [float(label.strip("[])").split(",")[0]) for label in labels]


def measure(
    population: Population, runs: int, seed: int
) -> tuple[dict[str, Measured], Counter[tuple[float, ...]]]:
    """Return what intervals hold, and how often which bins were chosen."""
    found: dict[str, Measured] = {}
    chosen: Counter[tuple[float, ...]] = Counter()
    for run in range(runs):
        reports = population.reports((seed, run))
        for name, bins in ((UNNAMED, None), (BY_HAND, {"x": list(population.hand)})):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ds.DependenceWarning)  # one run in a thousand
                table = ds.joint(reports, ["x", "a"], bins=bins)
                rows = ds.frequencies(reports, "a", by="x", bins=bins)
            edges = starts(table.labels[0])
            cells = population.cells(edges)
            found.setdefault(f"cells {name}", Measured()).add(table.interval(), cells)
            own = cells / cells.sum(axis=1, keepdims=True)
            found.setdefault(f"rows {name}", Measured()).add(rows.interval(), own)
            if name == UNNAMED:
                chosen[tuple(edges)] += 1
    return found, chosen


def main() -> None:
    """Print what is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, help="a folder of data sets")
    parser.add_argument("--on", nargs="*", help="populations; all, if none is named")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    known = MADE if given.data is None else {**MADE, **dict(real(given.data))}
    for name in given.on or known:
        print(f"{name}: {given.runs} runs of {OWNERS:,} owners, seed {given.seed}")
        found, chosen = measure(known[name](), given.runs, given.seed)
        print(f"{'':15}{'covered':>14}{'width':>9}{'widest':>9}")
        for what, own in sorted(found.items()):
            print(f"{what:15}{own}", flush=True)
        for edges, times in chosen.most_common(3):
            print(f"  {times:4} times {', '.join(f'{edge:g}' for edge in edges)}", flush=True)


if __name__ == "__main__":
    main()
