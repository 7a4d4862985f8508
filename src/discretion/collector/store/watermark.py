"""The high-water mark of a store's file: how far it had got, in a small file beside it.

It is written after each commit, so it is never ahead of what was acknowledged. A damaged
write-ahead log or a restored back-up makes the store shorter and leaves the mark where it was.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_WIDTH = 20  # digits: each write replaces the last one whole


class Progress(NamedTuple):
    """What only ever grows in a store."""

    position: int  # of the last report
    deleted: int  # reports
    acts: int

    def joined(self, other: "Progress") -> "Progress":
        """Return the furthest of both in each respect."""
        return Progress(*map(max, self, other))


NOTHING = Progress(0, 0, 0)


class Watermark:
    """The mark of one file; only a server that has looked at it takes it back."""

    def __init__(self, store: Path) -> None:
        self._path = store.with_name(f"{store.name}-mark")
        self._known: Progress | None = None

    def read(self) -> Progress:
        """Return how far the store had got; nothing where that is not known."""
        try:
            return Progress(*map(int, self._path.read_text().split()))
        except (OSError, ValueError, TypeError):
            return NOTHING

    def advance(self, reached: Progress) -> None:
        """Raise the mark to what was committed."""
        known = self._known or self.read()
        self._known = known.joined(reached)
        if self._known != known:
            self.write(self._known)

    def write(self, reached: Progress) -> None:
        """Set the mark. That it cannot be written stops nothing."""
        self._known = reached
        line = " ".join(f"{number:0{_WIDTH}d}" for number in reached) + "\n"
        with suppress(OSError):
            file = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o600)
            try:
                os.pwrite(file, line.encode(), 0)
            finally:
                os.close(file)
