"""``discretion backup`` and ``discretion restore``, as an operator calls them."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from discretion.collector.outcome import Incoming
from discretion.collector.store import open_store
from tests.collector.serving import people, sealed

PLAN = people()
Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def survey(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    report = sealed(PLAN, 3)
    with closing(open_store("sqlite:///survey.db", PLAN)) as store:
        store.put([Incoming(report.round, report.id, report.body)])


def test_a_store_is_copied_checked_and_put_back(run: Run, capsys: Capture) -> None:
    assert run("backup", "sqlite:///survey.db", "copy.db") == 0
    assert capsys.readouterr().out == ""
    for arguments in (["--check", "copy.db"], ["copy.db", "sqlite:///new.db"]):
        assert run("restore", *arguments) == 0
        assert capsys.readouterr().out == "copy.db is whole: 1 reports, 1 rounds, 1 plans\n"
    assert Path("new.db").exists()


@pytest.mark.parametrize(
    "arguments, line",
    [
        (["backup", "sqlite:///survey.db", "survey.db"], "survey.db: it is there already"),
        (["backup", "postgresql://me:word@there/x", "a.db"], "postgresql://there/x: use pg_dump"),
        (["restore", "copy.db"], "copy.db: name a store, or --check"),
        (["restore", "--check", "a.db", "sqlite:///b.db"], "a.db: name a store, or --check"),
        (["restore", "--check", "none.db"], "none.db: the store does not answer (No such file"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    run: Run, capsys: Capture, arguments: list[str], line: str
) -> None:
    assert run(*arguments) == 1
    printed = capsys.readouterr().err
    assert printed.startswith(f"discretion: {line}")
    assert printed.count("\n") == 1
