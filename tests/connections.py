"""Connections of SQLite that were opened while a test looked on, and whether each was closed."""

import sqlite3
from typing import Any

import pytest


class Opened:
    """Keeps all connections, so that none is closed merely because it was forgotten."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._connections: list[sqlite3.Connection] = []
        self._connect = sqlite3.connect
        monkeypatch.setattr(sqlite3, "connect", self._opened)

    def __len__(self) -> int:
        return len(self._connections)

    @property
    def left_open(self) -> list[sqlite3.Connection]:
        return [connection for connection in self._connections if not is_closed(connection)]

    def _opened(self, *given: Any, **options: Any) -> sqlite3.Connection:
        self._connections.append(self._connect(*given, **options))
        return self._connections[-1]


def is_closed(connection: sqlite3.Connection) -> bool:
    try:
        return connection.total_changes < 0
    except sqlite3.ProgrammingError:
        return True
