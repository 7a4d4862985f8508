"""A collector with a million reports, beside one of another commit, in turns, in one run.

``python -m benchmarks.size [PYTHON]``: deletions a second, the p99 of uploads with and without
deletions, the first question after 100,000 new reports and the same with none new; the processor
time of quantiles and of a mean, each asked anew after a new report. PYTHON is the interpreter of an
environment with the other commit.
"""

import asyncio
import json
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from math import inf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter, sleep
from urllib.request import urlopen

from benchmarks.collector import AUTHOR, OPEN, free_port, reports, sent
from benchmarks.load import CONNECTIONS, Load, request, send
from discretion import Plan
from discretion.report import id_of

REPORTS, BURST, SINGLES, TURNS = 1_000_000, 100_000, 30_000, 3
TOGETHER, UPLOADERS, OWNERS = 1000, 2, 32  # in a request, and connections
DELETIONS = {True: 2_000, False: 100}  # in a turn: of the own commit, and of the other
FASTER = 15  # times the other's rate: at this rate deletions run beside uploads,
BESIDE = 4.0  # for so many seconds
ASKINGS, COUNTED = 2, 3.0  # in a turn, each after a new report, by so many seconds
SEEDS = count(3000)
WAIT = 180.0
SERVE = "from discretion.cli.main import main; main()"
FILL = """
import sys
from itertools import islice
from discretion.collector.outcome import Incoming
from discretion.collector.store import open_store
from discretion.plan import Plan
from discretion.table.reader import reader_of

plan = Plan.from_bytes(open(sys.argv[1], "rb").read())
store = open_store(sys.argv[2], plan)
with open(sys.argv[3], "rb") as lines:
    while bodies := [line.rstrip(b"\\n") for line in islice(lines, 8192)]:
        ids = reader_of(plan).read(bodies).ids()
        store.put([Incoming(0, id, body) for id, body in zip(ids, bodies)])
store.aggregate(0)
"""
ASKED = "/v1/frequencies?attribute=mode"
MEAN, QUANTILES = "/v1/means?attribute=income", "/v1/quantiles?attribute=income"


@dataclass
class Side:
    """A collector of one commit, and what was measured of it."""

    name: str
    python: str
    folder: Path
    own: bool
    receipts: Iterator[bytes]
    port: int = field(default_factory=free_port)
    found: dict[str, list[float]] = field(default_factory=dict)
    server: int = 0  # its process
    wait: float = WAIT  # seconds, for its start and for an answer

    @contextmanager
    def running(self, lines: Path) -> Iterator[None]:
        """Fill a store, and serve it."""
        self.folder.mkdir()
        plan, store = self.folder.parent / "plan.json", f"sqlite:///{self.folder}/reports.db"
        subprocess.run([self.python, "-c", FILL, str(plan), store, str(lines)], check=True)
        options = ("--store", store, "--port", str(self.port), "--log", "error", "--open", OPEN)
        command = [self.python, "-c", SERVE, "serve", str(plan), *options]
        server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        self.server = server.pid
        try:
            self._wait(server)
            yield
        finally:
            server.terminate()
            server.wait()

    def _wait(self, server: "subprocess.Popen[bytes]") -> None:
        deadline = monotonic() + self.wait
        while server.poll() is None and monotonic() < deadline:
            try:
                for path in (ASKED, MEAN):
                    self.ask(path)
            except OSError:
                sleep(0.1)
            else:
                return
        raise SystemExit(f"the collector of {self.name} did not start")

    def ask(self, path: str) -> float:
        """Return the seconds until a question is answered."""
        start = perf_counter()
        urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=self.wait).read()
        return perf_counter() - start

    def worked(self, path: str) -> float:
        """Return the processor seconds of server and workers that a question takes (Linux)."""
        before = _processor_seconds(self.server)
        self.ask(path)
        return _processor_seconds(self.server) - before

    def delete(self, count: int, rate: float = inf) -> float:
        """Delete so many reports by their receipts; return how many there were in a second."""
        bodies = (json.dumps({"receipt": next(self.receipts).hex()}) for _ in range(count))
        requests = [request("/v1/deletions", "application/json", b.encode()) for b in bodies]
        start = perf_counter()
        load: Load = asyncio.run(send(self.port, iter(requests), OWNERS, rate))
        done = load.statuses.get(200, 0)
        if set(load.statuses) - {200, 503} or (self.own and done < count):
            raise SystemExit(f"not all were deleted: {load.statuses}")
        return done / (perf_counter() - start)

    def note(self, what: str, value: float) -> None:
        print(f"{self.name}, {what}: {value:.4g}", file=sys.stderr, flush=True)
        self.found.setdefault(what, []).append(value)

    def median(self, what: str) -> float:
        return median(self.found[what])


def _processor_seconds(process: int) -> float:
    """Return what a process and its descendants have worked."""
    total, threads = 0, Path(f"/proc/{process}/task")
    for thread in threads.iterdir():
        total += int((thread / "schedstat").read_text().split()[0])
        children = (thread / "children").read_text().split()
        total += round(sum(_processor_seconds(int(child)) for child in children) * 1e9)
    return total / 1e9


def deletable(own: Sequence[bytes], count: int) -> tuple[list[bytes], list[bytes]]:
    """Give the first reports ids with known receipts; return all reports, and the receipts."""
    receipts = [secrets.token_bytes(32) for _ in range(count)]
    changed = []
    for body, receipt in zip(own, receipts, strict=False):
        old = json.loads(body)["id"]
        changed.append(body.replace(old.encode(), id_of(receipt).encode()))
    return [*changed, *own[count:]], receipts


def deletions(sides: Sequence[Side], plan: Plan) -> None:
    """Measure deletions alone, then uploads without and with them."""
    for turn in range(TURNS):
        for side in sides:
            side.note("deletions a second", side.delete(DELETIONS[side.own]))
        rate = FASTER * sides[-1].median("deletions a second")
        for side in sides[:1]:
            for what, work in (("p99 alone", None), ("p99 beside deletions", side.delete)):
                own = reports(plan, SINGLES, 1000 + 2 * turn + (work is not None))
                side.note(what, _uploads(side, own, rate, work))


def _uploads(
    side: Side, own: Sequence[bytes], rate: float, work: Callable[[int, float], float] | None
) -> float:
    """Return the p99 of single uploads, while deletions come at a rate."""
    with ThreadPoolExecutor(1) as beside:
        deleting = None if work is None else beside.submit(work, int(rate * BESIDE), rate)
        found = float(sent(side.folder, side.port, own, 1, CONNECTIONS)["p99"])
        if deleting is not None:
            side.note("deletions a second beside uploads", deleting.result())
    return found


def questions(sides: Sequence[Side], plan: Plan) -> None:
    """Measure the first question after a burst and the same with none new; quantiles, a mean."""
    for turn in range(TURNS):
        own = reports(plan, BURST, 2000 + turn)
        for side in sides:
            sent(side.folder, side.port, own, TOGETHER, UPLOADERS)
            side.note("question, many new", side.ask(ASKED))
            side.note("question, none new", median(side.ask(ASKED) for _ in range(5)))
            for what, path in (("mean", MEAN), ("quantiles", QUANTILES)):
                for body in reports(plan, ASKINGS, next(SEEDS)):
                    sent(side.folder, side.port, [body], 1, 1)
                    sleep(COUNTED)  # until it is counted, and answers may be worked out again
                    side.note(f"processor seconds, {what}", side.worked(path))
            log = side.folder / "reports.db-wal"
            side.note("log in MB", log.stat().st_size / 1e6)


def main() -> None:
    """Measure, and print medians."""
    plan = Plan.of(AUTHOR)
    with TemporaryDirectory() as name, ExitStack() as running:
        folder = Path(name)
        (folder / "plan.json").write_bytes(plan.to_bytes())
        needed = 10 * max(DELETIONS.values()) * TURNS
        own, receipts = deletable(reports(plan, REPORTS, 7), needed)
        lines = folder / "reports.jsonl"
        lines.write_bytes(b"\n".join(own))
        del own
        pythons = [("this commit", sys.executable), *(("the other", p) for p in sys.argv[1:2])]
        sides = [
            Side(what, python, folder / what, python == sys.executable, iter(receipts))
            for what, python in pythons
        ]
        for side in sides:
            start = perf_counter()
            running.enter_context(side.running(lines))
            side.note("seconds until it serves a million", perf_counter() - start)
        deletions(sides, plan)
        questions(sides, plan)
        for side in sides:
            several, one = (side.median(f"processor seconds, {q}") for q in ("quantiles", "mean"))
            print(f"{side.name}: quantiles take {several / one:.1f} times a mean")
        for what in sides[0].found:
            told = (f"{s.name} {s.median(what):.4g}" for s in sides if what in s.found)
            print(f"{what}: {', '.join(told)}")


if __name__ == "__main__":
    main()
