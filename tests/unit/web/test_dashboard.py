"""The dashboard's page: whatever was found, or not yet, or never, stands in its place as text."""

from dataclasses import replace
from typing import Any

import pytest

from discretion.estimate.estimate import FEW, ROUGH
from discretion.estimate.legend import Legend
from discretion.web.dashboard import (
    Choice,
    Found,
    Frame,
    collection_page,
    dashboard_page,
    problem_page,
    sign_in_page,
)
from discretion.web.dashboard.frame import SCRIPT
from discretion.web.dashboard.page import NOBODY
from discretion.web.dashboard.screening import screening_view
from discretion.web.dashboard.sheet import estimates_sheet
from discretion.web.dashboard.words import PENDING
from tests.cases import for_each
from tests.unit.web.dashboards import (
    CROWD,
    EVIL,
    LONG,
    PLANS,
    QUOTED,
    Page,
    answers,
    collected,
    document,
    found,
    page,
    read,
)

CROWDS = [(key, n) for key in PLANS for n in (0, 1, CROWD)]
SECTIONS = ("Reports", "Answers by level", "What depends on what", "Screening", "Downloads")


def assert_inert(shown: Page) -> None:
    """Nothing on a page runs or is styled but what its own files say."""
    for tag, attributes in shown.elements:
        assert tag != "style"
        assert tag != "script" or (attributes["src"] or "").startswith("static/")
        assert not {name for name in attributes if name == "style" or name.startswith("on")}
        for link in ("href", "src", "action"):
            assert ":" not in (attributes.get(link) or "").split("?")[0]


@for_each("key, n", CROWDS)
def test_every_page_is_whole_and_nothing_in_it_runs(key: str, n: int) -> None:
    shown = page(key, n)
    assert_inert(shown)
    for title in SECTIONS:
        assert title in shown.said
    ids = [attributes["id"] for _, attributes in shown.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in shown.elements:
        assert attributes.get("aria-labelledby", ids[0]) in ids


@for_each("key, n", CROWDS)
def test_every_picture_says_what_it_shows_and_where_the_numbers_are(key: str, n: int) -> None:
    shown = page(key, n)
    tags = [tag for tag, _ in shown.elements]
    for place, (tag, attributes) in enumerate(shown.elements):
        if tag == "svg":
            assert attributes["role"] == "img"
            assert (attributes["aria-label"] or "").endswith("Numbers: table below.")
            rest = tags[place:]
            assert "table" in rest[: rest.index("section") if "section" in rest else None]


@pytest.mark.parametrize("n", [0, 1, CROWD])
def test_names_are_text_whatever_they_look_like(n: int) -> None:
    shown = page("hostile", n)
    assert shown.said.count(EVIL) >= 3
    assert QUOTED in shown.said
    assert [script["src"] for script in shown.all("script")] == ["static/dashboard.js"]
    options = [option["value"] for option in shown.all("option")]
    assert EVIL in options
    assert QUOTED in options
    if n == CROWD:
        assert {QUOTED, EVIL, "=1+1", "@sum", LONG} <= set(shown.table(f"{EVIL}: freq").body)


def test_reasons_warnings_and_refusals_are_text_too() -> None:
    answer = document("hostile") | {"warnings": [EVIL]}
    answer["estimates"][0] |= {"found": None, "reason": EVIL}
    answer["estimates"][1]["warnings"] = [QUOTED]
    screened = document("hostile", "screenings")
    screened["screenings"][0] |= {"found": None, "reason": QUOTED}
    changed: dict[str, Any] = {
        "overview": Found(answer),
        "screenings": Found(screened),
        "graph": Found(None, EVIL),
    }
    shown = page("hostile", **changed)
    assert_inert(shown)
    assert f"Careful: {EVIL}" in shown.said
    assert f"Careful: {QUOTED}" in shown.said
    assert shown.said.count(f"No estimate: {EVIL}.") == 2
    assert f"not tested: {QUOTED}." in shown.said


def test_before_the_first_report_the_page_says_so() -> None:
    shown = page("plain", 0)
    assert NOBODY in shown.said
    assert "No answers yet." in shown.said
    assert "There is nothing to be tested yet." in shown.said
    assert "No report of round 0 has come since days are counted." in shown.said
    assert shown.all("svg") == []


def test_one_report_is_an_estimate_of_what_it_reports_and_a_reason_for_the_rest() -> None:
    shown = page("plain", 1)
    assert "1 answer" in shown.said
    assert "No estimate: nobody shared 'mode' in these reports." in shown.said
    assert shown.table("income: shares").body


def test_intervals_of_few_reports_are_doubted() -> None:
    """By the cards of two attributes with labels, and by the quantiles of a number."""
    assert ROUGH not in page("plain", 5 * FEW).said
    assert page("plain", FEW - 1).said.count(ROUGH) == 3


def test_levels_that_are_secret_are_not_drawn() -> None:
    shown = page("secret")
    assert "Levels are secret" in shown.said
    table = shown.table("Answers by level")
    assert table.rows[0] == ["attribute", "answers", "level secret"]
    assert all(cells == [cells[0]] * 2 for cells in table.body.values())
    assert "levels" not in {svg.get("class") for svg in shown.all("svg")}


def test_a_bundle_of_labels_is_drawn_as_its_own_labels() -> None:
    shown = page("bundled", choice=Choice(0, "mode+pet"))
    assert len(shown.table("mode+pet: frequencies").body) == 5 * 3
    assert not [table for table in shown.tables if table.caption.startswith("mode: ")]


def test_a_bundle_of_numbers_leads_to_its_numbers() -> None:
    shown = page("numbers", choice=Choice(0, "mine+yours"))
    assert "mine+yours is a bundle of numbers: see mine and yours." in shown.said
    assert len(page("numbers").table("yours: shares").body) > 1


def test_what_is_on_its_way_is_said_to_be_and_asked_for_again() -> None:
    waiting: dict[str, Any] = dict.fromkeys(("overview", "curves", "screenings", "graph"), Found())
    shown = page("plain", **waiting)
    assert shown.said.count(PENDING) == 4
    assert "refresh" in {meta.get("http-equiv") for meta in shown.all("meta")}
    done = page("plain")
    assert PENDING not in done.said
    assert "refresh" not in {meta.get("http-equiv") for meta in done.all("meta")}


def test_quantiles_may_come_later_than_the_rest_or_not_at_all() -> None:
    assert page("plain", curves=Found()).said.count(PENDING) == 1
    failed = page("plain", curves=Found(None, "the server failed"))
    assert "No estimate: the server failed." in failed.said
    assert failed.table("income: shares").body


def test_one_attribute_has_its_table_open_and_its_quantiles_with_bounds() -> None:
    attacked = found("plain", CROWD, "quantiles", "income")
    shown = page("plain", choice=Choice(0, "income"), curves=None, attacked=attacked)
    assert PENDING not in shown.said
    table = shown.table("income: quantiles, and how far false reports move them")
    assert table.rows[0][-2:] == ["1 % false reports", "5 % false reports"]
    assert list(table.body)[2] == "median"
    assert "The density of income" not in shown.said
    assert not [each for each in shown.tables if each.caption.startswith("home: ")]
    assert "refresh" not in {meta.get("http-equiv") for meta in shown.all("meta")}


def test_what_was_chosen_is_kept_by_every_form() -> None:
    shown = page("hostile", choice=Choice(0, QUOTED, graph=True))
    chosen = [option["value"] for option in shown.all("option") if "selected" in option]
    assert chosen == ["0", QUOTED]
    hidden = [(each["name"], each["value"]) for each in shown.all("input")]
    assert hidden.count(("attribute", QUOTED)) == 1  # with the graph
    assert ("graph", "yes") in hidden


def test_counts_are_those_of_the_round() -> None:
    shown = page("plain")
    kept = document("plain")["reports"]
    assert [each["data-count"] for each in shown.all("strong") if "data-count" in each] == ["kept"]
    assert f"Round 0: {kept:,} reports kept" in shown.said
    assert "Refused reports" not in [table.caption for table in shown.tables]


def test_counts_of_all_rounds_have_a_page_of_their_own() -> None:
    frame = Frame(PLANS["plain"](), "/collection", True)
    shown = read(collection_page(frame, collected(), None, operator=False))
    places = [each["data-count"] for each in shown.all("strong") if "data-count" in each]
    assert places == ["kept", "accepted", "duplicate", "conflict", "deleted", "refused"]
    assert f"All rounds: {CROWD} reports kept" in shown.said
    assert shown.table("Refused reports").body == {"wrong plan": ["7"]}


def test_suspicious_groups_are_shown_with_what_remains_without_them() -> None:
    answer = document("plain", "screenings")
    screening = answer["screenings"][0]["found"]
    screening |= {"suspicious_share": 0.25, "note": EVIL}
    screening["groups"][0] |= {"suspicious": True, "adjusted": 0.0, "n": 1234}
    row = {"what": QUOTED, "value": 0.5, "stderr": 0.1, "without": None, "without_stderr": None}
    screening["estimates"] = [row]
    shown = read(screening_view(answer, "", Legend()))
    assert "25.0 % of the answers are in suspicious groups." in shown.said
    (cells,) = shown.table("mode: suspicious groups").body.values()
    assert cells == ["1,234", "< 0.0001"]
    assert shown.table("mode: estimate").body == {QUOTED: ["50.0 % ± 10.0 %", "nothing left"]}
    assert EVIL in shown.said
    assert "suspicious groups" not in read(screening_view(answer, "home", Legend())).said


def test_only_who_signed_in_can_sign_out() -> None:
    plan, own = PLANS["plain"](), answers("plain", whole=False)
    for signed in (True, False):
        text = dashboard_page(plan, collected(), Choice(0), own, signed=signed)
        assert ("Sign out" in text) == signed
        assert SCRIPT.format("") in text


def test_the_page_that_asks_for_a_token_says_what_was_wrong_beside_the_field() -> None:
    plain = read(sign_in_page(EVIL))
    assert_inert(plain)
    assert EVIL in plain.said
    assert "aria-invalid" not in plain.all("input")[0]
    wrong = read(sign_in_page(EVIL, QUOTED, "../"))
    (field,) = wrong.all("input")
    assert (field["type"], field["aria-invalid"]) == ("password", "true")
    assert {"id": field["aria-describedby"], "class": "warning"} in wrong.all("p")
    assert QUOTED in wrong.said
    assert wrong.all("form")[0]["action"] == "../dashboard/session"
    assert all((link["href"] or "").startswith("../static/") for link in wrong.all("link"))


def test_a_problem_is_text_and_leads_back() -> None:
    shown = read(problem_page(EVIL, QUOTED, "../"))
    assert_inert(shown)
    assert EVIL in shown.said
    assert QUOTED in shown.said
    assert shown.all("a") == [{"href": "../dashboard"}]


def test_the_graph_is_worked_out_when_it_is_wanted() -> None:
    shown = page("plain", choice=Choice(0), graph=None)
    assert "Work out the graph" in shown.said
    assert "It reads all reports" in shown.said
    assert not [t for t in shown.tables if t.caption == "Dependence of pairs"]
    assert len(page("plain").table("Dependence of pairs").body) == 3


def test_days_without_reports_are_days_too() -> None:
    shown = page("plain")
    table = shown.table("Reports of round 0 by the day")
    assert list(table.body.values()) == [[str(CROWD)], ["0"], ["0"], ["2"]]
    assert replace(collected(), days={}).kept == CROWD


def test_a_worded_plan_is_shown_in_its_words() -> None:
    shown = page("worded")
    for said in (
        "Ways & means",
        "How? <b> (travel)",
        "travel: How? <b>",
        "How <i>far</i>? (length)",
    ):
        assert said in shown.said
    assert "code0" not in shown.said
    assert {EVIL, LONG, "\u2068بالسيارة (الخاصة)\u2069"} == {*shown.table("travel: freq").body}
    assert all(row[0].endswith(" <km>") for row in shown.table("length: q").body.values())
    assert {"b", "i", "km"}.isdisjoint(tag for tag, _ in shown.elements)


def test_files_keep_names_and_codes() -> None:
    made = estimates_sheet(document("worded"), document("worded", "curves"), Legend())
    rows = made.csv().decode()
    assert "travel,code0," in rows
    assert "How" not in rows
