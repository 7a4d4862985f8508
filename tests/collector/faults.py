"""What goes wrong around a server: a full disk, processes that die, clients that do not stop."""

import os
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from discretion.plan import Plan
from tests.collector.serving import LINES, LOST, Server, sealed


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """Give a file system that is soon full; where none can be mounted the test is skipped."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        if os.environ.get("CI"):
            pytest.fail("a small disk must be mounted, which needs root (sudo -E in CI)")
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def analysts_of(server: Server) -> list[int]:
    """Return the process ids of a server's analysts."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes()
        except (OSError, ValueError):
            continue
        if parent == server.process.pid and b"spawn_main" in command:
            found.append(int(folder.name))
    return sorted(found)


def runs(pid: int) -> bool:
    """Whether a process is there, and has not ended with all its threads."""
    folder = Path("/proc") / str(pid)
    try:
        state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z" or len(list((folder / "task").iterdir())) > 1
    except OSError:
        return False


def largest(server: Server) -> int:
    """Return the most bytes of memory that a server has had."""
    status = (Path("/proc") / str(server.process.pid) / "status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """Stop a process in the midst of what it does; at the end it goes on, if it is there."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        if runs(pid):
            os.kill(pid, signal.SIGCONT)


class Many:
    """Reports that are all different, made fast: one report under many ids."""

    def __init__(self, plan: Plan) -> None:
        own = sealed(plan, 5)
        self._before, _, self._after = own.body.partition(own.id.hex().encode())

    def batch(self, size: int) -> list[bytes]:
        return [self._before + os.urandom(16).hex().encode() + self._after for _ in range(size)]


class Storm:
    """Clients that send batches as fast as they are answered, until they are told to stop."""

    def __init__(self, server: Server, clients: int, size: int) -> None:
        self._server, self._many, self._size = server, Many(server.plan), size
        self._over, self._lock = threading.Event(), threading.Lock()
        self.statuses: Counter[int] = Counter()
        self.waits: set[str | None] = set()  # Retry-After of what was not taken
        self.acknowledged: set[str] = set()
        self.lost = 0  # requests without an answer
        self._threads = [threading.Thread(target=self._send) for _ in range(clients)]

    def __enter__(self) -> "Storm":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _send(self) -> None:
        connection = HTTPConnection("127.0.0.1", self._server.port, timeout=30)
        while not self._over.is_set():
            bodies = self._many.batch(self._size)
            try:
                headers = {"Content-Type": LINES}
                connection.request("POST", "/v1/reports", b"\n".join(bodies), headers)
                response = connection.getresponse()
                text = response.read()
            except LOST:
                with self._lock:
                    self.lost += 1
                connection.close()
                self._over.wait(0.05)
                continue
            with self._lock:
                self.statuses[response.status] += 1
                if response.status == 200:
                    assert text.count(b'"accepted"') == len(bodies)
                    self.acknowledged.update(id_in(body) for body in bodies)
                else:
                    self.waits.add(response.getheader("Retry-After"))
        connection.close()


def id_in(body: bytes) -> str:
    """Return the id of a report."""
    return body.partition(b'"id":"')[2][:32].decode()
