"""Records of SPSS and Stata go in wherever records do, and synthetic rows go out with labels."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from discretion.plan import Plan
from discretion.table.labelled import Described, read_labelled
from tests.unit.cli.conftest import Run

LABELS = {"cycle": {1: "Daily", 2: "Sometimes", 3: "Never", 4: "Other", 99: "Refused"}}
QUESTIONS = {"cycle": "How often do you cycle?", "age": "How old are you?"}
ALIKE = {"alike": {1: "Yes", 2: "Ｙｅｓ"}, "some": {97: "97 or more"}}


def people(path: Path) -> None:
    rng = np.random.default_rng(5)
    data: dict[str, Any] = {
        "cycle": rng.choice([1.0, 2.0, 3.0], 400),
        "age": rng.integers(18, 90, 400),
        "alike": rng.integers(1, 3, 400),
        "some": rng.integers(0, 98, 400),
    }
    about: dict[str, Any] = {"column_labels": QUESTIONS, "variable_value_labels": LABELS | ALIKE}
    if path.suffix == ".dta":
        pyreadstat.write_dta(pd.DataFrame(data), str(path), **about)
        return
    data["cycle"][:30] = 99
    pyreadstat.write_sav(pd.DataFrame(data), str(path), missing_ranges={"cycle": [99]}, **about)


@pytest.mark.parametrize("name", ["people.sav", "people.zsav", "people.dta"])
def test_a_file_with_labels_becomes_a_plan_reports_and_rows(
    name: str, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(name)
    people(path)
    assert run("plan", "new", name, "-o", "proposed.yaml") == 0
    plan = Plan.load("proposed.yaml")
    wording = plan.wording.of("cycle")
    kept = [code for code in LABELS["cycle"] if code != 99 or name.endswith(".dta")]
    assert wording.question == QUESTIONS["cycle"]
    assert wording.labels == {str(code): LABELS["cycle"][code] for code in kept}
    assert plan.attributes["cycle"].document["fallback"] == "4"
    assert plan.attributes["alike"].labels == ("1", "2")
    assert not plan.wording.of("alike").labels  # nobody could tell them apart
    assert plan.attributes["some"].quantity is not None
    text = Path("proposed.yaml").read_text(encoding="utf-8").replace("#", "")
    assert "(97: 97 or more)" in " ".join(text.split())

    assert run("plan", "check", "proposed.yaml", name) == 0
    assert "records     400 fit the plan" in capsys.readouterr().out
    assert run("simulate", "proposed.yaml", name, "-o", "r.parquet", "--seed", "1") == 0
    assert run("simulate", "proposed.yaml", name, "-o", "parts/", "--seed", "1") == 0
    rows = f"rows{path.suffix}"
    assert run("publish", "r.parquet", "cycle", "age", "--rows", "90", "-o", rows) == 0
    found = read_labelled(Path(rows))
    assert found.num_rows == 90
    assert Described.of(found.schema.field("cycle")).labels == wording.labels
    assert Described.of(found.schema.field("age")).question == QUESTIONS["age"]
    assert run("plan", "check", "proposed.yaml", name) == 0


def test_a_file_that_is_broken_or_missing_ends_in_one_line(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("broken.sav").write_bytes(b"$FL2 and no more")
    for name, said in (("broken.sav", "must be a "), ("missing.dta", "no such file")):
        assert run("plan", "new", name, "-o", "p.yaml") == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"discretion: {name}: {said}")
