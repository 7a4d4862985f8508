"""The analysts: processes beside the server that work out estimates, so that uploads never wait.

Each holds a connection to the store and a pipe to the server. One that takes too long, or dies, is
replaced. When the server ends, however it ends, they end too, in the midst of whatever they do.
"""

import asyncio
import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from discretion.collector.metrics import Metrics
from discretion.collector.problems import Told, Trouble, told
from discretion.errors import DiscretionError, Overloaded
from discretion.plan import Plan

WAITING = 8  # questions that may wait for one analyst
START_SECONDS = 60.0  # that a process may take until it can work; they are not those of a question
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
_PR_SET_PDEATHSIG = 1  # of Linux: prctl(2)
_SPAWN = multiprocessing.get_context("spawn")


class Analyst:
    """One process, one question at a time."""

    def __init__(self, address: str, plan: bytes) -> None:
        self._pipe, theirs = _SPAWN.Pipe()
        self._ready = False
        self._process = _SPAWN.Process(target=_run, args=(theirs, address, plan), daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, question: str, values: Mapping[str, Any], patience: float) -> Any:
        """Return the document, or what is told instead of one."""
        try:
            self._ready = self._ready or (self._pipe.poll(START_SECONDS) and self._pipe.recv())
            self._pipe.send((question, dict(values)))
            if self._ready and self._pipe.poll(patience):
                return self._pipe.recv()
        except (EOFError, OSError):
            return Told("failed", "the process that worked it out ended")
        return Told("too_long", f"it took longer than {patience:g} seconds")

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def close(self) -> None:
        """End the process, whatever it does."""
        self._pipe.close()
        self._process.kill()
        self._process.join()


class Analysts:
    """As many as the settings say; questions wait for the next that is free."""

    def __init__(
        self, address: str, plan: Plan, count: int, patience: float, metrics: Metrics
    ) -> None:
        """Start them; each computes in one thread, unless the environment says otherwise.

        Matrices are small; threads that wait for each other on busy cores take ten times longer.
        """
        for name in ONE_THREAD:
            os.environ.setdefault(name, "1")
        self._address, self._plan, self._patience = address, plan.to_bytes(), patience
        self._count, self._metrics = count, metrics
        self._free: asyncio.Queue[Analyst | None] = asyncio.Queue()  # None: a place to be filled
        self._staff: set[Analyst] = set()
        self._threads = ThreadPoolExecutor(count, "analyst")
        self._most, self._asked, self._closed = count * (1 + WAITING), 0, False
        for _ in range(count):
            self._free.put_nowait(self._hired())

    async def ask(self, question: str, **values: Any) -> dict[str, Any]:
        """Return the answer to a question about the store."""
        if self._closed or self._asked >= self._most:
            raise Overloaded(f"{self._asked} questions wait to be answered")
        self._asked += 1
        try:
            found = await self._asked_of(await self._free.get(), question, values)
        finally:
            self._asked -= 1
        if isinstance(found, Told):
            raise Trouble(found)
        return found

    @property
    def waiting(self) -> int:
        """How many questions are not begun yet."""
        return max(self._asked - self._count, 0)

    def close(self) -> None:
        """End all, also those at work: the interpreter would wait for them for ever."""
        self._closed = True
        while self._staff:
            self._staff.pop().close()
        self._threads.shutdown()

    async def _asked_of(
        self, analyst: Analyst | None, question: str, values: Mapping[str, Any]
    ) -> Any:
        """Ask whoever has the place; one that died, or is of no more use, is replaced."""
        found: Any = Told("failed", "the question was given up")
        try:
            if self._closed:
                raise Overloaded("the server is about to end")
            if analyst is None or not analyst.alive:
                analyst = self._replaced(analyst)
            work = partial(analyst.ask, question, values, self._patience)
            with self._metrics.question(question):
                found = await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            if analyst is not None and isinstance(found, Told) and found.fatal:
                self._dismissed(analyst)
                analyst = self._successor()
            self._free.put_nowait(analyst)
        return found

    def _hired(self) -> Analyst:
        analyst = Analyst(self._address, self._plan)
        self._staff.add(analyst)
        return analyst

    def _replaced(self, analyst: Analyst | None) -> Analyst:
        if analyst is not None:
            self._dismissed(analyst)
        return self._hired()

    def _successor(self) -> Analyst | None:
        """Hire at once, so that nobody waits; if that fails, the next who asks tries again."""
        if self._closed:
            return None
        try:
            return self._hired()
        except OSError:
            return None

    def _dismissed(self, analyst: Analyst) -> None:
        self._staff.discard(analyst)
        self._metrics.replaced()
        analyst.close()


def _run(pipe: Connection, address: str, plan: bytes) -> None:
    """Work as a process of its own."""
    end_with_parent()
    _work(pipe, address, plan)


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
    Thread(target=_exit_after, args=[parent], daemon=True).start()


def _exit_after(parent: Any) -> None:
    parent.join()  # returns at once if it ended before
    os._exit(1)


def _work(pipe: Connection, address: str, plan: bytes) -> None:
    """Answer questions until the server closes the pipe."""
    for ignored in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ignored, signal.SIG_IGN)
    from discretion.collector.log import configure, log
    from discretion.collector.questions import answer
    from discretion.collector.store import open_store

    configure("error")
    store = None
    pipe.send(True)  # ready
    with ExitStack() as opened:
        while True:
            try:
                question, values = pipe.recv()
            except (EOFError, OSError):  # the server has ended
                return
            try:
                if store is None:
                    own = open_store(address, Plan.from_bytes(plan), create=False)
                    store = opened.enter_context(closing(own))
                found: Any = answer(store, question, values)
            except DiscretionError as error:
                found = told(error)
            except MemoryError:
                found = Told("failed", "there was not enough memory")
            except Exception:
                log.exception("failed", question=question)
                found = Told("failed", "the log of the server tells more")
            try:
                pipe.send(found)
            except OSError:  # nobody waits for it any more
                return
