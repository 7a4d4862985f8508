"""What the library warns of stands in the documents of a collector."""

from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.collector.outcome import Incoming
from discretion.collector.questions import answer
from discretion.collector.store import open_store

X = {"name": "x", "kind": "numeric", "range": [0, 10], "step": 1, "mechanism": "window"}
A = {"name": "a", "kind": "categorical", "values": ["yes", "no"]}
PLAN = ds.Plan.of({"name": "warned", "attributes": [A, X], "budget": {"levels": [1, 4]}})
ASKED: dict[str, dict[str, Any]] = {
    "joint": {"attributes": ["a", "x"], "method": "tensor"},
    "dependence": {},
    "variance": {"attribute": "x"},
    "minimum": {"attribute": "x"},
    "maximum": {"attribute": "x"},
}


@pytest.fixture(scope="module")
def warnings_of(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Ask everything about owners who choose the smaller level if their number is large."""
    x = np.random.default_rng(1).integers(0, 11, 2_000)
    frame = pa.table({"a": np.where(x % 2, "yes", "no"), "x": x.astype(float)})
    level = np.where(x > 5, 1.0, 4.0)
    reports = ds.simulate(PLAN, frame, budgets=pa.table({"a": level, "x": level}), seed=2)
    folder: Path = tmp_path_factory.mktemp("store")
    with closing(open_store(f"sqlite:///{folder}/reports.db", PLAN)) as store:
        sent = reports.to_reports()
        store.put([Incoming(r.round, bytes.fromhex(r.id), r.to_bytes()) for r in sent])
        return {
            question: answer(store, question, {"round": 0, **values})["warnings"]
            for question, values in ASKED.items()
        }


@pytest.mark.parametrize("question", ASKED)
def test_levels_that_depend_on_values_are_warned_of_once(
    question: str, warnings_of: dict[str, list[str]]
) -> None:
    (warning,) = warnings_of[question]
    assert "x: owners' budgets and values look dependent" in warning
