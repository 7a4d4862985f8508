"""The ``discretion`` command in processes forked from one that has imported it.

Each is a process of its own all the same, at the head of its own group, and can be killed.
"""

import gc
import os
import runpy
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import TimeoutExpired

from tests.forks import FORKS


class Forked:
    """A running command, as ``Popen`` has it; its output goes to the end of a file."""

    def __init__(self, arguments: Sequence[str], log: Path, program: Path | None = None) -> None:
        """Start it, or a ``program``: a script that takes the place of the command."""
        self._process = FORKS.Process(target=_run, args=(list(arguments), log, program))
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


def _run(arguments: list[str], log: Path, program: Path | None) -> None:
    """Be the command: what a new interpreter would be given, and nothing of the test's."""
    gc.freeze()  # to look for garbage in what was there before would copy all of it
    os.setsid()
    written = os.open(log, os.O_WRONLY | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(written, stream)
    sys.argv = ["discretion", *arguments]
    if program is not None:
        runpy.run_path(str(program), run_name="__main__")  # processes that it spawns import it too
        return
    from discretion.cli.entry import main

    main()
