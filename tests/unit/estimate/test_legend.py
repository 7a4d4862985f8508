"""Results of a plan with wording: people read its words, machines its names and codes."""

from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from matplotlib.axes import Axes

import discretion as ds
from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.table import ReportTable
from tests.plans import AVERAGE

QUESTION = {"de": "Wie fahren Sie zur Arbeit?", "ar": "كيف تذهب إلى العمل؟"}
LABELS = {"car": {"de": "Mit dem Auto", "ar": "بالسيارة"}, "bus": {"de": "Mit dem Bus"}}
TRAVEL = {
    "name": "travel",
    "kind": "categorical",
    "question": QUESTION,
    "values": [{"code": code, "label": label} for code, label in LABELS.items()],
}
KM = {"name": "km", "kind": "numeric", "range": [0, 40], "step": 10, "unit": "km"}
KM |= {"question": {"de": "Wie weit ist es?"}}
HOME = {"name": "home", "kind": "categorical", "values": ["town", "country"]}


def worded(*languages: str) -> Plan:
    asked = {
        "name": "survey",
        "title": {"de": "Wege", "ar": "طرق"},
        "attributes": [TRAVEL, KM, HOME],
    }
    return Plan.of({**asked, "languages": list(languages), "budget": AVERAGE})


@cache
def reports() -> ReportTable:
    rng, n = np.random.default_rng(3), 300
    columns = {
        "travel": rng.choice(["car", "bus"], n),
        "km": rng.choice([0, 10, 20, 30, 40], n),
        "home": rng.choice(["town", "country"], n),
    }
    return ds.simulate(worded("de", "ar"), pa.table(columns), seed=1)


def test_without_wording_names_and_codes_stand_for_themselves() -> None:
    legend = Legend()
    assert legend.title("km") == legend.question("km") == legend.entry("km") == "km"
    assert legend.label("travel", "car") == "car"
    assert legend.survey("survey") == "survey"
    assert legend.write("km", str) is str


def test_people_read_the_first_language_of_a_plan() -> None:
    german = Legend.of(worded("de", "ar"))
    assert german.title("travel") == "Wie fahren Sie zur Arbeit? (travel)"
    assert german.entry("travel") == "travel: Wie fahren Sie zur Arbeit?"
    assert german.label("travel", "bus") == "Mit dem Bus"
    assert german.survey("survey") == "Wege"
    assert german.write("km", str)(3.5) == "3.5\N{NO-BREAK SPACE}km"


def test_frequencies_are_shown_by_label_and_kept_by_code() -> None:
    found = ds.frequencies(reports(), "travel")
    for shown in (str(found), found._repr_html_()):
        assert "Wie fahren Sie zur Arbeit? (travel)" in shown
        assert "Mit dem Auto" in shown
    assert found.to_frame()["travel"].to_pylist() == ["car", "bus"]
    assert [row["label"] for row in found.document()["frequencies"]] == ["car", "bus"]
    assert found.document()["attribute"] == "travel"
    ax = found.plot()
    assert ax.get_title(loc="left") == "Wie fahren Sie zur Arbeit?"
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Mit dem Auto", "Mit dem Bus"]


def test_joint_tables_are_shown_by_label_and_kept_by_code() -> None:
    found = ds.joint(reports(), ["travel", "home"])
    assert "Wie fahren Sie zur Arbeit? (travel) x home" in str(found)
    assert "Mit dem Bus" in found._repr_html_()
    assert set(found.to_frame()["travel"].to_pylist()) == {"car", "bus"}
    given = found.condition({"travel": "car"})
    assert "home given Wie fahren Sie zur Arbeit? (travel) = Mit dem Auto" in str(given)
    ax = found.plot()
    assert [each.get_text() for each in ax.get_yticklabels()] == ["Mit dem Auto", "Mit dem Bus"]
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("Wie fahren Sie zur Arbeit?", "home")


@pytest.mark.parametrize("statistic", [ds.mean, ds.quantiles, ds.histogram])
def test_numbers_have_their_unit(statistic: object) -> None:
    found = statistic(reports(), "km")  # type: ignore[operator]
    assert "\N{NO-BREAK SPACE}km" in str(found)
    assert "Wie weit ist es? (km)" in str(found)
    assert "Wie weit ist es? (km), in km" in found._repr_html_()
    assert "Wie weit" not in str(found.document())


def test_a_variance_has_no_unit_and_a_plot_names_it() -> None:
    assert "km;" not in str(ds.variance(reports(), "km"))
    ax: Axes = ds.histogram(reports(), "km").plot()
    assert ax.get_title(loc="left") == "Wie weit ist es?"
    assert ax.get_xlabel().startswith("km; density")
