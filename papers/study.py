"""What all papers have in common: a study, its steps, what they measure, and checks of that."""

import os
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from math import inf, isnan, nan
from multiprocessing import get_context
from typing import ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from threadpoolctl import threadpool_limits

from discretion.errors import DependenceWarning
from papers.data import Dataset
from papers.exhibit import Exhibit

Cells = npt.NDArray[np.float64]  # the probabilities of a table
Vector = npt.NDArray[np.float64]
Key = tuple[Hashable, ...]
Measurement = tuple[Key, float | str]
Watch = Callable[[Sequence[str]], Iterator[str]]


class Effort(NamedTuple):
    """How much of a study is asked for; None stands for the study's own default."""

    runs: int | None = None
    rows: int | None = None  # of tables that are made up
    quick: bool = False


class Step(NamedTuple):
    """A part of a study that can be run by itself, in any process."""

    title: str
    run: Callable[[], Iterable[Measurement]]
    alone: bool = False  # it measures time, so nothing else may run meanwhile


class Findings:
    """Everything measured: for each key one value per run, in the order of the steps."""

    def __init__(self, measured: Iterable[Measurement] = ()) -> None:
        self._values: dict[Key, list[float | str]] = {}
        for key, value in measured:
            self._values.setdefault(key, []).append(value)

    def __contains__(self, key: Key) -> bool:
        return key in self._values

    def runs(self, *key: Hashable) -> Vector:
        return np.array(self._values.get(key, ()), np.float64)

    def mean(self, *key: Hashable) -> float:
        """Return the mean over runs; nan if there was none."""
        return mean(self.runs(*key))

    def stderr(self, *key: Hashable) -> float:
        """Return the standard error of the mean; nan unless there were two runs."""
        return stderr(self.runs(*key))

    def rms(self, *key: Hashable) -> float:
        """Return the root mean square over runs; nan if there was none."""
        return float(np.sqrt(mean(self.runs(*key) ** 2)))

    def text(self, *key: Hashable) -> str:
        return str(self._values[key][-1])


def mean(values: Vector) -> float:
    """Return the mean of some runs; nan of none."""
    return float(values.mean()) if len(values) else nan


def distance(one: Cells, other: Cells) -> float:
    """Return half the sum of absolute differences: the papers' AVD, total variation."""
    return float(np.abs(one - other).sum() / 2)


def stderr(values: Vector) -> float:
    """Return the standard error of the mean of some runs; nan of less than two."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else nan


@dataclass(frozen=True)
class Check:
    """A value that must lie between two bars."""

    rule: str
    about: str  # a row of the rule's table
    at: str  # a column of it
    value: float
    stderr: float = nan
    low: float = -inf
    high: float = inf

    @classmethod
    def ratio(
        cls, rule: str, about: str, at: str, ours: Vector, theirs: Vector | float, most: float
    ) -> Self:
        """Check the ratio of two means; runs of the same number had the same seed."""
        value, error = _ratio(ours, theirs)
        return cls(rule, about, at, value, error, high=most)

    @classmethod
    def over(
        cls, rule: str, about: str, at: str, ours: Vector, theirs: Vector | float, least: float
    ) -> Self:
        """Check the same of what is better when it is larger."""
        value, error = _ratio(ours, theirs)
        return cls(rule, about, at, value, error, low=least)

    @property
    def met(self) -> bool:
        return self.low <= self.value <= self.high

    @property
    def bar(self) -> str:
        if self.high == inf:
            return f"≥ {self.low:.3g}"
        return f"≤ {self.high:.3g}" if self.low == -inf else f"in {self.low:.3g} to {self.high:.3g}"

    def __str__(self) -> str:
        error = "" if isnan(self.stderr) else f" ± {_shown(self.stderr, 2)}"
        return f"{_shown(self.value, 3)}{error} {self.bar}: {'met' if self.met else 'missed'}"


def _ratio(ours: Vector, theirs: Vector | float) -> tuple[float, float]:
    """Return the ratio of two means, and its standard error."""
    base = float(np.mean(theirs))
    value = mean(ours) / base
    return value, stderr(ours - value * theirs) / base


def _shown(value: float, digits: int) -> str:
    """Return three decimals, of numbers from one on so many digits."""
    return f"{value:.3f}" if round(abs(value), 3) < 1 else f"{value:#.{digits}g}"


class Study(ABC):
    """The experiment of one paper, with our methods beside its own."""

    name: ClassVar[str]  # of the command, the template and the page
    printed: ClassVar[tuple[str, ...]]  # the tables that a terminal shows

    @classmethod
    @abstractmethod
    def of(cls, effort: Effort) -> Self:
        """Return the study with so much effort."""

    @property
    @abstractmethod
    def datasets(self) -> tuple[Dataset, ...]:
        """The files that it needs."""

    @abstractmethod
    def steps(self, tables: Mapping[str, pa.Table]) -> list[Step]:
        """Return what is to be measured; ``tables`` are those of the files, by name."""

    @abstractmethod
    def checks(self, found: Findings) -> Iterator[Check]:
        """Yield everything that must be true of what was measured, rule by rule."""

    @abstractmethod
    def exhibits(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        """Yield the words, tables and figures of the page, by the names in its template."""


def measure(steps: Iterable[Step], watch: Watch = iter, workers: int | None = None) -> Findings:
    """Run all steps, on all cores unless they measure time; ``watch`` is given their titles."""
    apart = sorted(steps, key=lambda step: step.alone)
    titles = watch([step.title for step in apart])
    together = [step for step in apart if not step.alone]
    done = chain(_done(together, workers), map(_run, apart[len(together) :]))
    return Findings(chain.from_iterable(each for _, each in zip(titles, done, strict=True)))


def _done(steps: Sequence[Step], workers: int | None) -> Iterator[list[Measurement]]:
    """Yield what each step measured, in their order."""
    workers = min(workers or os.cpu_count() or 1, len(steps))
    if workers <= 1:
        yield from map(_run, steps)
        return
    one_thread = partial(threadpool_limits, 1)  # in each process: there is one for every core
    with ProcessPoolExecutor(workers, get_context("spawn"), one_thread) as pool:
        yield from pool.map(_run, steps)


def _run(step: Step) -> list[Measurement]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)  # one in a thousand by design
        return list(step.run())
