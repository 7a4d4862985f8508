"""The small tables of the dashboard as files: complete, and linked where they are shown."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from io import BytesIO
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pyarrow as pa
from pyarrow import parquet

from discretion.estimate.legend import Legend
from discretion.table import ReportTable
from discretion.trends import series
from discretion.web.dashboard import Choice, Frame, collection_page
from discretion.web.dashboard.export import KINDS, Export
from discretion.web.dashboard.tables import ANSWERED, COLLECTED
from discretion.web.dashboard.trends import trends_view
from tests.cases import for_each
from tests.collector.crowds import crowd
from tests.unit.web.dashboards import (
    CROWD,
    PLANS,
    Page,
    collected,
    document,
    found,
    page,
    read,
)

TABLES = {*COLLECTED, *ANSWERED}


def rows_of(export: Export) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(export.json())
    return rows


def made(name: str, key: str = "plain", whole: Mapping[str, Any] | None = None) -> Export:
    """Return a table of a crowd, or of this document."""
    own = ANSWERED[name]
    return own.write(whole or document(key, own.question), Legend.of(PLANS[key]()))


def linked(shown: Page, root: str) -> dict[str, set[str]]:
    """Return the tables to which a page has links, and the kinds of their files."""
    found: dict[str, set[str]] = {}
    for link in shown.all("a"):
        path = urlsplit(link["href"] or "").path
        if path.startswith(f"{root}tables/"):
            name, _, kind = path.removeprefix(f"{root}tables/").partition(".")
            found.setdefault(name, set()).add(kind)
    return found


def test_every_small_table_has_links_to_files_of_every_kind() -> None:
    overview = linked(page("plain"), "dashboard/")
    assert {*overview} == {"days", "levels", "densities", "dependence", "groups", "screened"}
    attacked = found("plain", CROWD, "quantiles", "income")
    one = page("plain", choice=Choice(0, "income"), attacked=attacked)
    addresses = [link["href"] or "" for link in one.all("a")]
    (bounds,) = (each for each in addresses if each.startswith("dashboard/tables/bounds.csv"))
    assert parse_qs(urlsplit(bounds).query) == {"round": ["0"], "attribute": ["income"]}
    frame = Frame(PLANS["plain"](), "/collection", True)
    rounds = linked(read(collection_page(frame, collected(), None, operator=False)), "")
    trends = linked(read(trends_view(followed(), "", Legend())), "")
    every = {**overview, "bounds": {*KINDS}, **rounds, **trends}
    assert {*every} == TABLES
    assert all(kinds == {*KINDS} for kinds in every.values())


def test_the_counts_are_those_of_the_page() -> None:
    now = collected(closed_on={0: "2026-03-09"})
    assert rows_of(COLLECTED["days"](now))[-1] == {"day": "2026-03-04", "reports": 2}
    (round,) = rows_of(COLLECTED["rounds"](now))
    assert round == {"round": 0, "state": "open", "closed_on": "2026-03-09"}
    outcomes = {
        (row["outcome"], row["reason"]): row["reports"]
        for row in rows_of(COLLECTED["outcomes"](now))
    }
    assert outcomes["kept", None] == now.kept
    assert outcomes["refused", "wrong_plan"] == 7
    assert sum(row["reports"] for row in rows_of(COLLECTED["days"](now))) == 82
    assert isinstance(min(now.days), date)


def test_levels_have_all_answers_and_all_of_the_weight() -> None:
    rows = rows_of(made("levels"))
    whole = document("plain")["levels"]
    counted = sum(group["reports"] for row in whole["rows"] for group in row["groups"])
    assert sum(row["answers"] for row in rows) == counted
    for name in {row["attribute"] for row in rows}:
        own = [row["share_of_weight"] for row in rows if row["attribute"] == name]
        assert None in own or abs(sum(own) - 1) < 1e-9


def test_densities_are_whole_and_have_dates_as_such() -> None:
    rows = rows_of(made("densities"))
    assert rows[0]["attribute"] == "income"
    assert abs(sum(row["share"] for row in rows) - 1) < 1e-9
    assert all(one["to"] == other["from"] for one, other in pairwise(rows))
    dated = [row for row in rows_of(made("densities", "ordered")) if row["attribute"] == "day"]
    assert all(str(row["from"]).startswith("2026-") for row in dated)


def test_bounds_stand_beside_each_quantile() -> None:
    whole: Any = found("plain", CROWD, "quantiles", "income").document
    rows = rows_of(made("bounds", whole=whole))
    assert len(rows) == len(whole["quantiles"]) * len(whole["margins"])
    assert {row["false_reports"] for row in rows} == {each["share"] for each in whole["margins"]}


def test_pairs_and_groups_have_the_fields_of_their_documents() -> None:
    assert rows_of(made("dependence")) == document("plain", "dependence")["pairs"]
    screened = [each["found"] for each in document("plain", "screenings")["screenings"]]
    groups = [group for own in screened if own is not None for group in own["groups"]]
    rows = rows_of(made("groups"))
    assert [row["n"] for row in rows] == [group["n"] for group in groups]
    assert len(rows_of(made("screened"))) == sum(len(own["estimates"]) for own in screened if own)


def in_round(reports: ReportTable, round: int) -> ReportTable:
    """Return the reports as those of another round."""
    place = reports.data.column_names.index("round")
    column = pa.array([round] * len(reports), reports.data["round"].type)
    return replace(reports, data=reports.data.set_column(place, "round", column))


def followed() -> Any:
    """Return what an overview of two rounds finds of the first attribute and of the number."""
    plan = PLANS["plain"]()
    rounds = [in_round(crowd(plan, CROWD, round), round) for round in (1, 2)]
    tried: list[dict[str, Any]] = [
        {"name": name, "kind": "", "reason": "", "warnings": [], "found": own}
        for name in ("mode", "income")
        for own in [series(rounds, name).document()]
    ]
    return {"trends": tried}


def test_curves_have_a_row_for_each_round_and_label() -> None:
    whole = followed()
    rows = rows_of(made("trends", whole=whole))
    assert len(rows) == sum(len(each["found"]["points"]) for each in whole["trends"])
    assert rows[0]["smooth_low"] <= rows[0]["smooth"] <= rows[0]["smooth_high"]
    assert rows_of(made("shifts", whole=whole)) == []


@for_each("name", sorted(ANSWERED))
def test_a_table_is_the_same_in_all_kinds_of_files(name: str) -> None:
    whole = None
    if ANSWERED[name].question == "trends":
        whole = followed()
    if ANSWERED[name].question == "quantiles":
        whole = found("plain", CROWD, "quantiles", "income").document
    export = made(name, whole=whole)
    rows = rows_of(export)
    assert parquet.read_table(BytesIO(export.parquet())).to_pylist() == rows
    assert len(export.csv().decode().splitlines()) == 1 + len(rows)
