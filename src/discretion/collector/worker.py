"""A worker: a process beside the server that works out estimates, so that uploads never wait.

It holds a connection to the store, which it opens for each plan that it is asked about, and a pipe
to the server. When the server ends, however it ends, it ends too, in the midst of whatever it does.
"""

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import closing
from multiprocessing.connection import Connection
from threading import Thread

from discretion.collector.problems import ProblemDetail, problem_of
from discretion.collector.store import Store, open_database
from discretion.collector.store.columns import IDLE_SECONDS
from discretion.collector.store.database import Database
from discretion.errors import DiscretionError
from discretion.plan import Plan

START_SECONDS = 60.0  # that a process may take until it can work; they are not those of a question
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
_PR_SET_PDEATHSIG = 1  # of Linux: prctl(2)
_SPAWN = multiprocessing.get_context("spawn")
Plans = Mapping[str, bytes]  # canonical plans by their ids


class Worker:
    """One process, one question at a time."""

    def __init__(self, address: str, plans: Plans) -> None:
        self._pipe, theirs = _SPAWN.Pipe()
        self._ready = False
        self._process = _SPAWN.Process(target=_run, args=(theirs, address, plans), daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, plan: str, question: str, values: Mapping[str, object], timeout: float) -> object:
        """Return the document about a plan, named by its id, or the problem instead of one."""
        try:
            self._ready = self._ready or (self._pipe.poll(START_SECONDS) and self._pipe.recv())
            self._pipe.send((plan, question, dict(values)))
            if self._ready and self._pipe.poll(timeout):
                return self._pipe.recv()
        except (EOFError, OSError):
            return ProblemDetail("failed", "the process that worked it out ended")
        return ProblemDetail("too_long", f"it took longer than {timeout:g} seconds")

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def close(self) -> None:
        """End the process, whatever it does."""
        self._pipe.close()
        self._process.kill()
        self._process.join()


def _run(pipe: Connection, address: str, plans: Plans) -> None:
    """Work as a process of its own."""
    end_with_parent()
    _work(pipe, address, plans)


def end_with_parent() -> None:
    """Have this process end when the one that started it does.

    Linux kills it at once, even while it is stopped, when the thread that started it ends: of the
    server that is the main thread. Elsewhere a thread waits for the end of the parent, and gets its
    turn as soon as a kernel lets go of the interpreter.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None, "it is started by another process"
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    def exit_after() -> None:
        parent.join()  # returns at once if it ended before
        os._exit(1)

    Thread(target=exit_after, daemon=True).start()


class Stores:
    """The stores of the plans that a process is asked about; it makes none."""

    def __init__(self, address: str, plans: Plans) -> None:
        self._address, self._plans = address, plans
        self._database: Database | None = None
        self._opened: dict[str, Store] = {}

    def of(self, plan: str) -> Store:
        """Return the store of a plan; it is opened when it is first asked for."""
        if self._database is None:
            self._database = open_database(self._address, create=False)
        if plan not in self._opened:
            agreed = Plan.from_bytes(self._plans[plan])
            self._opened[plan] = Store(self._database, agreed, create=False)
        return self._opened[plan]

    def forget(self, seconds: float = 0.0) -> None:
        """Keep no reports in memory that nobody has asked for in so many seconds."""
        for store in self._opened.values():
            store.forget(seconds)

    def close(self) -> None:
        if self._database is not None:
            self._database.close()


def _work(pipe: Connection, address: str, plans: Plans) -> None:
    """Answer questions until the server closes the pipe."""
    for ignored in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ignored, signal.SIG_IGN)
    from discretion.collector.log import configure, log
    from discretion.collector.questions import answer

    configure("error")
    pipe.send(True)  # ready
    with closing(Stores(address, plans)) as stores:
        while True:
            try:
                pipe.poll(IDLE_SECONDS)
                stores.forget(IDLE_SECONDS)
                plan, question, values = pipe.recv()
            except (EOFError, OSError):  # the server has ended
                return
            try:
                found: object = answer(stores.of(plan), question, values)
            except DiscretionError as error:
                found = problem_of(error)
            except MemoryError:
                found = ProblemDetail("failed", "there was not enough memory")
            except Exception:
                log.exception("failed", question=question)
                found = ProblemDetail("failed", "the server log has the details")
            try:
                pipe.send(found)
            except OSError:  # nobody waits for it any more
                return
