"""What a go of ``benchmarks.run`` found, by who, what and how large."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from benchmarks.cells import OURS, PEERS, Cell


@dataclass(frozen=True, slots=True)
class Result:
    """One cell with what was measured, or why nothing was."""

    cell: Cell
    seconds: Mapping[str, float]
    base_mb: float
    peak_mb: float
    failed: str | None

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Self:
        cell = Cell(**{field.name: document[field.name] for field in fields(Cell)})
        seconds, failed = document.get("seconds", {}), document.get("failed")
        return cls(
            cell, seconds, document.get("base_mb", 0.0), document.get("peak_mb", 0.0), failed
        )

    def microseconds(self, step: str) -> float:
        """Return the time for each report; the peers count and estimate in one call."""
        if step == "count" and self.cell.who in PEERS:
            step = "server"
        return self.seconds[step] / self.cell.owners * 1e6


@dataclass(frozen=True, slots=True)
class Results:
    """All cells of a go."""

    every: Sequence[Result]

    @classmethod
    def of(cls, cells: Sequence[Mapping[str, Any]]) -> Self:
        return cls([Result.of(cell) for cell in cells])

    @property
    def failures(self) -> list[Result]:
        return [result for result in self.every if result.failed]

    def done(self, task: str) -> list[Result]:
        return [r for r in self.every if r.cell.task == task and not r.failed]

    def compared(self) -> dict[tuple[str, int], dict[str, Result]]:
        """Return who was measured, by mechanism and size, where ours and somebody else's was."""
        rows: dict[tuple[str, int], dict[str, Result]] = {}
        for result in self.done("compare"):
            row = rows.setdefault((result.cell.mechanism, result.cell.size), {})
            row[result.cell.who] = result
        return {key: row for key, row in rows.items() if OURS in row and len(row) > 1}

    def lines(self, along: str) -> dict[str, list[tuple[int, float]]]:
        """Return the points (x, seconds) of each step, as the ``owners`` or the ``codes`` grow."""
        points: dict[str, list[tuple[int, float]]] = {}
        for result in self.done(along):
            x = result.cell.owners if along == "owners" else result.cell.size
            for step, seconds in result.seconds.items():
                points.setdefault(step, []).append((x, seconds))
        return points
