"""The commands of two rounds: the plan of the next one in YAML, and both together."""

import json
from pathlib import Path

import pytest
import yaml

import discretion as ds
from discretion.cli.main import main

PEOPLE = {"basket": [["milk", "rye"], ["milk"], ["tea"], []] * 200}


@pytest.fixture(autouse=True)
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    items = [{"code": item, "label": item.title()} for item in ("milk", "rye", "tea", "oil")]
    asked = {"name": "basket", "kind": "set", "items": items, "length": 4}
    found = ds.Plan.of({"name": "shop", "attributes": [asked], "budget": {"levels": [0.5, 4]}})
    ds.simulate(found, PEOPLE, budgets="levels", seed=1).write("first.parquet")


def run(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["discretion", *line.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code, line


def test_a_plan_is_written_as_focus_makes_it_and_its_round_is_pooled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("plan focus first.parquet basket --count 3 --sets 2", monkeypatch)
    assert "next.yaml: basket, 3 itemsets of" in capsys.readouterr().out
    first = ds.frequencies(ds.ReportTable.read("first.parquet"), "basket")
    made = ds.Plan.load("next.yaml")
    assert made.id == ds.focus(first, 3, 2).id
    run("plan focus first.parquet basket --count 3 --sets 2 -o -", monkeypatch)
    printed = capsys.readouterr().out
    assert yaml.safe_load(printed)["budget"] == {"levels": [0.5, 4]}
    second = ds.simulate(made, PEOPLE, budgets="levels", seed=2)
    second.write("second.parquet")
    run("pool first.parquet second.parquet basket --common 0 --json", monkeypatch)
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads(json.dumps(ds.pool(second, first, 0).document()))
    run("pool first.parquet second.parquet basket", monkeypatch)
    assert "Milk" in capsys.readouterr().out
