"""Table 2 and Figures 5 to 7 of the PLDP paper: which trials they are made of, and their means."""

import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from statistics import median
from time import perf_counter

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.errors import DependenceWarning
from discretion.estimate import frequencies
from discretion.joints import joint
from discretion.table import ReportTable
from papers.dataset import DATASETS, Dataset
from papers.trial import (
    APART,
    KNOWN,
    LOPUB,
    OURS,
    PLDP,
    WAYS,
    Setting,
    Trial,
    Way,
    available,
    crowd,
    run,
)

FIRST_SEED = 9001  # none of these was used while the methods were made
S1, S2 = Setting("S#1", 5, (1, 5)), Setting("S#2", 5, 3)
SETTING1, SETTING2 = Setting("Setting#1", 4, (1, 4)), Setting("Setting#2", 4, 2)
SETTING3 = tuple(Setting(f"Setting#3, k = {k}", 4, 2, float(k)) for k in (1, 2, 3, 4))
BARRED = (OURS, KNOWN, APART)  # what bars are about
DRAWN = (OURS, APART, *(Way(method, True) for method in PLDP))
BUDGETS = (0.5, 1.0, 2.0, 3.0, 4.0, 5.0)  # averages, for Figure 7
TIMED = 3  # times of which the median counts
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
Means = npt.NDArray[np.float64]
Times = tuple[float, ...]
Settings = tuple[Setting, ...]
Watch = Callable[[Sequence[str]], Iterator[str]]


@dataclass(frozen=True)
class Scope:
    """How much is done: which data sets, and how many seeds for each of them."""

    seeds: Mapping[str, int]
    others: int = 3  # for what no bar is about
    papers: int = 1  # for the papers' methods: they are slow, and err much the same each time
    drawn: int = 3  # for the figures
    figures: bool = True

    @classmethod
    def of(cls, seeds: int | None, *, quick: bool) -> "Scope":
        """Return the whole of it, or with ``quick`` the small data sets and the table alone."""
        if quick:
            few = dict.fromkeys(("Abalone", "Car"), seeds or 2)
            return cls(few, others=1, papers=0, figures=False)
        usual = {"Adult": 10, "Abalone": 20, "Bank": 10, "Car": 20}
        return cls(usual if seeds is None else dict.fromkeys(usual, seeds))

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        return tuple(dataset for name, dataset in DATASETS.items() if name in self.seeds)


@dataclass(frozen=True)
class Task:
    """A trial that is yet to run."""

    dataset: Dataset
    setting: Setting
    seed: int
    ways: tuple[Way, ...]

    @property
    def title(self) -> str:
        return f"{self.dataset.name}, {self.setting.name}"


@dataclass(frozen=True)
class Findings:
    """All trials, and the seconds of single estimates."""

    scope: Scope
    trials: tuple[Trial, ...]
    by_order: Mapping[Way, Times] = field(default_factory=dict)  # Adult, k = 1, ..., 4
    by_budget: Mapping[str, Times] = field(default_factory=dict)  # pairs, as BUDGETS

    def of(self, dataset: str, setting: str, way: Way) -> Means:
        """Return the distances (seeds, k) of one way, in the order of the seeds."""
        trials = [t for t in self.trials if (t.dataset, t.setting) == (dataset, setting)]
        trials.sort(key=lambda trial: trial.seed)
        return np.array([t.distances[way] for t in trials if way in t.distances])

    def ways(self, dataset: str, setting: str) -> tuple[Way, ...]:
        """Return the ways that were tried, in the order in which they are listed."""
        trials = [t for t in self.trials if (t.dataset, t.setting) == (dataset, setting)]
        return tuple(way for way in WAYS if any(way in trial.distances for trial in trials))


def measure(
    scope: Scope, records: Mapping[str, pa.Table], watch: Watch = iter, workers: int | None = None
) -> Findings:
    """Run everything in the scope; ``watch`` is given all steps and follows them."""
    listed = tasks(scope)
    timed = [dataset.name for dataset in scope.datasets] if scope.figures else []
    steps = watch([*(task.title for task in listed), *(f"times on {name}" for name in timed)])
    found = [trial for trial, _ in zip(trials(listed, records, workers), steps, strict=False)]
    by_order = seconds_by_order(records["Adult"]) if timed else {}
    by_budget = {
        name: seconds_by_budget(DATASETS[name], records[name])
        for name, _ in zip(timed, steps, strict=False)
    }
    return Findings(scope, tuple(found), by_order, by_budget)


def tasks(scope: Scope) -> list[Task]:
    """List all trials: first those that bars are about, and of each kind the longest first."""
    usual = tuple(way for way in WAYS if way not in BARRED and way.method not in (*PLDP, *LOPUB))
    kinds: list[tuple[tuple[Way, ...], Settings, int]] = [
        (BARRED, (S1, S2), max(scope.seeds.values())),
        (usual, (S1, S2), scope.others),
        (DRAWN[:2], (SETTING1, SETTING2, *SETTING3), scope.drawn * scope.figures),
        (DRAWN[2:], (SETTING1, SETTING2, *SETTING3), scope.papers * scope.figures),
        (tuple(way for way in WAYS if way.method in PLDP), (S1, S2), scope.papers),
        *(((way,), (S1, S2), scope.papers) for way in WAYS if way.method in LOPUB),
    ]
    return [
        Task(dataset, setting, FIRST_SEED + i, available(ways))
        for ways, settings, most in kinds
        for dataset in sorted(scope.datasets, key=lambda dataset: -dataset.rows)
        for i in range(min(most, scope.seeds[dataset.name]))
        for setting in settings
        if dataset.name == "Adult" or setting not in SETTING3
    ]


def trials(
    listed: Sequence[Task], records: Mapping[str, pa.Table], workers: int | None = None
) -> Iterator[Trial]:
    """Run all trials, on all cores if there are several; yield each when it is done."""
    workers = min(workers or os.cpu_count() or 1, len(listed))
    if workers == 1:
        for task in listed:
            yield _run(task, records[task.dataset.name])
        return
    with _one_thread(), ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        running = [pool.submit(_run, task, records[task.dataset.name]) for task in listed]
        for done in as_completed(running):
            yield done.result()


def seconds_by_order(records: pa.Table, ways: Sequence[Way] = DRAWN) -> dict[Way, Times]:
    """Measure for Figure 5(b) one estimate of the first k attributes of Adult, k = 1, ..., 4."""
    dataset = DATASETS["Adult"]
    found = {}
    for way in available(ways):
        reports = crowd(dataset, records, SETTING1, FIRST_SEED, secret=way.secret)
        sets = [dataset.attributes[:k] for k in range(1, SETTING1.attributes + 1)]
        found[way] = tuple(_seconds(reports, names, way.method) for names in sets)
    return found


def seconds_by_budget(dataset: Dataset, records: pa.Table) -> Times:
    """Measure for Figure 7 one estimate of the first pair of attributes, at each average budget."""
    times = []
    for average in BUDGETS:
        setting = replace(SETTING1, average=average)
        reports = crowd(dataset, records, setting, FIRST_SEED, secret=True)
        times.append(_seconds(reports, dataset.attributes[:2], OURS.method))
    return tuple(times)


def _seconds(reports: ReportTable, names: Sequence[str], method: str) -> float:
    times = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)
        for _ in range(TIMED):
            start = perf_counter()
            if len(names) > 1:
                joint(reports, names, method)
            else:
                frequencies(reports, names[0])
            times.append(perf_counter() - start)
    return median(times)


def _run(task: Task, records: pa.Table) -> Trial:
    return run(task.dataset, records, task.setting, task.seed, task.ways)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let processes that start meanwhile use one thread each: there is one for every core."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
