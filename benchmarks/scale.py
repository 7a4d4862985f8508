"""Scale: more reports than memory, on one thread, on two, and on a Dask cluster.

Frequencies and a pair table from folders of one- and two-attribute reports, each folder in a
process of its own, for its time and its peak of memory; the slope of time in the number of reports;
and the same on a Dask cluster of two workers on this machine, bit for bit, beside threads.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.cells import MILLION, NOISE, VALUES
from benchmarks.claim import Claim, Curve, Section, tell
from benchmarks.measure import peak_mb, timed
from discretion import Plan, ReportFolder, ReportTable, frequencies, joint, simulate
from discretion.engine import LocalEngine
from discretion.engine.cluster import DaskEngine
from discretion.kernel.cache import warm

MOST, BYTES = 1000 * MILLION, 20  # reports of the largest folder, and about what one has on disk
COMPARED = 10 * MILLION  # reports with which engines are compared
PART = 1 << 20  # reports that are made at once
NAMES, SIZE = ("a", "b"), 8
MOST_MB, SLOPES, LEAST = 1000, (0.95, 1.1), 1 / 1.25  # Dask may take a quarter more
ROUNDS, ENOUGH = 3, 30 * MILLION  # processes of which the fastest counts, and reports in all
GOES, SMALL = 10, 3 * MILLION  # goes in one process, while these are few reports in all
TURNS = 5  # of threads and Dask, one after the other: a machine that is warm is slower

ONE = "one"  # thread
STEPS = ("frequencies", "frequencies, `mle`", "pair table, `tensor`", "pair table, `mle`")

Answer = dict[str, Any]
Times = dict[str, float]  # by step


def plan() -> Plan:
    """Return two questions of eight labels each, with four levels."""
    attributes = [
        {"name": name, "kind": "categorical", "values": [str(v) for v in range(SIZE)]}
        for name in NAMES
    ]
    budget = {"levels": [0.5, 1, 2, 4]}
    return Plan.of({"name": "scale", "attributes": attributes, "budget": budget})


def parts(count: int) -> Iterator[ReportTable]:
    """Yield reports of owners who share one or both of two dependent attributes."""
    labels = pa.array([str(value) for value in range(SIZE)])
    for place, start in enumerate(range(0, count, PART)):
        rng = np.random.default_rng((VALUES, place))
        n = min(PART, count - start)
        one = rng.choice(SIZE, n, p=np.arange(1, SIZE + 1) / (SIZE * (SIZE + 1) / 2))
        other = np.where(rng.random(n) < 0.5, one, rng.integers(0, SIZE, n))
        records = pa.table({"a": labels.take(pa.array(one)), "b": labels.take(pa.array(other))})
        seed = int(np.random.default_rng((NOISE, place)).integers(1 << 63))
        yield simulate(plan(), records, budgets="levels", share=(1, 2), seed=seed)


def asked(place: str, engine: str) -> Answer:
    """Estimate from a folder, and return the time of each step, the peak, and the results.

    All is done once on the first shard before, so that nothing is compiled or loaded by the clock.
    """
    warm()
    folder = ReportFolder.open(place, engine=LocalEngine(1) if engine == ONE else engine)
    _steps(replace(folder, shards=folder.shards[:1]))
    base, goes = peak_mb(), max(1, min(GOES, SMALL // len(folder)))
    found = [_steps(folder) for _ in range(goes)]
    seconds, cores = (_each(min, clock) for clock in list(zip(*found, strict=True))[:2])
    arrays = found[-1][2]
    bits = sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()
    told = {"reports": len(folder), "seconds": seconds, "core_seconds": cores, "bits": bits}
    return {**told, "base_mb": base, "peak_mb": peak_mb()}


def _each(choose: Callable[[Iterable[float]], float], times: Sequence[Times]) -> Times:
    """Choose among the times of each step."""
    return {step: choose([own[step] for own in times]) for step in STEPS}


def _steps(folder: ReportFolder) -> tuple[Times, Times, list[Any]]:
    """Return the seconds of each step on the clock, those of all processors, and what is found."""
    work: dict[str, Callable[[], list[Any]]] = {
        STEPS[0]: lambda: [frequencies(folder, n, "weighted").value for n in NAMES],
        STEPS[1]: lambda: [frequencies(folder, n, "mle").value for n in NAMES],
        STEPS[2]: lambda: [joint(folder, NAMES, "tensor").value],
        STEPS[3]: lambda: [(pair := joint(folder, NAMES, "mle")).value, pair.root],
    }
    seconds, cores, arrays = {}, {}, []
    for step, call in work.items():
        before = core_seconds(folder)
        seconds[step], found = timed(call)
        cores[step] = core_seconds(folder) - before
        arrays += found
    return seconds, cores, arrays


def core_seconds(folder: ReportFolder) -> float:
    """Return what this process, and those of a cluster, have had of any processor."""
    spent = process_time()
    if isinstance(folder.engine, DaskEngine):
        client = folder.engine.client
        spent += sum(client.run(process_time).values()) + client.run_on_scheduler(process_time)
    return spent


def in_process(place: Path, engine: str) -> Answer:
    """Ask in a process of its own, in which matrix products have one thread everywhere."""
    command = [sys.executable, "-m", "benchmarks.scale", "--ask", str(place), "--engine", engine]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=alone)
    print(engine, done.stdout.splitlines()[-1], file=sys.stderr, flush=True)
    found: Answer = json.loads(done.stdout.splitlines()[-1])
    return found


def on_cluster(place: Path) -> Answer:
    """Ask two workers of one thread each, which are there when the clock starts."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster) as client,
    ):
        client.run(warm)
        return in_process(place, client.scheduler.address)


def together(choose: Callable[[Iterable[float]], float], found: Sequence[Answer]) -> Answer:
    """Return one answer of several, of which all but the times are the same."""
    assert len({each["bits"] for each in found}) == 1
    clocks = {
        clock: _each(choose, [own[clock] for own in found]) for clock in ("seconds", "core_seconds")
    }
    return {**found[0], **clocks, "peak_mb": max(each["peak_mb"] for each in found)}


def fitting(folders: Path) -> int:
    """Return the largest power of ten of reports that take at most half of the room there."""
    room, most = shutil.disk_usage(folders).free, MOST
    while most > COMPARED and 2 * BYTES * most > room:
        most //= 10
    return most


def measured(folders: Path, most: int) -> Answer:
    """Make the folders of three decades that are not there yet, and ask each of them."""
    decades = [most // 1000, most // 100, most // 10, most]
    for count in decades:
        if not (folders / str(count)).exists():
            ReportFolder.write(folders / str(count), parts(count))
    compared = folders / str(min(COMPARED, most))
    size = sum(file.stat().st_size for file in compared.rglob("*.parquet"))
    turns = [(in_process(compared, "local"), on_cluster(compared)) for _ in range(TURNS)]
    threads, dask = (together(median, own) for own in zip(*turns, strict=True))
    return {
        "one thread": [on_one_thread(folders / str(count), count) for count in decades],
        "threads": threads,
        "dask": dask,
        "bytes a report": size / int(compared.name),
    }


def on_one_thread(place: Path, count: int) -> Answer:
    """Ask a folder on one thread; the fastest of several processes counts."""
    return together(min, [in_process(place, ONE) for _ in range(min(ROUNDS, ENOUGH // count) or 1)])


def claims(found: Answer) -> Iterator[Claim]:
    """Yield what Dask takes beside threads, and the memory."""
    threads, dask = found["threads"], found["dask"]
    for step in STEPS:
        what = f"{step}, {threads['reports']:,} reports, Dask, core-seconds"
        ours, theirs = dask["core_seconds"][step], threads["core_seconds"][step]
        yield Claim(what, ours, "threads", theirs, LEAST)
    clock = [sum(own["seconds"].values()) for own in (dask, threads)]
    yield Claim("all four, Dask, on the clock", clock[0], "threads", clock[1], LEAST)
    for own in found["one thread"]:
        what = f"peak memory, {own['reports']:,} reports"
        yield Claim.up_to(MOST_MB, what, own["peak_mb"], "MB")


def curves(found: Answer) -> Iterator[Curve]:
    """Yield how the seconds of processors grow with reports, and those on the clock shrink."""
    single, compared = found["one thread"], found["threads"]["reports"]
    for step in STEPS:
        points = [(own["reports"], own["core_seconds"][step]) for own in single]
        yield Curve(step, "reports", points, SLOPES)
    (alone,) = (own for own in single if own["reports"] == compared)
    for name, own in (("threads", found["threads"]), ("Dask", found["dask"])):
        points = [(1, sum(alone["seconds"].values())), (2, sum(own["seconds"].values()))]
        yield Curve(f"all four, {name}", "workers", points)


def section(found: Answer) -> Section:
    """Return what was measured."""
    same = found["dask"]["bits"] == found["threads"]["bits"]
    about = (
        f"Folders of reports about one or both of two attributes of {SIZE} labels, four levels,"
        f" subset selection, {found['bytes a report']:.1f} bytes a report on disk. The folders go"
        " through three decades, up to a thousand million where the disk has room for twice that."
        " Core-seconds are those of processors: other work on the machine does not count. One"
        " thread, two threads of a process, and a Dask cluster of two workers of one thread each,"
        " with its scheduler and client, which gives"
        f" {'the same bits' if same else '**other bits**'}. Every step reads"
        f" the folder anew. Threads and Dask take turns, and medians of {TURNS} count; for one"
        f" thread the fastest of up to {ROUNDS} processes counts, in which small folders have up to"
        f" {GOES} goes."
    )
    return Section("Scale", about, [*claims(found)], [*curves(found)])


def main() -> None:
    """Ask one folder, as a process of its own; or measure all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale")
    parser.add_argument("--ask", help="a folder to ask, for a process of its own")
    parser.add_argument("--engine", default="local")
    parser.add_argument("--folders", type=Path, help="where the folders are, or are made")
    parser.add_argument("--most", type=int, help="reports of the largest folder")
    given = parser.parse_args()
    if given.ask:
        print(json.dumps(asked(given.ask, given.engine)))
        return
    with TemporaryDirectory() as folder:
        folders = given.folders or Path(folder)
        folders.mkdir(parents=True, exist_ok=True)
        found = measured(folders, given.most or fitting(folders))
    tell(section(found))


if __name__ == "__main__":
    main()
