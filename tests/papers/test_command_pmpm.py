"""``python -m papers pmpm``: it says what it needs, prints errors, and writes a page."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pytest

from papers.dataset import Dataset

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a folder with two small files of counties."""
    place, files = tmp_path / "sets", {}
    place.mkdir()
    for seed, name in enumerate(("one", "other")):
        rng = np.random.default_rng(seed)
        table = pa.table({f"c{j}": rng.beta(1, 2 + j, 300).round(4) for j in range(4)})
        csv.write_csv(table, place / f"{name}.csv", csv.WriteOptions(quoting_style="none"))
        digest = sha256((place / f"{name}.csv").read_bytes()).hexdigest()
        asked = tuple({"name": column, "kind": "numeric"} for column in table.column_names)
        files[name] = Dataset(name, f"{name}.csv", 300, digest, asked)
    monkeypatch.setattr("papers.__main__.COUNTIES", files)
    return place


def test_missing_data_are_one_line_that_says_what_to_do(run: Run, capsys: Capture) -> None:
    assert run("pmpm", "--data", "none") == 1
    error = capsys.readouterr().err
    assert f"{Path('none/acs2015_county_data.csv')} (or .gz) is not there: name its folder" in error
    assert "--fetch" not in error
    assert error.count("\n") == 1


def test_quick_prints_errors_and_writes_nothing(run: Run, capsys: Capture, small: Path) -> None:
    arguments = ("pmpm", "--quick", "--seeds", "2", "--data", str(small))
    assert run(*arguments) == 0
    out = capsys.readouterr().out
    assert "PMPM, mended" in out
    assert "of 12 bars are met." in out
    assert not Path("docs").exists()
    assert run(*arguments, "-o", "pages") == 0
    assert [path.name for path in Path("pages").iterdir()] == ["pmpm.md"]
