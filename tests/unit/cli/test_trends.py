"""``discretion change`` and ``discretion series`` print what the library says."""

import json
from pathlib import Path

import pytest

import discretion as ds
from discretion.crowd.rounds import simulate_rounds
from tests.unit.cli.conftest import Run

PLAN = ds.Plan.of(
    {
        "name": "weekly",
        "attributes": [{"name": "pet", "kind": "categorical", "values": ["cat", "dog", "none"]}],
        "budget": {"levels": [1, 4]},
        "again": "fresh",
    }
)


def test_changes_and_series_are_printed(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    pets = [["cat", "dog", "none", "none"], ["cat", "cat", "cat", "none"]]
    frames = [{"pet": each * 500} for each in (pets[0], pets[0], pets[1], pets[1])]
    simulate_rounds(PLAN, frames, budgets="levels", seed=3).write(Path("rounds.parquet"))
    assert run("change", "rounds.parquet", "--from", "1", "--to", "2") == 0
    assert "independent rounds" in capsys.readouterr().out
    assert run("series", "rounds.parquet", "pet", "--json") == 0
    (document,) = json.loads(capsys.readouterr().out)
    assert [shift["round"] for shift in document["shifts"]] == [2, 2, 2]
    assert run("series", "rounds.parquet") == 0
    assert "something changed: " in capsys.readouterr().out
    assert run("change", "rounds.parquet", "--to", "9") == 1
    assert "no reports of round 9" in capsys.readouterr().err
