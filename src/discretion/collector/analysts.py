"""The analysts: processes beside the server that work out estimates, so that uploads never wait.

Each holds a connection to the store and a pipe to the server. One that takes too long, or dies, is
replaced; when the server ends, however it ends, the pipe closes and they end too.
"""

import asyncio
import multiprocessing
import signal
from collections.abc import Mapping
from multiprocessing.connection import Connection
from typing import Any

from discretion.collector.problems import Told, Trouble, told
from discretion.errors import DiscretionError, Overloaded
from discretion.plan import Plan

WAITING = 8  # questions that may wait for one analyst
_SPAWN = multiprocessing.get_context("spawn")


class Analyst:
    """One process, one question at a time."""

    def __init__(self, address: str, plan: bytes) -> None:
        self._pipe, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_work, args=(theirs, address, plan), daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, question: str, values: Mapping[str, Any], patience: float) -> Any:
        """Return the document, or what is told instead of one."""
        try:
            self._pipe.send((question, dict(values)))
            if self._pipe.poll(patience):
                return self._pipe.recv()
        except (EOFError, OSError):
            return Told("failed", "the process that worked it out ended")
        return Told("too_long", f"it took longer than {patience:g} seconds")

    def close(self) -> None:
        """End the process, whatever it does."""
        self._pipe.close()
        self._process.kill()
        self._process.join()


class Analysts:
    """As many as the settings say; questions wait for the next that is free."""

    def __init__(self, address: str, plan: Plan, count: int, patience: float) -> None:
        self._address, self._plan, self._patience = address, plan.to_bytes(), patience
        self._free: asyncio.Queue[Analyst] = asyncio.Queue()
        self._most, self._asked = count * (1 + WAITING), 0
        for _ in range(count):
            self._free.put_nowait(self._hired())

    async def ask(self, question: str, **values: Any) -> dict[str, Any]:
        """Return the answer to a question about the store."""
        if self._asked >= self._most:
            raise Overloaded(f"{self._asked} questions wait to be answered")
        self._asked += 1
        try:
            analyst = await self._free.get()
            found: Any = Told("failed", "the question was given up")
            try:
                found = await asyncio.to_thread(analyst.ask, question, values, self._patience)
            finally:
                if isinstance(found, Told) and found.fatal:
                    analyst.close()
                    analyst = self._hired()
                self._free.put_nowait(analyst)
        finally:
            self._asked -= 1
        if isinstance(found, Told):
            raise Trouble(found)
        return found

    def close(self) -> None:
        while not self._free.empty():
            self._free.get_nowait().close()

    def _hired(self) -> Analyst:
        return Analyst(self._address, self._plan)


def _work(pipe: Connection, address: str, plan: bytes) -> None:
    """Answer questions until the server closes the pipe."""
    for ignored in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ignored, signal.SIG_IGN)
    from discretion.collector.questions import answer
    from discretion.collector.store import open_store

    store = None
    while True:
        try:
            question, values = pipe.recv()
        except EOFError:
            return
        try:
            store = store or open_store(address, Plan.from_bytes(plan))
            found: Any = answer(store, question, values)
        except DiscretionError as error:
            found = told(error)
        except MemoryError:
            found = Told("failed", "there was not enough memory")
        pipe.send(found)
