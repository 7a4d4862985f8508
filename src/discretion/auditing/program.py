"""A device that is a program of its own: a command that is asked for reports, and writes them."""

import json
import shlex
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from subprocess import PIPE, Popen
from tempfile import TemporaryFile
from typing import IO, Self, cast

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
        self, plan: Plan, budget: Budget, asked: Sequence[Sequence[Record]], count: int
    ) -> Generator[list[list[Report]], None, None]:
        """Yield for each history of records what so many new devices send, a record a round.

        One process is asked for all, and what it writes is read as it is needed.
        """
        whole = count * sum(map(len, asked))
        with TemporaryFile() as questions, TemporaryFile() as said:
            questions.writelines(_questions(plan, budget, asked, count))
            questions.seek(0)
            with self._start(questions, said) as process:
                try:
                    sent = self._reports(plan, process, said, whole)
                    for records in asked:
                        yield [list(islice(sent, len(records))) for _ in range(count)]
                finally:
                    process.kill()

    def _start(self, questions: IO[bytes], said: IO[bytes]) -> Popen[bytes]:
        try:
            return Popen(self.command, stdin=questions, stdout=PIPE, stderr=said)
        except OSError as error:
            raise DiscretionError(f"device {self}: cannot be started: {error.strerror}") from None

    def _reports(
        self, plan: Plan, process: Popen[bytes], said: IO[bytes], whole: int
    ) -> Iterator[Report]:
        """Yield what was written; the last report only if all is well at the end."""
        index = 0
        for index, line in enumerate(islice(_output(process), whole), 1):
            try:
                report = read(plan, line.removesuffix(b"\n"))
            except ReportRefused as error:
                self._end(process, said)
                rule = f"line {index:,} is no report of the plan"
                raise DiscretionError(f"device {self}: {rule}: {error}") from None
            if index < whole:
                yield report
        written = index + self._end(process, said)
        if written != whole:
            rule = f"must write {whole:,} reports, a line each, got {written:,}"
            raise DiscretionError(f"device {self}: {rule}")
        yield report

    def _end(self, process: Popen[bytes], said: IO[bytes]) -> int:
        """Wait for the end, which must be a good one, and return how many lines were left."""
        left = sum(1 for _ in _output(process))
        if process.wait():
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()
            reason = lines[-1] if lines else "it said nothing"
            raise DiscretionError(f"device {self}: exit status {process.returncode}: {reason}")
        return left


def _output(process: Popen[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", process.stdout)


def _questions(
    plan: Plan, budget: Budget, asked: Sequence[Sequence[Record]], count: int
) -> Iterator[bytes]:
    yield plan.to_bytes() + b"\n"
    epsilons = {name: level / 1000 for name, level in budget.levels.items()}
    for records in asked:
        question = {"records": list(records), "budget": epsilons, "count": count}
        yield json.dumps(question, default=float).encode() + b"\n"
