"""Folders at the command line: written, exported, and asked like files, also on a cluster."""

import json
from pathlib import Path

import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest
from distributed import default_client

import discretion as ds
from discretion.collector.outcome import Incoming
from discretion.collector.store import open_store
from discretion.table.folder import sampled
from tests.clusters import cluster
from tests.unit.cli.conftest import Run


def test_a_crowd_is_written_to_a_folder_and_asked(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("simulate", "plan.yaml", "people.csv", "-o", "reports/", "--seed", "7") == 0
    said = capsys.readouterr().out
    assert said.startswith("2,000 simulated reports written to reports/")
    assert run("estimate", "reports", "--method", "weighted", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    folder = ds.ReportFolder.open("reports")
    assert [each["attribute"] for each in found] == ["work", "income"]
    value = ds.frequencies(folder, "work", "weighted").value.tolist()
    assert [row["value"] for row in found[0]["frequencies"]] == pytest.approx(value)
    assert run("estimate", "reports", "--joint", "work,income") == 0
    assert "adaptive estimate" in capsys.readouterr().out
    assert run("dependence", "reports") == 0
    assert run("publish", "reports", "--rows", "50") == 0
    assert pq.read_table("synthetic.parquet").num_rows == 50


def whole(folder: ds.ReportFolder) -> ds.ReportTable:
    return sampled(folder, len(folder))


def test_records_are_perturbed_part_by_part(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discretion.cli.records.PART", 300)
    monkeypatch.setattr("discretion.cli.records.CSV_BYTES", 20_000)
    pq.write_table(csv.read_csv("people.csv"), "people.parquet")
    for data in ("people.csv", "people.parquet"):
        for again in ("one", "other"):
            place = f"{data}-{again}/"
            assert run("simulate", "plan.yaml", data, "-o", place, "--seed", "7") == 0
        one, other = (whole(ds.ReportFolder.open(f"{data}-{n}")) for n in ("one", "other"))
        assert one.data == other.data
        assert len(one) == 2000
    assert run("simulate", "plan.yaml", "people.csv", "-o", "people.csv-one/") == 1


def test_a_folder_is_asked_on_a_cluster(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("simulate", "plan.yaml", "people.csv", "-o", "reports/", "--seed", "7") == 0
    with cluster(1) as client:
        address = client.scheduler.address
        capsys.readouterr()
        assert run("estimate", "reports", "work", "--json", "--dask", address) == 0
        there = capsys.readouterr().out
        assert default_client() is client  # the command has closed its own
    assert run("estimate", "reports", "work", "--json") == 0
    assert capsys.readouterr().out == there
    assert run("estimate", "reports", "--dask", "sky") == 1
    assert "engine must be" in capsys.readouterr().err


def test_a_store_is_exported_by_round(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    plan = ds.Plan.load("plan.yaml")
    store = open_store("sqlite:///survey.db", plan)
    table = ds.simulate(plan, ds.census(40, seed=1), seed=1)
    store.open_round(0)
    store.put([Incoming(0, bytes.fromhex(r.id), r.to_bytes()) for r in table.to_reports()])
    store.close()
    export = ("export", "plan.yaml", "--store", "sqlite:///survey.db", "-o", "out")
    assert run(*export) == 0
    assert capsys.readouterr().out == "40 reports written to out\n"
    found = ds.ReportFolder.open("out")
    assert found.rounds == [0]
    assert sorted(whole(found).data["id"].to_pylist()) == sorted(table.data["id"].to_pylist())
    assert Path("out", f"plan={plan.id}", "round=0", "part-00000.parquet").exists()
    assert run(*export) == 1
    assert "counted twice" in capsys.readouterr().err
    assert run("export", "plan.yaml", "--store", "sqlite:///none.db", "-o", "other") == 1


def test_a_store_without_reports_is_exported_as_an_empty_round(run: Run) -> None:
    plan = ds.Plan.load("plan.yaml")
    open_store("sqlite:///survey.db", plan).close()
    assert run("export", "plan.yaml", "--store", "sqlite:///survey.db", "-o", "out") == 0
    assert len(ds.ReportFolder.open("out")) == 0
