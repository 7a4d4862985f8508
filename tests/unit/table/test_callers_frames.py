"""Results make frames of the library in which the records or reports came."""

from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import discretion as ds
from tests.cases import for_each

PLAN = ds.Plan.of(
    {
        "name": "frames",
        "attributes": [
            {"name": "pet", "kind": "categorical", "values": ["cat", "dog"]},
            {"name": "home", "kind": "categorical", "values": ["flat", "house"]},
        ],
        "budget": {"levels": [1, 2, 4]},
    }
)
RECORDS = {"pet": ["cat", "dog", "dog"] * 200, "home": ["flat", "house"] * 300}


@for_each(
    "kind, made", [(pd.DataFrame, pd.DataFrame), (pl.DataFrame, pl.DataFrame), (dict, pa.Table)]
)
def test_what_came_in_a_library_goes_out_in_it(kind: type, made: type) -> None:
    reports = ds.simulate(PLAN, kind(RECORDS), budgets="levels", seed=4)
    pets, table = ds.frequencies(reports, "pet"), ds.joint(reports, ["pet", "home"])
    others = ds.simulate(PLAN, RECORDS, budgets="levels", seed=5)
    results: list[Any] = [reports, pets, table, table.marginal(["home"]), ds.dependence(reports)]
    results += [reports.of_round(0), ds.ReportTable.from_frame(PLAN, reports.to_frame())]
    results += [ds.frequencies(reports, "pet", by="home"), ds.compare(reports, others, "pet")]
    for result in results:
        assert isinstance(result.to_frame(), made), result
        assert isinstance(result.to_frame("polars"), pl.DataFrame)
    assert isinstance(pets.document(), dict)


def test_an_unknown_library_is_refused() -> None:
    reports = ds.simulate(PLAN, RECORDS, seed=4)
    with pytest.raises(ds.DiscretionError, match="a frame must be one of pyarrow, pandas, polars"):
        reports.to_frame("spark")
