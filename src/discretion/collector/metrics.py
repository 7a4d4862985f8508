"""What Prometheus may scrape: counts and times, nothing about anybody."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from discretion.collector.outcome import Outcome
from discretion.collector.standing import GAUGES, UNKNOWN

Counts = Mapping[tuple[Outcome, str], int]
SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
LONG_SECONDS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300)
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)


class Metrics:
    """The metrics of one server process."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # they would tell when the first report came
        self._registry = CollectorRegistry()
        shared: Any = {"registry": self._registry, "namespace": "discretion"}
        self._reports = Counter(
            "reports", "Reports sent, by outcome and reason.", ["outcome", "reason"], **shared
        )
        self._groups = Histogram("group_reports", "Reports in one commit.", buckets=SIZES, **shared)
        self._commits = Histogram(
            "group_seconds", "Time to read and keep a group.", buckets=SECONDS, **shared
        )
        self._answers = Counter(
            "answers", "Requests answered, by route and status.", ["route", "status"], **shared
        )
        self._times = Histogram(
            "answer_seconds", "Time to answer, by route.", ["route"], buckets=SECONDS, **shared
        )
        self._answered: dict[tuple[str, int], tuple[Counter, Histogram]] = {}
        self._problems = Counter("problems", "Requests refused, by problem.", ["name"], **shared)
        self._waiting = Gauge("waiting_reports", "Reports not kept yet.", **shared)
        self._asked = Gauge("waiting_questions", "Questions not begun yet.", **shared)
        self._questions = Histogram(
            "question_seconds",
            "Time to work out a question, by kind.",
            ["question"],
            buckets=LONG_SECONDS,
            **shared,
        )
        self._replaced = Counter(
            "analysts_replaced", "Analysts that died or took too long.", **shared
        )
        self._gauges = {name: Gauge(name, help, **shared) for name, help in GAUGES.items()}
        self._measure: Callable[[], Mapping[str, float]] = lambda: UNKNOWN
        ProcessCollector(registry=self._registry)

    def watch(
        self,
        reports: Callable[[], int],
        questions: Callable[[], int],
        standing: Callable[[], Mapping[str, float]],
    ) -> None:
        """Ask how many reports and questions wait, and how the store stands, at every scrape."""
        self._waiting.set_function(reports)
        self._asked.set_function(questions)
        self._measure = standing

    def group(self, reports: int, seconds: float) -> None:
        """Note a group that was kept."""
        if reports:
            self._groups.observe(reports)
            self._commits.observe(seconds)

    def outcomes(self, counts: Counts) -> None:
        """Note what became of reports."""
        for (outcome, reason), count in counts.items():
            self._reports.labels(outcome, reason).inc(count)

    def answered(self, route: str, status: int, seconds: float) -> None:
        """Note an answer, and how long it took."""
        key = route, status
        if key not in self._answered:  # to look one up costs more than to count
            self._answered[key] = self._answers.labels(route, status), self._times.labels(route)
        count, times = self._answered[key]
        count.inc()
        times.observe(seconds)

    def question(self, kind: str) -> AbstractContextManager[object]:
        """Note how long a question is worked on, whatever comes of it."""
        return self._questions.labels(kind).time()

    def replaced(self) -> None:
        """Note that an analyst had to be replaced."""
        self._replaced.inc()

    def problem(self, name: str) -> None:
        """Note a request that was refused as a whole."""
        self._problems.labels(name).inc()

    def text(self) -> bytes:
        """Return what is scraped; it reads the store."""
        for name, value in self._measure().items():
            self._gauges[name].set(value)
        return generate_latest(self._registry)
