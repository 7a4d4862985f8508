"""A store notices what becomes of its files, and writes into no other."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from discretion.collector.errors import StoreUnavailable
from discretion.collector.outcome import ACCEPTED, Incoming
from discretion.collector.store import Store, open_database, open_store
from tests.collector.serving import people, sealed

PLAN = people()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(open_store(f"sqlite:///{tmp_path}/a.db", PLAN)) as own:
        own.put([report(0)])
        yield own


def report(who: int) -> Incoming:
    own = sealed(PLAN, who)
    return Incoming(own.round, own.id, own.body)


def move(folder: Path, a: str, b: str) -> None:
    for path in list(folder.glob(f"{a}*")):
        path.rename(folder / path.name.replace(a, b, 1))


def test_a_file_that_was_moved_takes_nothing_until_it_is_back(store: Store, tmp_path: Path) -> None:
    """Found: it went on acknowledging into the file that was moved, or removed."""
    move(tmp_path, "a.db", "b.db")
    for act in (store.rounds, lambda: store.put([report(1)]), lambda: store.open_round(1)):
        with pytest.raises(StoreUnavailable, match="moved, replaced or removed"):
            act()
    assert list(tmp_path.glob("a.db*")) == [], "no empty store is made in its place"
    move(tmp_path, "b.db", "a.db")
    assert store.put([report(1)]) == [ACCEPTED]
    assert store.aggregate(0).reports == 2


def test_a_file_that_was_replaced_is_left_alone(store: Store, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    open_store(f"sqlite:///{other}", PLAN).close()
    before = other.read_bytes()
    other.rename(tmp_path / "a.db")
    with pytest.raises(StoreUnavailable, match="moved, replaced or removed"):
        store.put([report(1)])
    assert (tmp_path / "a.db").read_bytes() == before


@pytest.mark.parametrize("name", ["a.db", "a.db-wal"])
def test_a_file_that_goes_before_the_commit_is_noticed(
    store: Store, tmp_path: Path, name: str
) -> None:
    def remove_and_commit() -> None:
        with store.database.writing() as session:
            session.run("UPDATE rounds SET state = 'closed'")
            (tmp_path / name).unlink()

    with pytest.raises(StoreUnavailable, match="moved, replaced or removed"):
        remove_and_commit()


def test_what_must_not_be_made_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with pytest.raises(StoreUnavailable, match="No such file"):
        open_database(f"sqlite:///{path}", create=False)
    assert not path.exists()
    path.touch()
    with pytest.raises(StoreUnavailable, match="it is empty"):
        open_database(f"sqlite:///{path}", create=False)
    assert path.stat().st_size == 0


def test_a_rehearsal_writes_as_much_as_it_says_and_leaves_nothing(
    store: Store, tmp_path: Path
) -> None:
    log, before = tmp_path / "a.db-wal", store.database.disk_usage()
    store.database.rehearse(3_000_000)
    after = store.database.disk_usage()
    assert log.stat().st_size == after.log
    assert after.log is not None
    assert before.log is not None
    assert after.log - before.log > 2_900_000
    with store.database.reading() as session:
        assert session.rows("SELECT count(*) FROM acts") == [(0,)]
    assert store.put([report(1)]) == [ACCEPTED]
