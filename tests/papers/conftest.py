"""The command as a shell calls it, in a folder of its own."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from papers.__main__ import main


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., int]:
    """Call ``python -m papers`` in an empty folder; return its exit status."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("os.cpu_count", lambda: 1)

    def call(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["papers", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        return int(end.value.code or 0)

    return call
