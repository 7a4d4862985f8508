"""A value of an estimate is found by its name, with the interval that it has in the estimate."""

import numpy as np
import pytest

import discretion as ds
from discretion.errors import EstimateError

PLAN = ds.Plan.of(
    {
        "name": "entries",
        "attributes": [
            {"name": "travel", "kind": "categorical", "values": ["car", "bus", "bike"]},
            {"name": "work", "kind": "categorical", "values": ["employed", "student"]},
            {"name": "hours", "kind": "numeric", "range": [0, 40], "step": 1},
        ],
        "budget": {"levels": [1, 2, 4]},
    }
)


@pytest.fixture(scope="module")
def reports() -> ds.ReportTable:
    rng = np.random.default_rng(3)
    people = {
        "travel": rng.choice(["car", "bus", "bike"], 4000, p=[0.5, 0.3, 0.2]).tolist(),
        "work": rng.choice(["employed", "student"], 4000).tolist(),
        "hours": rng.integers(0, 41, 4000).tolist(),
    }
    return ds.simulate(PLAN, people, budgets="levels", seed=3)


def test_an_entry_is_the_value_at_its_name(reports: ds.ReportTable) -> None:
    shares = ds.frequencies(reports, "travel")
    bike = shares["bike"]
    assert float(bike) == bike.value == shares.value[2]
    assert bike.stderr == shares.stderr[2]
    assert bike.interval(0.8) == tuple(shares.interval(0.8)[2])
    assert repr(bike).startswith("bike: 0.")
    table = ds.joint(reports, ["travel", "work"])
    assert table["bus", "student"].value == table.value[1, 1]
    assert table.event({"travel": "bus", "work": "student"}).value == table.value[1, 1]
    middle = ds.quantiles(reports, "hours", [0.25, 0.5])[0.5]
    assert np.isnan(middle.stderr)
    assert "stderr" not in repr(middle)
    groups = ds.frequencies(reports, "travel", by="work")
    assert groups["student", "bus"].interval() == tuple(groups.interval()[1, 1])
    assert ds.mean(reports, "hours", by="work")["student"].value > 0


def test_an_unknown_name_is_answered_with_the_known_ones(reports: ds.ReportTable) -> None:
    shares, table = ds.frequencies(reports, "travel"), ds.joint(reports, ["travel", "work"])
    with pytest.raises(EstimateError, match=r"no 'bikes' \(did you mean 'bike'\?\); there are car"):
        shares["bikes"]
    with pytest.raises(EstimateError, match="give 2 names, one for each axis, got 'bike'"):
        table["bike"]
    with pytest.raises(TypeError):
        iter(shares)
