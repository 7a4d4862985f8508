"""The ``discretion`` command in processes forked from one that has imported it.

To import what a server needs takes most of the time in which it starts, and tests start many.
Each is a process of its own all the same, at the head of its own group, and can be killed.
"""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import forkserver, get_context, util
from pathlib import Path
from subprocess import TimeoutExpired

_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload(["discretion.cli.main", "discretion.collector.server"])
# The process that forks is waited for at the end, and the time of all servers counts with it.
util.Finalize(None, forkserver._forkserver._stop, exitpriority=0)  # type: ignore[attr-defined]


class Forked:
    """A running command, as ``Popen`` has it; its output goes to the end of a file."""

    def __init__(self, arguments: Sequence[str], log: Path) -> None:
        self._process = _FORKS.Process(target=_run, args=(list(arguments), str(log)))
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None, "it was started"
        return self._process.pid

    def poll(self) -> int | None:
        """Return the exit code, or the negative signal, if it has ended."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end; return as ``poll`` does."""
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            raise TimeoutExpired("discretion", timeout or 0.0)
        return code

    def send_signal(self, which: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, which)


def _run(arguments: list[str], log: str) -> None:
    """Be the command: what a new interpreter would be given, and nothing of the test's."""
    os.setsid()
    written = os.open(log, os.O_WRONLY | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(written, stream)
    from discretion.cli.entry import main

    sys.argv = ["discretion", *arguments]
    main()
