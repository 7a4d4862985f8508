"""What Prometheus may scrape: counts and times, nothing about anybody."""

from collections.abc import Callable, Mapping
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)

from discretion.collector.outcome import Outcome

Counts = Mapping[tuple[Outcome, str], int]
SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
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
        self._answered: dict[tuple[str, int], Counter] = {}
        self._problems = Counter("problems", "Requests refused, by problem.", ["name"], **shared)
        self._waiting = Gauge("waiting_reports", "Reports not kept yet.", **shared)

    def watch(self, waiting: Callable[[], int]) -> None:
        """Ask for the length of the queue whenever the metrics are."""
        self._waiting.set_function(waiting)

    def group(self, reports: int, seconds: float) -> None:
        """Note a group that was kept."""
        if reports:
            self._groups.observe(reports)
            self._commits.observe(seconds)

    def outcomes(self, counts: Counts) -> None:
        """Note what became of reports."""
        for (outcome, reason), count in counts.items():
            self._reports.labels(outcome, reason).inc(count)

    def answered(self, route: str, status: int) -> None:
        """Note an answer."""
        key = route, status
        if key not in self._answered:  # to look one up costs more than to count
            self._answered[key] = self._answers.labels(route, status)
        self._answered[key].inc()

    def problem(self, name: str) -> None:
        """Note a request that was refused as a whole."""
        self._problems.labels(name).inc()

    def text(self) -> bytes:
        """Return what is scraped."""
        return generate_latest(self._registry)
