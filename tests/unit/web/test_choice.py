"""What an analyst chose, read from an address and written as one; and the sheet she takes along."""

import csv
import io
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from discretion.errors import RoundError, UnknownAttribute
from discretion.estimate.legend import Legend
from discretion.web.dashboard import Choice, Collected
from discretion.web.dashboard.export import plain
from discretion.web.dashboard.forms import downloads_view
from discretion.web.dashboard.sheet import COLUMNS, estimates_sheet
from tests.cases import for_each
from tests.plans import shop
from tests.unit.web.dashboards import (
    EVIL,
    QUOTED,
    document,
    estimate,
    hostile,
    read,
)


def chosen(**given: str) -> Choice:
    return Choice.of(hostile(), [0, 3], 3, given)


def test_an_address_without_anything_is_the_newest_round() -> None:
    assert chosen() == Choice(3)
    assert chosen(round="", attribute="") == Choice(3)


def test_all_that_is_chosen_is_read() -> None:
    read_ = chosen(round="0", attribute=EVIL, graph="yes", more="1")
    assert read_ == Choice(0, EVIL, graph=True)


@for_each("name", ["shoes", EVIL.upper(), " "])
def test_what_the_plan_does_not_ask_is_refused(name: str) -> None:
    with pytest.raises(UnknownAttribute):
        chosen(attribute=name)


@pytest.mark.parametrize(
    "round", ["1", "4294967296", "9" * 19, "9" * 20, "3" + "0" * 30, "9" * 9999]
)
def test_a_round_that_was_never_opened_is_refused_however_large(round: str) -> None:
    with pytest.raises(RoundError, match="was never opened"):
        chosen(round=round)


@pytest.mark.parametrize("round", ["x", "-1", "3.0", "1e3", "²", "0x3", " 0"])
def test_a_round_that_is_no_number_is_the_newest(round: str) -> None:
    assert chosen(round=round).round == 3


@pytest.mark.parametrize("choice", [Choice(3), Choice(0, EVIL), Choice(3, QUOTED, graph=True)])
def test_an_address_leads_back_to_the_choice(choice: Choice) -> None:
    address = urlsplit(choice.address())
    assert address.path == "dashboard"
    assert chosen(**dict(parse_qsl(address.query))) == choice
    changed = urlsplit(choice.address(attribute=""))
    assert chosen(**dict(parse_qsl(changed.query))).attribute == ""


def test_downloads_are_of_what_was_chosen() -> None:
    shown = read(downloads_view(shop(), Choice(3)))
    links = [urlsplit(link["href"] or "") for link in shown.all("a")]
    assert all(("round", "3") in parse_qsl(link.query) for link in links)
    next_rounds = [dict(parse_qsl(link.query)) for link in links if link.path == "v1/focus"]
    assert next_rounds == [{"attribute": "basket", "round": "3"}]  # of what was found in a set


def test_the_newest_round_is_one_that_takes_reports_if_any_does() -> None:
    def newest(**rounds: str) -> int:
        return Collected({int(r[1:]): s for r, s in rounds.items()}, {}, {}, {}).newest

    assert newest(r0="open", r2="open", r5="closed") == 2
    assert newest(r0="closed", r5="cleared") == 5


def sheet(overview: Any, curves: Any) -> list[dict[str, str]]:
    made = estimates_sheet(overview, curves, Legend()).csv().decode()
    return list(csv.DictReader(io.StringIO(made, newline="")))


def test_values_in_the_sheet_are_those_of_the_documents_to_the_last_digit() -> None:
    overview, curves = document("plain"), document("plain", "curves")
    rows = sheet(overview, curves)
    assert list(rows[0])[: len(COLUMNS)] == list(COLUMNS)
    mode = estimate(overview, "mode")["found"]
    for place, label in enumerate(mode["frequencies"]):
        row = next(r for r in rows if (r["attribute"], r["what"]) == ("mode", label["label"]))
        for key in ("value", "stderr", "low", "high"):
            assert float(row[key]) == label[key]
        assert int(row["reports"]) == mode["reports"]
        bound = mode["margins"][0]["margins"][place]
        assert float(row["down by 1 % of false reports"]) == bound["down"]
    income = estimate(overview, "income", "number")["found"]
    (mean,) = (row for row in rows if row["what"] == "mean")
    assert float(mean["value"]) == income["mean"]["value"]
    quantiles_shown = {
        row["what"]: float(row["value"]) for row in rows if row["what"].startswith("quantile")
    }
    quantiles = curves["curves"][0]["found"]["quantiles"]
    assert quantiles_shown == {f"quantile {row['level']:g}": row["value"] for row in quantiles}


def test_what_could_not_be_estimated_has_the_reason_in_the_sheet() -> None:
    overview = document("plain")
    overview["estimates"][0] |= {"found": None, "reason": "nobody shared it"}
    rows = sheet(overview, None)
    assert {row["attribute"] for row in rows} == {"mode", "home", "income"}
    (mode,) = (row for row in rows if row["attribute"] == "mode")
    assert mode["what"] == "no estimate: nobody shared it"
    assert mode["value"] == ""
    assert not [row for row in rows if row["what"].startswith("quantile")]
    nothing = sheet(document("plain", n=0), document("plain", "curves", n=0))
    assert {row["what"].partition(":")[0] for row in nothing} == {"no estimate"}


def test_no_name_becomes_a_formula() -> None:
    rows = sheet(document("hostile"), document("hostile", "curves"))
    names = {row["what"] for row in rows} | {row["attribute"] for row in rows}
    assert {"'=1+1", "'@sum", "'+x", "-1", EVIL, QUOTED} <= names
    assert not [name for name in names if name[0] in "=+@-" and name != "-1"]
    assert any(row["value"].startswith("0.") for row in rows)


@for_each(
    "name, written",
    [
        ("car", "car"),
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        (" =1", "' =1"),
        ("-2+3", "'-2+3"),
        ("@x", "'@x"),
        ("+a", "'+a"),
        ("-", "'-"),
        ("-0.5", "-0.5"),
        ("+1,000", "+1,000"),
        ("a=b", "a=b"),
    ],
)
def test_an_apostrophe_stands_before_formulas_and_nothing_else(name: str, written: str) -> None:
    assert plain(name) == written
