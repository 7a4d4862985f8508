"""A round is parsed once, whatever is asked of it; and every deletion reaches what was parsed."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from discretion.collector.questions import answer
from discretion.collector.store import Store, columns, open_store
from discretion.collector.store.columns import IDLE_SECONDS, Columns
from discretion.collector.worker import Stores
from discretion.table import ReportTable
from tests.collector.serving import people
from tests.contract.test_stores import DAY, crowd, sent

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("joint", {"attributes": ["who", "pet"], "method": "auto"}),
    ("joint", {"attributes": ["pet", "who"], "method": "tensor"}),
    ("dependence", {}),
    ("frequencies", {"attribute": "who", "method": "mle", "target": "population", "cap": None}),
    ("frequencies", {"attribute": "pet", "method": "mle", "target": "owners", "cap": None}),
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = open_store(f"sqlite:///{tmp_path}/reports.db", people())
    yield found
    found.close()


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many reports were parsed, one time after the other."""
    seen, parse = list[int](), ReportTable.from_reports

    def counted(plan: Any, messages: Iterable[Any]) -> ReportTable:
        own = list(messages)
        if own:
            seen.append(len(own))
        return parse(plan, own)

    monkeypatch.setattr(ReportTable, "from_reports", counted)
    return seen


def test_a_page_of_tables_parses_a_round_once(store: Store, parsed: list[int]) -> None:
    store.put(sent(*crowd()))
    for question, values in QUESTIONS:
        answer(store, question, {**values, "round": 0})
    assert parsed == [12]


def test_only_what_is_new_is_parsed(store: Store, parsed: list[int]) -> None:
    store.put(sent(*crowd()[:5]))
    assert len(store.table(0)) == 5
    store.put(sent(*crowd()[5:]))
    assert len(store.table(0)) == 12
    assert parsed == [5, 7]


def test_a_deletion_reaches_what_was_parsed(store: Store) -> None:
    """Whether the report was counted before or not, and whoever deleted it."""
    store.put(sent(*crowd()))
    other = Store(store.database, store.plan)
    for gone in (crowd()[0], crowd()[7]):
        store.table(0)
        other.delete(gone.id)
        assert gone.id not in ids(store)
    assert len(ids(store)) == 10


def test_a_cleared_round_has_no_columns(store: Store) -> None:
    store.put(sent(*crowd()), day=DAY)
    assert len(store.table(0)) == 12
    store.close_round(0, DAY, confirmed=True)
    store.clear(DAY.replace(year=2030))
    assert len(store.table(0)) == 0


def test_a_store_that_went_back_is_read_anew(store: Store) -> None:
    store.put(sent(*crowd()))
    ahead = Columns(store.table(0), (99,), 0, "open")
    assert not ahead.holds(0, "open", (12,))
    assert ahead.holds(0, "open", (99,))
    assert not ahead.holds(1, "open", (99,))
    cleared = replace(ahead, state="cleared")
    assert not cleared.holds(0, "cleared", (99,)), "its rows go bit by bit"


def test_one_round_is_kept_unless_it_is_large_and_until_nobody_asks(
    store: Store, parsed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    store.open_round(1)
    store.put(sent(*crowd(), *crowd(1)))
    for round in (0, 0, 1, 0):
        store.table(round)
    assert parsed == [12] * 3
    store.forget()
    store.table(0)
    assert parsed == [12] * 4
    monkeypatch.setattr(columns, "MOST_BYTES", 1)
    for _ in range(2):
        store.forget()
        store.table(0)
        store.table(0)
    assert parsed == [12] * 8


def test_a_process_that_is_not_asked_forgets_all_reports(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(sent(*crowd()))
    address = f"sqlite:///{tmp_path}/reports.db"
    stores = Stores(address, {store.plan.id: store.plan.to_bytes()})
    own = stores.of(store.plan.id)
    own.table(0)
    stores.forget(IDLE_SECONDS)
    assert own._columns
    monkeypatch.setattr(columns, "monotonic", lambda: monotonic() + IDLE_SECONDS)
    stores.forget(IDLE_SECONDS)
    assert not own._columns
    stores.close()


def ids(store: Store) -> set[bytes]:
    return set(store.table(0).data["id"].to_pylist())
