"""A database whose process can die at a commit: just before it, in its midst, just after it."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from discretion.collector.store.database import Database, DiskUsage, Session
from discretion.collector.store.sqlite import SQLite
from discretion.collector.store.watermark import Progress
from discretion.errors import DiscretionError

BEFORE, TORN, AFTER = "before", "torn", "after"
FAULTS = (AFTER, BEFORE, TORN)


class Crash(DiscretionError):
    """The end of a process; ``kept`` says whether its last transaction was committed."""

    def __init__(self, *, kept: bool) -> None:
        self.kept = kept
        super().__init__("the process died")


class Fragile:
    """A database that dies at a chosen commit, and is dead then.

    ``first`` runs before the next transaction that writes, as somebody who was quicker. Of a file,
    what is on the disk at the crash is copied: that is where the next process goes on.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.fault, self.countdown = "", 0
        self.first: Callable[[], None] | None = None
        self.dead = False
        self.remains: Path | None = None  # of a file, after a crash

    @property
    def shards(self) -> int:
        return self._database.shards

    @contextmanager
    def writing(self, shards: Iterable[int] = (), *, wait: bool = True) -> Iterator[Session]:
        self._check()
        if self.first is not None:
            quicker, self.first = self.first, None
            quicker()
        due = self._due()
        size = self._log_size()
        with self._database.writing(shards, wait=wait) as session:
            yield session
            if due == BEFORE or (due == TORN and not isinstance(self._database, SQLite)):
                self._die()
                raise Crash(kept=False)
        if due:
            self._die()
            if due == TORN:
                self._tear(size)
            raise Crash(kept=due == AFTER)

    def reading(self) -> AbstractContextManager[Session]:
        self._check()
        return self._database.reading()

    def rehearse(self, size: int) -> None:
        self._check()
        self._database.rehearse(size)

    def disk_usage(self) -> DiskUsage:
        return self._database.disk_usage()

    def resume(self) -> tuple[Progress, Progress]:
        return self._database.resume()

    def close(self) -> None:
        self._database.close()

    def _check(self) -> None:
        if self.dead:
            raise Crash(kept=False)

    def _due(self) -> str:
        if not self.fault:
            return ""
        self.countdown -= 1
        return self.fault if self.countdown <= 0 else ""

    def _die(self) -> None:
        self.dead = True
        if isinstance(self._database, SQLite):
            here = self._database.path
            self.remains = here.with_name(f"{here.stem}x.db")
            for end in ("", "-wal"):
                shutil.copy(f"{here}{end}", f"{self.remains}{end}")

    def _log_size(self) -> int:
        if not isinstance(self._database, SQLite):
            return 0
        log = Path(f"{self._database.path}-wal")
        return log.stat().st_size if log.exists() else 0

    def _tear(self, size: int) -> None:
        """Cut off the last bytes of the log: the power failed before they were on the disk."""
        log = Path(f"{self.remains}-wal")
        if (written := log.stat().st_size) > size:  # otherwise nothing was changed
            with log.open("r+b") as file:
                file.truncate(max(size, written - 7))
