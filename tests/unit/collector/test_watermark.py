"""How far a store had got is known beside it, whatever happens to its log."""

import json
import shutil
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from discretion.collector.lifespan import _resume
from discretion.collector.log import configure
from discretion.collector.outcome import Incoming
from discretion.collector.public_results import answers
from discretion.collector.store import Store, open_database, open_store
from discretion.collector.store.results import Results
from discretion.collector.store.watermark import NOTHING, Progress, Watermark
from discretion.collector.tokens import Role, Tokens
from tests.collector.serving import people, sealed

PLAN = people()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with three reports, as it was when its process was killed."""
    live, left = tmp_path / "live.db", tmp_path / "left.db"
    with closing(open_store(f"sqlite:///{live}", PLAN)) as store:
        store.database.resume()
        keep(store, 0, 3)
        for end in ("", "-wal", "-mark"):
            shutil.copy(f"{live}{end}", f"{left}{end}")
    return left


def keep(store: Store, first: int, count: int) -> None:
    reports = [sealed(PLAN, who) for who in range(first, first + count)]
    store.put([Incoming(r.round, r.id, r.body) for r in reports])


def opened(path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, object]]:
    """Return what a server logs when it opens a store, by event."""
    configure("info")
    with closing(open_store(f"sqlite:///{path}", PLAN)) as store:
        _resume(store.database, [store])
    events = map(json.loads, capsys.readouterr().err.splitlines())
    return {str(event["event"]): event for event in events}


def test_positions_and_counts_are_logged_at_the_start(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = opened(path, capsys)
    assert "store_went_back" not in events
    assert events["opened"]["position"] == 3
    others = dict.fromkeys(("duplicate", "conflict", "deleted", "refused"), 0)
    assert events["opened"]["counters"] == {"accepted": 3, **others}


def test_a_log_that_lost_acknowledged_reports_is_noticed_once(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Found: garbage in the log after a kill lost acknowledged reports without a word."""
    with Path(f"{path}-wal").open("r+b") as log:
        log.seek(-4096 * 3, 2)
        log.write(b"garbage!" * 512)
    with closing(open_database(f"sqlite:///{path}")) as database:  # a command notices nothing
        Tokens(database).make("me", frozenset({Role.ANALYSE}))
    events = opened(path, capsys)
    assert events["opened"]["position"] == 0
    warning = events["store_went_back"]
    assert (warning["level"], warning["position"]) == ("error", 3)
    assert "store_went_back" not in opened(path, capsys)


def test_versions_of_results_are_kept_apart_when_a_store_went_back(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Watermark(path).write(Progress(4, 0, 0))
    with closing(open_store(f"sqlite:///{path}", PLAN)) as store:
        assert Results(store).claim(0, date(2026, 11, 19))  # it may have been published later on
    assert "store_went_back" in opened(path, capsys)
    with closing(open_store(f"sqlite:///{path}", PLAN)) as store:
        tally = Results(store).tally(0, answers)
        assert tally is not None
        assert (tally.answers["reports"], tally.apart("reports")) == (3, 0)
        keep(store, 3, 2)
        tally = Results(store).tally(0, answers)
        assert tally is not None
        assert tally.apart("reports") == 2


def test_deletions_and_acts_are_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(open_store(f"sqlite:///{path}", PLAN)) as store:
        keep(store, 0, 2)
        store.delete(sealed(PLAN, 5).id)  # there is none
        keep(store, 5, 1)
        report = sealed(PLAN, 6)
        store.put([Incoming(report.round, report.id, report.body)])
        store.delete(report.id)
        store.open_round(1)
    assert Watermark(path).read() == Progress(position=4, deleted=1, acts=1)
    assert path.with_name("a.db-mark").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "1 2", "1 2 3 4", "a b c", "\xff"])
def test_a_mark_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.db-mark").write_text(text)
    assert Watermark(tmp_path / "a.db").read() == NOTHING


def test_a_mark_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.db-mark").mkdir()
    with closing(open_store(f"sqlite:///{tmp_path}/a.db", PLAN)) as store:
        keep(store, 0, 2)
        assert store.database.resume() == (Progress(2, 0, 0), NOTHING)
