"""What Prometheus may scrape: counts and times, nothing about anybody."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from copy import copy
from functools import partial
from math import nan
from typing import Any, Self, TypeVar

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from discretion.collector.errors import StoreUnavailable
from discretion.collector.outcome import Outcome
from discretion.collector.store import Store
from discretion.collector.store.database import Database, DiskUsage

Counts = Mapping[tuple[Outcome, str], int]
Kind = TypeVar("Kind", Counter, Gauge, Histogram)
Source = TypeVar("Source")
SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
LONG_SECONDS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300)
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)


def _kept(store: Store) -> int:
    counts = store.counters()
    return counts[Outcome.ACCEPTED].get("", 0) - counts[Outcome.DELETED].get("", 0)


# Gauges by their names: what each of them is, and how it is read.
OF_PLAN: Mapping[str, tuple[str, Callable[[Store], float]]] = {
    "kept_reports": ("Reports accepted and not deleted.", _kept),
    "snapshot_lag_reports": ("Reports, at most, that the next question has to count.", Store.lag),
}
OF_STORE: Mapping[str, tuple[str, Callable[[DiskUsage], float | None]]] = {
    "store_bytes": ("Bytes of the store.", lambda usage: usage.store),
    "log_bytes": ("Bytes of the store's write-ahead log.", lambda usage: usage.log),
    "free_bytes": ("Bytes that are free on the store's disk.", lambda usage: usage.free),
}


class Metrics:
    """The metrics of one server process, as one of its plans notes them.

    The label ``plan`` is the name that the plan is served under. It is empty where one plan is
    served, and for what concerns no plan; to Prometheus an empty label is none.
    """

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # they would reveal when the first report came
        self._plan, self._registry = "", CollectorRegistry()
        shared: Any = {"registry": self._registry, "namespace": "discretion"}

        def of_plans(kind: type[Kind], name: str, what: str, *labels: str, **more: Any) -> Kind:
            return kind(name, what, ["plan", *labels], **shared, **more)

        times = partial(of_plans, Histogram, buckets=SECONDS)
        sent = "Reports sent, by outcome and reason."
        self._reports = of_plans(Counter, "reports", sent, "outcome", "reason")
        self._groups = of_plans(Histogram, "group_reports", "Reports in one commit.", buckets=SIZES)
        self._commits = times("group_seconds", "Time to read and keep a group.")
        answered = "Requests answered, by route and status."
        self._answers = of_plans(Counter, "answers", answered, "route", "status")
        self._times = times("answer_seconds", "Time to answer, by route.", "route")
        self._answered: dict[tuple[str, int], tuple[Counter, Histogram]] = {}
        self._problems = of_plans(Counter, "problems", "Requests refused, by problem.", "name")
        self._waiting = of_plans(Gauge, "waiting_reports", "Reports not kept yet.")
        self._asked = of_plans(Gauge, "waiting_questions", "Questions not begun yet.")
        asked = "Time to work out a question, by kind."
        self._questions = times("question_seconds", asked, "question", buckets=LONG_SECONDS)
        replaced = "Analysts that died or took too long."
        self._replaced = Counter("analysts_replaced", replaced, **shared)
        self._of_plan = {n: of_plans(Gauge, n, what) for n, (what, _) in OF_PLAN.items()}
        self._of_store = {n: Gauge(n, what, **shared) for n, (what, _) in OF_STORE.items()}
        ProcessCollector(registry=self._registry)

    def of(self, plan: str) -> Self:
        """Return the same metrics, to be noted for a plan."""
        own = copy(self)
        own._plan, own._answered = plan, {}
        return own

    def watch_plan(
        self, store: Store, reports: Callable[[], int], questions: Callable[[], int]
    ) -> None:
        """Ask what waits of the plan, and what the store has of it, at every scrape."""
        self._waiting.labels(self._plan).set_function(reports)
        self._asked.labels(self._plan).set_function(questions)
        for name, (_, read) in OF_PLAN.items():
            value = partial(_read, lambda: store, read)
            self._of_plan[name].labels(self._plan).set_function(value)

    def watch_store(self, database: Database) -> None:
        """Read the disk usage of the store at every scrape."""
        for name, (_, read) in OF_STORE.items():
            self._of_store[name].set_function(partial(_read, database.disk_usage, read))

    def group(self, reports: int, seconds: float) -> None:
        """Note a group that was kept."""
        if reports:
            self._groups.labels(self._plan).observe(reports)
            self._commits.labels(self._plan).observe(seconds)

    def outcomes(self, counts: Counts) -> None:
        """Note what became of reports."""
        for (outcome, reason), count in counts.items():
            self._reports.labels(self._plan, outcome, reason).inc(count)

    def answered(self, route: str, status: int, seconds: float) -> None:
        """Note an answer, and how long it took."""
        key = route, status
        if key not in self._answered:  # to look one up costs more than to count
            count = self._answers.labels(self._plan, route, status)
            self._answered[key] = count, self._times.labels(self._plan, route)
        count, times = self._answered[key]
        count.inc()
        times.observe(seconds)

    def question(self, kind: str) -> AbstractContextManager[object]:
        """Note how long a question is worked on, whatever comes of it."""
        return self._questions.labels(self._plan, kind).time()

    def replaced(self) -> None:
        """Note that a worker had to be replaced."""
        self._replaced.inc()

    def problem(self, name: str) -> None:
        """Note a request that was refused as a whole."""
        self._problems.labels(self._plan, name).inc()

    def text(self) -> bytes:
        """Return what is scraped; it reads the store."""
        return generate_latest(self._registry)


def _read(source: Callable[[], Source], read: Callable[[Source], float | None]) -> float:
    """Return what is read; not a number where the store does not say."""
    try:
        found = read(source())
    except StoreUnavailable:
        return nan
    return nan if found is None else found
