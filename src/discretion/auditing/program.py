"""A device that is a program of its own: a command that is asked for reports, and writes them."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from subprocess import run
from typing import Self

from discretion.auditing.reports import Record
from discretion.budget import Budget
from discretion.errors import DiscretionError, ReportRefused
from discretion.plan import Plan
from discretion.report import Report, read


@dataclass(frozen=True, slots=True)
class Program:
    """A command that speaks the protocol of docs/audit.md."""

    command: tuple[str, ...]

    @classmethod
    def of(cls, command: str | Sequence[str]) -> Self:
        """Return the program of a command line, or of its words."""
        try:
            words = shlex.split(command) if isinstance(command, str) else command
        except ValueError as error:
            raise DiscretionError(f"device must be a command, got {command!r}: {error}") from None
        if not words:
            raise DiscretionError("device must be a command, got nothing")
        return cls(tuple(words))

    def __str__(self) -> str:
        return shlex.join(self.command)

    def send(
        self, plan: Plan, budget: Budget, records: Sequence[Record], count: int
    ) -> list[list[Report]]:
        """Return what so many new devices with the same records send, a record a round."""
        epsilons = {name: level / 1000 for name, level in budget.levels.items()}
        question = {"records": list(records), "budget": epsilons, "count": count}
        asked = json.dumps(question, default=float).encode()
        *lines, rest = self._run(plan.to_bytes() + b"\n" + asked + b"\n").split(b"\n")
        lines += [rest] if rest else []
        rounds, whole = len(records), count * len(records)
        if len(lines) != whole:
            rule = f"must write {whole:,} reports, a line each, got {len(lines):,}"
            raise DiscretionError(f"device {self}: {rule}")
        sent = [self._read(plan, line, place) for place, line in enumerate(lines)]
        return [sent[at : at + rounds] for at in range(0, whole, rounds)]

    def _run(self, data: bytes) -> bytes:
        try:
            done = run(self.command, input=data, capture_output=True, check=False)
        except OSError as error:
            raise DiscretionError(f"device {self}: cannot be started: {error.strerror}") from None
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            reason = said[-1] if said else "it said nothing"
            raise DiscretionError(f"device {self}: exit status {done.returncode}: {reason}")
        return done.stdout

    def _read(self, plan: Plan, line: bytes, place: int) -> Report:
        try:
            return read(plan, line)
        except ReportRefused as error:
            rule = f"line {place + 1:,} is no report of the plan"
            raise DiscretionError(f"device {self}: {rule}: {error}") from None
