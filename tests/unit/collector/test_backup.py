"""A back-up is whole, private and without what was deleted; what is not whole is found out."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from discretion.collector.errors import BackupError, StoreUnavailable, StoreVersion
from discretion.collector.outcome import ACCEPTED, DELETED, DUPLICATE, Incoming
from discretion.collector.store import Store, open_store
from discretion.collector.store import backup as module
from discretion.collector.store.audit_log import today
from discretion.collector.store.backup import Content, backup, check, restore
from discretion.collector.store.database import migrations
from discretion.collector.store.sqlite import APPLICATION
from discretion.errors import DiscretionError
from tests.collector.serving import Sealed, people, sealed

PLAN = people()
LOSE = "DELETE FROM reports WHERE id = (SELECT max(id) FROM reports WHERE body IS NOT NULL)"
CROWD = [sealed(PLAN, who) for who in range(12)]


def sent(*reports: Sealed) -> list[Incoming]:
    return [Incoming(r.round, r.id, r.body) for r in reports]


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/a.db"


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    """A store in use, whose newest reports are in its log alone."""
    with closing(open_store(address, PLAN)) as own:
        own.put(sent(*CROWD))
        own.delete(CROWD[0].id)
        yield own


@pytest.fixture
def copy(store: Store, tmp_path: Path) -> Path:
    backup(f"sqlite:///{store.database.path}", tmp_path / "copy.db")  # type: ignore[attr-defined]
    return tmp_path / "copy.db"


def change(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_a_copy_is_whole_and_private(copy: Path, tmp_path: Path) -> None:
    before = copy.read_bytes()
    assert check(copy) == Content(plans=1, rounds=1, reports=11)
    assert copy.read_bytes() == before
    assert copy.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]


def test_a_copy_has_nothing_of_what_was_deleted(copy: Path) -> None:
    text = copy.read_bytes()
    answers = [report.body.partition(b'"answers"')[2] for report in CROWD]
    assert answers[0] not in {*answers[1:]}
    assert answers[0] not in text
    assert all(answer in text for answer in answers[1:])


def test_a_copy_goes_on_as_the_store_was(store: Store, copy: Path) -> None:
    store.put(sent(sealed(PLAN, 50)))
    with closing(open_store(f"sqlite:///{copy}", PLAN)) as own:
        assert own.put(sent(*CROWD[:2])) == [DELETED, DUPLICATE]
        assert own.put(sent(sealed(PLAN, 51))) == [ACCEPTED]
        assert own.aggregate(0).reports == 12


def test_copies_are_whole_while_reports_are_kept_and_deleted(
    store: Store, address: str, tmp_path: Path
) -> None:
    over = Event()

    def write() -> int:
        who = 100
        while not over.is_set():
            more = [sealed(PLAN, who + i) for i in range(3)]
            store.put(sent(*more))
            store.delete(more[0].id)
            who += 3
        return who

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        try:
            for number in range(3):
                backup(address, tmp_path / f"copy-{number}.db")
        finally:
            over.set()
        assert writing.result() > 100
    counts = [check(tmp_path / f"copy-{number}.db").reports for number in range(3)]
    assert counts == sorted(counts)


def test_cleared_rounds_and_other_plans_are_counted(
    store: Store, address: str, tmp_path: Path
) -> None:
    store.close_round(0, today())
    store.clear(before=today().replace(year=9999))
    with closing(open_store(address, people("others"))) as other:
        other.put(sent(sealed(people("others"), 1)))
    backup(address, tmp_path / "copy.db")
    assert check(tmp_path / "copy.db") == Content(plans=2, rounds=2, reports=12)


def test_a_store_of_an_older_version_is_left_so_and_its_copy_is_new(tmp_path: Path) -> None:
    """A back-up is made before an upgrade, perhaps by the newer program."""
    old = tmp_path / "old.db"
    with closing(sqlite3.connect(old)) as connection:
        connection.executescript(migrations("sqlite")[0])
        connection.execute(f"PRAGMA application_id={APPLICATION}")
        connection.execute("PRAGMA user_version=1")
        connection.execute("PRAGMA journal_mode=WAL")
    backup(f"sqlite:///{old}", tmp_path / "copy.db")
    assert check(tmp_path / "copy.db") == Content(plans=0, rounds=0, reports=0)
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


@pytest.mark.usefixtures("store")
def test_a_copy_replaces_nothing_and_is_there_whole_or_not_at_all(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "copy.db"
    file.write_text("mine")
    with pytest.raises(BackupError, match="it is there already"):
        backup(address, file)
    assert file.read_text() == "mine"
    file.unlink()

    def broken(_: Path) -> None:
        raise OSError("no room")

    monkeypatch.setattr(module, "_sync", broken)
    with pytest.raises(OSError, match="no room"):
        backup(address, file)
    assert list(tmp_path.glob("copy*")) == []


def test_what_is_no_store_is_not_copied(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="No such file"):
        backup(f"sqlite:///{tmp_path}/none.db", tmp_path / "copy.db")
    with pytest.raises(BackupError, match="use pg_dump --schema=discretion"):
        backup("postgresql://me:secret@there/x", tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


def truncate(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 2)


def overwrite(file: Path) -> None:
    """Write over the page with the newest reports."""
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(size - 4096)
        opened.write(b"garbage!" * 512)


def lose_what_is_counted(file: Path) -> None:
    """Have the snapshot count all reports, and remove one of them."""
    with (
        pytest.MonkeyPatch.context() as patched,
        closing(open_store(f"sqlite:///{file}", PLAN)) as own,
    ):
        patched.setattr("discretion.collector.store.store.LONG", 1)
        own.aggregate(0)
    change(
        file,
        LOSE,
    )


FAULTS: dict[str, tuple[Callable[[Path], None], type[DiscretionError], str]] = {
    "half of it": (truncate, DiscretionError, "damaged|malformed"),
    "a page of garbage": (overwrite, DiscretionError, "damaged|malformed"),
    "another program's": (
        lambda f: change(f, "PRAGMA application_id=7"),
        DiscretionError,
        "another program's",
    ),
    "of a newer version": (
        lambda f: change(f, "PRAGMA user_version=99"),
        StoreVersion,
        "of version 99",
    ),
    "a report lost": (
        lambda f: change(
            f,
            LOSE,
        ),
        BackupError,
        "11 reports were kept, and 10 are counted",
    ),
    "a report that was counted lost": (
        lose_what_is_counted,
        BackupError,
        "round 0 are not a recount",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_not_whole_is_found_and_not_restored(
    copy: Path, tmp_path: Path, fault: str
) -> None:
    spoil, error, message = FAULTS[fault]
    spoil(copy)
    with pytest.raises(error, match=message):
        check(copy)
    with pytest.raises(error, match=message):
        restore(copy, f"sqlite:///{tmp_path}/new.db")
    assert list(tmp_path.glob("new*")) == []


@pytest.mark.usefixtures("store")
def test_a_store_with_its_log_is_not_a_back_up(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="a back-up has no log beside it"):
        check(tmp_path / "a.db")


def test_a_back_up_is_put_where_there_is_no_store(copy: Path, tmp_path: Path) -> None:
    new = f"sqlite:///{tmp_path}/new.db"
    assert restore(copy, new) == Content(plans=1, rounds=1, reports=11)
    assert (tmp_path / "new.db").stat().st_mode & 0o777 == 0o600
    with closing(open_store(new, PLAN)) as own:
        assert own.put(sent(*CROWD[:2])) == [DELETED, DUPLICATE]
    with pytest.raises(BackupError, match="it is there already"):
        restore(copy, new)
    with pytest.raises(BackupError, match="use psql"):
        restore(copy, "postgresql://there/x")


def test_a_log_of_another_store_is_not_mixed_with_a_back_up(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "new.db-wal").write_bytes(b"of another")
    with pytest.raises(BackupError, match=r"new\.db-wal: a back-up has no log beside it"):
        restore(copy, f"sqlite:///{tmp_path}/new.db")
