"""Respondents who selected themselves: ``python -m experiments.calibration [ADULT]``.

People answer the more likely the older they are, and by their work: the raw shares are biased. What
``calibrate`` makes of them with known margins of age and work is compared with the population: the
bias that is left, and how often intervals cover, of everybody and by group. Budgets are .5, 1, 2
and 4, by attribute and at random; a seventh of all values is missing. Two populations: a made
survey, and Adult (a CSV file).
"""

import argparse
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv

import discretion as ds
from discretion.plan import Plan

SEED, RUNS, RESPONDENTS = 20261123, 400, 20_000
MISSING, LEVELS = 1 / 7, (0.5, 1, 2, 4)
AGES = ["-25", "26-35", "36-45", "46-55", "56-65", "66-"]
AGE_ENDS = [26, 36, 46, 56, 66]
WORKS = ["private", "self", "public", "none"]
OF_WORK = {
    "Private": "private",
    "Self-emp-not-inc": "self",
    "Self-emp-inc": "self",
    "Federal-gov": "public",
    "Local-gov": "public",
    "State-gov": "public",
}
TRAVEL = ["car", "bus", "bike"]
AT, QUARTILES = [0.1, 0.25, 0.5, 0.75, 0.9], [0.25, 0.5, 0.75]
LENGTH = 2 * 1.959964  # of an interval, in standard errors
BY_AGE, BY_WORK = np.linspace(-0.7, 0.7, len(AGES)), np.array([0.2, -0.4, 0.5, -0.6])
Values = npt.NDArray[np.generic]
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Population:
    """Columns of all people: age, work, labels that are asked for, and a number."""

    columns: Mapping[str, Values]
    label: str
    number: str
    most: int  # the end of the number's range, which begins at 0

    @property
    def plan(self) -> Plan:
        return self.asked_at(LEVELS)

    def asked_at(self, levels: Sequence[float]) -> Plan:
        """Return the plan with these levels."""
        values = {n: sorted(set(self.columns[n].tolist())) for n in ("age", "work", self.label)}
        asked = [{"name": n, "kind": "categorical", "values": v} for n, v in values.items()]
        number = {"name": self.number, "kind": "numeric", "range": [0, self.most], "step": 1}
        whole = {"attributes": [*asked, number], "budget": {"levels": list(levels)}}
        return Plan.of({"name": "selected", **whole})

    def shares(self, name: str) -> dict[str, float]:
        labels, counts = np.unique(self.columns[name], return_counts=True)
        return dict(zip(labels.tolist(), (counts / counts.sum()).tolist(), strict=True))

    def truth(self) -> Iterator[tuple[str, Vector]]:
        """Yield what is estimated: shares of labels and the mean, of everybody and by work."""
        label, number = self.columns[self.label], self.columns[self.number].astype(np.float64)
        labels, codes = np.unique(label, return_inverse=True)
        works, group = np.unique(self.columns["work"], return_inverse=True)
        both = np.bincount(group * len(labels) + codes).reshape(len(works), -1)
        yield "shares", both.sum(axis=0) / len(label)
        yield "mean", np.array([number.mean()])
        yield "row per cents", (both / both.sum(axis=1, keepdims=True)).ravel()
        yield "means by group", np.bincount(group, number) / np.bincount(group)
        yield "quantiles", np.quantile(number, AT, method="inverted_cdf")
        yield "cdf", (number[:, None] <= self.points).mean(axis=0)
        yield "histogram", np.histogram(number, self.edges)[0] / len(number)
        by_work = (number[group == own] for own in range(len(works)))
        own = [np.quantile(each, QUARTILES, method="inverted_cdf") for each in by_work]
        yield "quantiles by group", np.ravel(own)

    @property
    def points(self) -> Vector:
        """Return numbers up to which there are some shares of all."""
        found: Vector = np.unique(
            np.quantile(self.columns[self.number].astype(float), AT, method="lower")
        )
        return found

    @property
    def edges(self) -> list[float]:
        """Return edges of bins."""
        return [0.0, *(self.points[1:-1] + 1).tolist(), float(self.most)]

    def chances(self) -> Vector:
        """Return how likely each is to be the next respondent."""
        ages, works = (self.columns[name] for name in ("age", "work"))
        odds = np.array([BY_AGE[AGES.index(age)] for age in ages])
        odds += np.array([BY_WORK[WORKS.index(work)] for work in works])
        chance: Vector = np.exp(odds)
        return chance / chance.sum()


def made(size: int = 200_000) -> Population:
    """Return a made survey in which travel depends on age and work together, as hours do."""
    rng = np.random.default_rng(SEED)
    age = rng.choice(6, size, p=[0.16, 0.18, 0.17, 0.18, 0.16, 0.15])
    work = np.where(
        rng.random(size) < 0.5 * (age > 3), 3, rng.choice(4, size, p=[0.55, 0.15, 0.2, 0.1])
    )
    car = 1 / (1 + np.exp(1.2 - 0.45 * age + 0.9 * (work == 3) * (age > 2)))
    drawn = rng.random(size)
    travel = np.where(drawn < car, 0, np.where(drawn < car + (1 - car) * 0.6, 1, 2))
    hours = np.clip(rng.normal(38 - 3 * np.abs(age - 2) - 14 * (work == 3), 8), 0, 80).round()
    columns = {
        "age": np.array(AGES)[age],
        "work": np.array(WORKS)[work],
        "travel": np.array(TRAVEL)[travel],
        "hours": hours.astype(np.int64),
    }
    return Population(columns, "travel", "hours", 80)


def adult(place: Path) -> Population:
    """Return all records of Adult, with ages and kinds of work in groups."""
    table = pa.csv.read_csv(place)
    age = np.digitize(table["age"].to_numpy(), AGE_ENDS)
    work = [OF_WORK.get(each, "none") for each in table["workclass"].to_pylist()]
    columns = {
        "age": np.array(AGES)[age],
        "work": np.array(work),
        "relationship": np.array(table["relationship"].to_pylist()),
        "hours-per-week": table["hours-per-week"].to_numpy(),
    }
    return Population(columns, "relationship", "hours-per-week", 100)


@dataclass(frozen=True)
class Measured:
    """A row per run: estimates, standard errors as intervals say, and whether these cover."""

    truth: Vector  # (k,)
    raw: npt.NDArray[np.float64]  # (runs, k)
    value: npt.NDArray[np.float64]
    stderr: npt.NDArray[np.float64]
    covered: npt.NDArray[np.bool_]

    @property
    def bias(self) -> Vector:
        """The bias that is left, in standard errors."""
        found: Vector = (self.value.mean(0) - self.truth) / self.stderr.mean(0)
        return found

    def __str__(self) -> str:
        rows = {
            "truth": self.truth,
            "raw bias": self.raw.mean(0) - self.truth,
            "bias": self.value.mean(0) - self.truth,
            "bias in stderr": self.bias,
            "sd": self.value.std(0),
            "stderr": self.stderr.mean(0),
            "coverage": self.covered.mean(0),
        }
        lines = [f"{name:15}" + "".join(f"{x:10.4f}" for x in row) for name, row in rows.items()]
        return "\n".join([*lines, f"coverage in all {self.covered.mean():.4f}"])


def measure(
    population: Population, runs: int, seed: int, only: Sequence[str] = ()
) -> dict[str, Measured]:
    """Let respondents select themselves, with replacement, so many times.

    ``only``: what is estimated, if not everything.
    """
    plan, chances = population.plan, population.chances()
    margins = {name: population.shares(name) for name in ("age", "work")}
    truth = {what: own for what, own in population.truth() if what in (only or [what])}
    rows: dict[str, list[tuple[Values, ...]]] = {what: [] for what in truth}
    for run in range(runs):
        rng = np.random.default_rng([seed, run])
        who = rng.choice(len(chances), RESPONDENTS, p=chances)
        records = {
            name: pa.array(column[who], mask=rng.random(RESPONDENTS) < MISSING)
            for name, column in population.columns.items()
        }
        reports = ds.simulate(plan, records, budgets="levels", seed=int(rng.integers(1 << 31)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ds.DependenceWarning)  # found by chance in one of 20
            weights = ds.calibrate(reports, margins)
            made = {
                what: (estimate(population, reports, None), estimate(population, reports, weights))
                for what, estimate in ESTIMATES.items()
                if what in truth
            }
        for what, (raw, found) in made.items():
            low, high = np.moveaxis(np.asarray(found.interval()), -1, 0).reshape(2, -1)
            covered = (low <= truth[what]) & (truth[what] <= high)
            stderr = (high - low) / LENGTH
            values = (np.ravel(each) for each in (raw.value, found.value, stderr))
            rows[what].append((*values, covered))
    return {
        what: Measured(truth[what], *map(np.array, zip(*own, strict=True)))
        for what, own in rows.items()
    }


Estimate = Callable[[Population, ds.ReportTable, ds.Calibration | None], Any]
ESTIMATES: Mapping[str, Estimate] = {
    "shares": lambda p, r, w: ds.frequencies(r, p.label, "weighted", weights=w),
    "mean": lambda p, r, w: ds.mean(r, p.number, weights=w),
    "row per cents": lambda p, r, w: ds.frequencies(r, p.label, by="work", weights=w),
    "means by group": lambda p, r, w: ds.mean(r, p.number, by="work", weights=w),
    "quantiles": lambda p, r, w: ds.quantiles(r, p.number, AT, weights=w),
    "cdf": lambda p, r, w: ds.cdf(r, p.number, p.points, weights=w),
    "histogram": lambda p, r, w: ds.histogram(r, p.number, p.edges, weights=w),
    "quantiles by group": lambda p, r, w: ds.quantiles(
        r, p.number, QUARTILES, by="work", weights=w
    ),
}


def main() -> None:
    """Print what is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("adult", type=Path, nargs="?", help="Adult as CSV.")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", nargs="+", default=(), choices=[*ESTIMATES], metavar="WHAT")
    given = parser.parse_args()
    populations = {"made survey": made()}
    if given.adult is not None:
        populations["Adult"] = adult(given.adult)
    for name, population in populations.items():
        print(f"{name}: {given.runs} runs of {RESPONDENTS:,} respondents, seed {given.seed}")
        for what, found in measure(population, given.runs, given.seed, given.only).items():
            print(f"{what}\n{found}", flush=True)


if __name__ == "__main__":
    main()
