"""The LoPub experiment: Figures 7 to 30, Tables 7 to 9, and all pairs of Adult's attributes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan

import numpy as np
import pyarrow as pa

from papers import lopub_census as census
from papers.lopub_census import TOTALS, Line, Run, Stop
from papers.lopub_crowd import Sample, Way
from papers.lopub_data import CENSUS, SURVEYS, Survey
from papers.lopub_pruning import Rates, pruned, true_entropies, true_information
from papers.lopub_published import RECORDS, Pruned
from papers.lopub_trial import ORDERS, Estimate, Quality, Trial, mistaken, run

FIRST_SEED = 30_001  # nothing of ours was tuned with these seeds
CHANCES = (0.5, 0.7, 0.9)  # f
CLASSIFIED = (0.5, 0.9)
FOREST, SVM = "random forest", "linear SVM"
Watch = Callable[[Sequence[str]], Iterator[str]]
Steps = list[tuple[str, Callable[[], object]]]


@dataclass(frozen=True)
class Scope:
    """How much is done."""

    runs: int = 2  # of the paper's figures
    census_runs: int = 3
    part: float = 1.0  # of the records
    rest: int = 4_000  # records for classifiers, half of them to learn from
    chances: tuple[float, ...] = CHANCES

    @classmethod
    def of(cls, runs: int | None, *, quick: bool) -> "Scope":
        """Return the whole of it, or with ``quick`` little."""
        if quick:
            return cls(runs or 1, runs or 1, 0.25, 1_000, CLASSIFIED)
        return cls(runs or cls.runs, runs or cls.census_runs)


@dataclass(frozen=True)
class Shuffled:
    """What was taken to depend in records without any dependence."""

    survey: str
    shares: Mapping[tuple[Way, float], float]  # by way and phi


@dataclass(frozen=True)
class CensusRun:
    """All pairs of Adult, published once."""

    line: Line
    total: float
    run: Run


@dataclass(frozen=True)
class Truth:
    """What is true of a whole file."""

    survey: str
    rows: int
    unrelated: float  # the mean distance of pairs from the products of their marginals
    pruned: Mapping[float, Pruned]  # by phi


@dataclass(frozen=True)
class Findings:
    """Everything measured."""

    scope: Scope
    trials: tuple[Trial, ...]
    shuffled: tuple[Shuffled, ...]
    runs: tuple[CensusRun, ...]
    truths: tuple[Truth, ...]

    def of(self, survey: str, f: float) -> list[Trial]:
        return [trial for trial in self.trials if (trial.survey, trial.f) == (survey, f)]

    def truth(self, survey: str) -> Truth:
        return next(truth for truth in self.truths if truth.survey == survey)

    def estimate(self, survey: str, f: float, way: Way, order: int) -> Estimate:
        """Return the means of a paper's estimator."""
        found = [trial.estimates[way, order] for trial in self.of(survey, f)]
        return Estimate(*np.mean(found, axis=0).tolist())

    def qualities(self, survey: str, f: float, way: Way) -> list[Quality]:
        return [trial.models[way] for trial in self.of(survey, f)]

    def model(self, survey: str, f: float, way: Way, order: int) -> float:
        """Return the mean distance of a model's tables of one order."""
        place = ORDERS.index(order)
        return float(np.mean([q.distances[place] for q in self.qualities(survey, f, way)]))

    def seconds(self, survey: str, f: float, way: Way) -> float:
        """Return the mean processor time from reports to a model."""
        return float(np.mean([quality.seconds for quality in self.qualities(survey, f, way)]))

    def rates(self, survey: str, f: float, way: Way) -> Rates:
        """Return how often dependence was told, on average."""
        found = [trial.rates[way] for trial in self.of(survey, f)]
        return Rates(*np.mean(found, axis=0).tolist())

    def classified(self, survey: str, f: float, way: Way, kind: str) -> tuple[float, float]:
        """Return the mean rate of a kind of classifier, and that of one that saw real records."""
        qualities = self.qualities(survey, f, way)
        found = [c.mean for q in qualities for c in q.classified if c.kind == kind]
        if not found:
            return nan, nan
        synthetic, real = np.mean([(t.synthetic, t.real) for t in found], axis=0).tolist()
        return synthetic, real

    def distances(self, total: float, line: Line, stop: Stop | None = None) -> list[float]:
        """Return the mean distance of all pairs of Adult, run by run."""
        own = [each.run for each in self.runs if (each.total, each.line) == (total, line)]
        return [run.distances[stop] for run in own]

    def best_stop(self, total: float, line: Line) -> Stop | None:
        """Return when LoPub's EM should have been stopped; of ours there is nothing to say."""
        if line.ours:
            return None
        return min(Stop, key=lambda stop: float(np.mean(self.distances(total, line, stop))))


def measure(scope: Scope, files: Mapping[str, pa.Table], watch: Watch = iter) -> Findings:
    """Do everything in the scope; ``watch`` is given the names of all steps."""
    steps = Steps()
    for survey in SURVEYS:
        records = survey.records(files[survey.name])
        steps += _steps(scope, survey, records)
        if survey is CENSUS:
            steps += _census_steps(scope, records)
    titles = [title for title, _ in steps]
    found = [step() for (_, step), _ in zip(steps, watch(titles), strict=False)]
    return Findings(
        scope,
        tuple(each for each in found if isinstance(each, Trial)),
        tuple(each for each in found if isinstance(each, Shuffled)),
        tuple(each for each in found if isinstance(each, CensusRun)),
        tuple(each for each in found if isinstance(each, Truth)),
    )


def _steps(scope: Scope, survey: Survey, records: pa.Table) -> Steps:
    """Return the steps of one survey: the samples are the same for all f."""
    whole = Sample.of(survey, records, len(records), 0, FIRST_SEED)
    steps: Steps = [(f"{survey.name}, all records", partial(_truth, whole))]
    size = round(scope.part * RECORDS[survey.name])
    for seed in range(FIRST_SEED, FIRST_SEED + scope.runs):
        sample = Sample.of(survey, records, size, scope.rest, seed)
        for f in scope.chances:
            title = f"{survey.name}, f = {f:g}, seed {seed}"
            steps.append((title, partial(run, sample, f, seed, classified=f in CLASSIFIED)))
    title = f"{survey.name}, shuffled"
    return [*steps, (title, partial(_shuffled, sample, scope.chances[-1], FIRST_SEED))]


def _truth(sample: Sample) -> Truth:
    survey, told, entropies = sample.survey, true_information(sample), true_entropies(sample)
    found = {phi: pruned(told, entropies, survey, phi) for phi in survey.degrees}
    return Truth(survey.name, len(sample.records), census.unrelated(sample), found)


def _shuffled(sample: Sample, f: float, seed: int) -> Shuffled:
    return Shuffled(sample.survey.name, mistaken(sample, f, seed))


def _census_steps(scope: Scope, records: pa.Table) -> Steps:
    size = round(scope.part * len(records))
    sample = Sample.of(CENSUS, records, size, 0, FIRST_SEED)
    return [
        (
            f"all pairs, budget {total:g}, {line}, seed {seed}",
            partial(_census, sample, line, total, seed),
        )
        for seed in range(FIRST_SEED, FIRST_SEED + scope.census_runs)
        for total in TOTALS
        for line in Line
    ]


def _census(sample: Sample, line: Line, total: float, seed: int) -> CensusRun:
    return CensusRun(line, total, census.run(sample, line, total, seed))
