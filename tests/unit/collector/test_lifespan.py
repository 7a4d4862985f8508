"""What a collector does by itself: it clears rounds whose time is up, and says which it cannot."""

import json
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from discretion.collector.log import configure
from discretion.collector.maintenance import sweep
from discretion.collector.outcome import Incoming
from discretion.collector.store import open_store
from tests.collector.serving import people, sealed

PLAN = people()
DAY = date(2026, 11, 15)


def test_a_round_that_a_wrong_clock_closed_is_kept_and_logged_at_every_sweep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Found: a round closed while the clock was 400 days behind was cleared at the next start."""
    configure("info")
    later = DAY + timedelta(days=31)
    with closing(open_store(f"sqlite:///{tmp_path}/a.db", PLAN)) as store:
        report = sealed(PLAN, 1)
        store.put([Incoming(0, report.id, report.body)], day=DAY)
        store.close_round(0, DAY - timedelta(days=400))
        for _ in range(2):
            sweep(store, later)
            (event,) = map(json.loads, capsys.readouterr().err.splitlines())
            assert (event["event"], event["round"]) == ("round_not_dated", 0)
        assert [body for part in store.reports(0) for body in part] == [report.body]
        store.close_round(0, DAY, confirmed=True)
        sweep(store, later)
        assert capsys.readouterr().err == ""
        assert store.rounds()[0].state == "cleared"
