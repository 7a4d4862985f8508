"""The dashboard before a million stored reports: ten viewers, beside ``/health``, in one run.

``nice python -m benchmarks.dashboard [REPORTS]``: the median time of a view that is known, of the
same view asked for by its tag, and of ``/health``, all by ten viewers in turns; and of views that
nobody has seen the time until the page is there, with a result or with how far it is.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import cycle, islice
from pathlib import Path
from secrets import token_bytes
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

from benchmarks.collector import AUTHOR, reports
from benchmarks.size import Side
from discretion import Plan
from discretion.report import id_of

DIFFERENT, SEED = 50_000, 7  # reports that are simulated; the others repeat them
REPORTS, VIEWERS, TURNS, EACH = 1_000_000, 10, 7, 20
BAR, FIRST = 5.0, 1.0  # times /health; seconds
WAIT = 1800.0  # seconds for the server to start: other processes may be at work
PROGRESS, FAILED = b"<progress", b"No estimate"
JOINT = "/dashboard/analysis?statistic=joint&attribute=mode&attribute=income"
VIEWS = {
    "the overview": "/dashboard",
    "frequencies": "/dashboard/analysis?statistic=frequencies&attribute=mode&sort=-value",
    "a crosstab": "/dashboard/analysis?attribute=mode&by=income&bins:income=2",
    "a joint table": f"{JOINT}&bins:income=3",
}
HEALTH = "/health"
FRESH = f"{JOINT}&bins:income=2&confidence="


def renamed(body: bytes) -> bytes:
    """Return a report under an id of its own: what is stored differs in that alone."""
    old: str = json.loads(body)["id"]
    return body.replace(old.encode(), id_of(token_bytes(32)).encode())


class Viewer:
    """A browser with one connection that stays open."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=600)

    def get(self, path: str, tag: str = "") -> tuple[float, int, str, bytes]:
        """Return the seconds that an answer took, its status, its tag and its body."""
        start = perf_counter()
        headers = {"If-None-Match": tag} if tag else {}
        self._connection.request("GET", path, headers=headers)
        reply = self._connection.getresponse()
        body = reply.read()
        return perf_counter() - start, reply.status, reply.getheader("ETag", ""), body


def together(viewers: Sequence[Viewer], path: str, tag: str = "") -> list[float]:
    """Return the seconds of each answer when all viewers ask again and again."""

    def ask(viewer: Viewer) -> Iterator[float]:
        for _ in range(EACH):
            seconds, status, _, _ = viewer.get(path, tag)
            if status not in (200, 304):
                raise SystemExit(f"{path}: status {status}")
            yield seconds

    with ThreadPoolExecutor(len(viewers)) as pool:
        return [seconds for own in pool.map(lambda v: [*ask(v)], viewers) for seconds in own]


def settled(viewer: Viewer, path: str) -> str:
    """Wait until a view is known; return its tag."""
    while True:
        _, status, tag, body = viewer.get(path)
        if status != 200 or FAILED in body:
            raise SystemExit(f"{path}: status {status}")
        if PROGRESS not in body:
            return tag
        sleep(0.5)


def first(viewer: Viewer) -> None:
    """Print how long it takes until somebody sees a view, or how far it is."""
    taken, shown = [], 0
    for confidence in (80, 81, 82, 83, 84):
        seconds, _, _, body = viewer.get(f"{FRESH}{confidence}")
        taken.append(seconds)
        shown += PROGRESS in body
        settled(viewer, f"{FRESH}{confidence}")
    print(
        f"a view that nobody has seen: a page after {1000 * median(taken):.0f} ms (at most "
        f"{1000 * max(taken):.0f}; bar {1000 * FIRST:.0f}), {shown} of {len(taken)} with progress"
    )


def main() -> None:
    """Fill a store, serve it, and measure."""
    stored = int(sys.argv[1]) if len(sys.argv) > 1 else REPORTS
    plan = Plan.of(AUTHOR)
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plan.json").write_bytes(plan.to_bytes())
        lines = folder / "reports.jsonl"
        with lines.open("wb") as file:
            own = reports(plan, min(stored, DIFFERENT), SEED)
            file.writelines(renamed(body) + b"\n" for body in islice(cycle(own), stored))
        side = Side("this commit", sys.executable, folder / "own", own=True, receipts=iter(()))
        side.wait = WAIT
        with side.running(lines):
            viewers = [Viewer(side.port) for _ in range(VIEWERS)]
            first(viewers[0])
            tags = {what: settled(viewers[0], path) for what, path in VIEWS.items()}
            found: dict[str, list[float]] = {}
            for _ in range(TURNS):
                found.setdefault(HEALTH, []).append(median(together(viewers, HEALTH)))
                for what, path in VIEWS.items():
                    found.setdefault(what, []).append(median(together(viewers, path)))
                    same = median(together(viewers, path, tags[what]))
                    found.setdefault(f"{what}, unchanged", []).append(same)
            health = median(found[HEALTH])
            for what, seconds in found.items():
                taken = median(seconds)
                times = f"{taken / health:.2f} times /health (bar {BAR:g})"
                print(f"{what}: {1000 * taken:.1f} ms, {times}")


if __name__ == "__main__":
    main()
