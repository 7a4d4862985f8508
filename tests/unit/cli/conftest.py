"""The command as a shell calls it, in a folder of its own."""

import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.csv as csv
import pytest

import discretion as ds
from discretion.cli.main import main
from discretion.numbers import lens

PLAN = """
name: census
attributes:
  - {name: work, kind: categorical, values: [employed, self-employed, seeking, retired, student]}
  - {name: income, kind: numeric, range: [0, 150000], step: 100, bins: [0, 20000, 60000, 150000]}
budget: {average: 2, least: 0.25, most: 6}
"""

Run = Callable[..., int]


@pytest.fixture(autouse=True)
def few_redraws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have rough intervals of quantiles, soon: here it matters how they are shown."""
    monkeypatch.setattr(lens, "DRAWS", 6)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Call the command in a folder with a plan and records; return its exit status."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path("plan.yaml").write_text(PLAN, encoding="utf-8")
    csv.write_csv(ds.census(2_000, seed=1), "people.csv")

    def call(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["discretion", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        return int(end.value.code or 0)

    return call
