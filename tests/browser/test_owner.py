"""An owner takes part: by mouse, by keyboard, on a phone, offline and back; and takes it back."""

import json
import math
import os
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from discretion.collector.invitations import Invitations
from discretion.collector.store import open_database
from discretion.collector.tokens import Role
from discretion.plan import Family, Plan
from discretion.report import read
from discretion.web.invitations import cards_page, link
from tests.browser.owner import Owner
from tests.browser.sight import ALL, assert_accessible, assert_fits
from tests.collector.crowds import token_of
from tests.collector.serving import Server
from tests.plans import (
    AGE_GROUP,
    HOME,
    INCOME,
    MODE,
    assigned_commuters,
    author,
    commuters,
    sampled_commuters,
    texts,
)

STOPS = {"mode": 2, "income": 1}
RECORD = {"mode": "bike", "income": "31257"}
ARRIVED = "Your report has arrived"
WAITS = "kept on this device and will be sent when you are online"


@pytest.fixture
def owner(page: Page, server: Server) -> Owner:
    return Owner(page, server.url)


def kept(server: Server) -> int:
    return int(server.get("/v1/counters").json()["kept"])


def bodies(server: Server) -> list[bytes]:
    """Return what the collector has, as it was sealed."""
    with closing(open_database(server.store)) as database, database.reading() as session:
        rows = session.rows("SELECT body FROM reports WHERE body IS NOT NULL")
    return [bytes(body) for (body,) in rows]


def test_an_owner_takes_part_and_takes_it_back(owner: Owner, server: Server) -> None:
    before = kept(server)
    owner.visit()
    owner.choose(STOPS)
    owner.answer(RECORD)
    shown = owner.seal()
    owner.reads("Nothing has been sent yet")
    assert kept(server) == before
    owner.send()
    owner.reads(ARRIVED)
    assert kept(server) == before + 1
    assert shown in bodies(server)
    report = read(commuters(), shown)
    assert {name: answer.level for name, answer in report.answers.items()} == {
        "mode": 1000,
        "income": 500,
    }
    receipt = owner.page.get_by_label("Receipt").input_value()
    assert len(bytes.fromhex(receipt)) == 32
    owner.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    owner.press("Copy the receipt")
    owner.reads("Copied")
    assert owner.page.evaluate("navigator.clipboard.readText()") == receipt
    with owner.page.expect_download() as download:
        owner.press("Save the receipt")
    assert Path(download.value.path()).read_text() == f"{receipt}\n"
    owner.delete()
    owner.reads("Your report is deleted. The collector has confirmed it")
    expect(owner.page.get_by_label("Receipt")).to_be_hidden()
    assert kept(server) == before
    assert shown not in bodies(server)


def test_budgets_come_before_answers_and_nothing_is_chosen_beforehand(owner: Owner) -> None:
    owner.visit()
    owner.press("Choose what to share")
    for name in commuters().names:
        expect(owner.question(name).get_by_role("radio", name="Leave out")).to_be_checked()
    expect(owner.page.get_by_role("textbox")).to_have_count(0)
    owner.share("mode")
    slider = owner.question("mode").get_by_role("slider")
    expect(slider).to_have_value("0")  # the strongest protection
    expect(owner.question("mode")).to_contain_text("at most 56.3 % sure")
    owner.press("Go on to the questions")
    radios = owner.options("mode").get_by_role("radio")
    expect(radios).not_to_have_count(0)
    for radio in radios.all():
        expect(radio).not_to_be_checked()


def test_a_level_is_shown_in_odds_and_in_dots(owner: Owner) -> None:
    owner.visit()
    main = owner.page.get_by_role("main")
    assert "level" not in main.inner_text()  # before it is said what that is
    owner.press("Choose what to share")
    owner.sees("Choose what to share")
    said = main.inner_text()
    assert said.index("level") == said.index("level, sets how much an answer may reveal")
    owner.share("age", 2)
    group = owner.question("age")
    expect(group).to_contain_text("at most 73.2 % sure after")
    kept = round(100 * float(commuters().questions["age"].law(1000, Family.SETS).inclusion.own))
    expect(group).to_contain_text(f"Of 100 people with your answer, {kept} ")
    picture = group.get_by_role("img", name=f"Of 100 people with your answer, {kept} ")
    expect(picture).to_be_visible()
    expect(picture.locator("circle")).to_have_count(100)
    expect(picture.locator(".own")).to_have_count(kept)


def test_all_of_it_works_by_keyboard(owner: Owner, server: Server) -> None:
    before, page = kept(server), owner.page
    owner.visit()
    tab_to(page, "button", "Choose what to share")
    page.keyboard.press("Enter")
    owner.sees("Choose what to share")
    tab_to(page, "radio", "Leave out")
    page.keyboard.press("ArrowRight")
    tab_to(page, "slider", "")
    page.keyboard.press("ArrowRight")
    tab_to(page, "button", "Go on to the questions")
    page.keyboard.press("Enter")
    owner.sees("Your answers")
    tab_to(page, "radio", "car")
    page.keyboard.press("Space")
    tab_to(page, "button", "Seal my report")
    page.keyboard.press("Enter")
    owner.sees("Your report")
    tab_to(page, "button", "Send")
    page.keyboard.press("Enter")
    owner.reads(ARRIVED)
    assert kept(server) == before + 1
    tab_to(page, "button", "Delete my report")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    owner.reads("Your report is deleted")
    assert kept(server) == before


FOCUSED = """() => {
  const at = document.activeElement;
  const kinds = { BUTTON: "button", INPUT: { radio: "radio", range: "slider" }[at.type] };
  const label = at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent;
  return [kinds[at.tagName] ?? at.tagName, label];
}"""


def tab_to(page: Page, role: str, name: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(60):
        page.keyboard.press("Tab")
        found, label = page.evaluate(FOCUSED)
        if found == role and name in label:
            return
    pytest.fail(f"no way by Tab to the {role} {name!r}")


def test_what_is_sent_offline_goes_when_the_network_is_back(
    owner: Owner, context: BrowserContext, server: Server
) -> None:
    before = kept(server)
    owner.visit()
    owner.choose(STOPS)
    owner.answer(RECORD)
    context.set_offline(True)
    shown = owner.seal()
    owner.send()
    owner.reads(WAITS)
    assert kept(server) == before
    context.set_offline(False)
    owner.reads(ARRIVED)
    assert shown in bodies(server)


def test_the_same_bytes_are_sent_after_a_reload(owner: Owner, server: Server) -> None:
    owner.visit()
    owner.choose(STOPS)
    owner.answer(RECORD)
    shown = owner.seal()
    before = kept(server)
    owner.page.reload()
    assert owner.report() == shown
    owner.reads("Nothing has been sent yet")
    assert kept(server) == before  # a reload sends nothing by itself
    owner.send()
    owner.reads(ARRIVED)
    assert shown in bodies(server)
    owner.page.reload()
    assert owner.report() == shown
    owner.reads(ARRIVED)
    assert kept(server) == before + 1


def test_before_it_is_sealed_nothing_is_kept(owner: Owner) -> None:
    owner.visit()
    owner.choose(STOPS)
    owner.answer(RECORD)
    owner.page.reload()
    owner.sees("What is asked")
    owner.press("Choose what to share")
    expect(owner.question("mode").get_by_role("radio", name="Leave out")).to_be_checked()


def test_a_sealed_report_can_be_deleted_unsent(owner: Owner, server: Server) -> None:
    before = kept(server)
    owner.visit()
    owner.choose(STOPS)
    owner.answer(RECORD)
    owner.seal()
    owner.press("Delete my report")
    owner.press("Keep it")
    owner.delete()
    owner.reads("The collector has none, and this device does not send it")
    expect(owner.page.get_by_role("button", name="Send", exact=True)).to_be_hidden()
    assert kept(server) == before


def test_a_refused_budget_is_explained_beside_its_field(owner: Owner) -> None:
    owner.visit()
    owner.press("Choose what to share")
    owner.press("Go on to the questions")
    together = owner.page.get_by_role("region", name="All together")
    expect(together).to_contain_text("share at least 1 answer")
    owner.share("mode", 4)  # 4, where 2 may be spent on one
    expect(together).to_contain_text("Your levels add up to 4, and this survey allows 2")
    owner.press("Go on to the questions")
    owner.sees("Choose what to share")


def test_levels_are_lowered_where_they_were_raised(owner: Owner) -> None:
    owner.visit()
    owner.press("Choose what to share")
    owner.share("age", 2)
    owner.share("mode", 4)  # 1 and 4, where two may spend 4
    group = owner.question("mode")
    expect(group).to_contain_text("Your levels add up to 5, and this survey allows 4")
    expect(owner.question("age")).not_to_contain_text("add up")
    group.get_by_role("button", name="Lower all levels until they fit").click()
    expect(group.get_by_role("slider")).to_be_focused()
    expect(group).to_contain_text("(level 3)")
    expect(owner.question("age")).to_contain_text("(level 0.75)")
    owner.reads("They fit now")
    owner.press("Divide evenly among what I share")
    for name in ("mode", "age"):
        expect(owner.question(name)).to_contain_text("(level 2)")
    owner.press("Go on to the questions")
    owner.sees("Your answers")


@pytest.mark.parametrize("value, expected", [("", "answer"), ("much", "number")])
def test_what_is_no_answer_is_explained_beside_its_field(
    owner: Owner, value: str, expected: str
) -> None:
    owner.visit()
    owner.choose({"income": 0})
    field = owner.page.get_by_label("income", exact=True)
    field.fill(value)
    owner.press("Seal my report")
    owner.sees("Your answers")
    expect(field).to_have_attribute("aria-invalid", "true")
    beside = field.evaluate(
        "f => f.getAttribute('aria-describedby').split(' ')"
        ".map(id => document.getElementById(id).textContent).join(' ')"
    )
    assert expected in beside.lower()
    expect(field).to_be_focused()
    field.fill("31257")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    owner.seal()


KEPT = """() => new Promise((resolve) => {
  indexedDB.open("discretion").onsuccess = async ({ target }) => {
    const counted = ["outbox", "memo", "ledger"].map((table) => new Promise((done) => {
      const count = target.result.transaction(table).objectStore(table).count();
      count.onsuccess = () => done(count.result);
    }));
    resolve(await Promise.all(counted));
  };
})"""


def test_what_a_number_counts_as_is_shown_before_it_is_sealed(owner: Owner) -> None:
    page = owner.page
    page.set_viewport_size({"width": 360, "height": 800})
    owner.visit()
    owner.choose({"income": 0, "age": 0})
    owner.answer({"income": "200000.5", "age": "-7"})
    owner.press("Seal my report")
    shown = page.get_by_role("group").filter(has_text="These answers count as others")
    expect(shown).to_be_focused()
    items = [re.sub("[^ -~]", "", each) for each in shown.get_by_role("listitem").all_inner_texts()]
    assert items == [
        "age: -7 is outside of what can be reported. It counts as 16.",
        "income: 200,000.5 is outside of what can be reported. It counts as 200,000.",
    ]
    looked_at(page)
    assert page.evaluate(KEPT) == [0, 0, 0]
    owner.press("Change my answers")
    expect(page.get_by_role("textbox", name="age", exact=True)).to_be_focused()
    expect(shown).to_be_hidden()
    owner.answer({"age": "41"})
    owner.press("Seal my report")
    expect(shown.get_by_role("listitem")).to_have_count(1)
    assert page.evaluate(KEPT) == [0, 0, 0]
    owner.press("Seal it like this")
    owner.report()
    assert page.evaluate(KEPT) == [1, 2, 2]


def test_a_limit_of_her_own_is_kept(owner: Owner) -> None:
    owner.visit()
    owner.press("Choose what to share")
    owner.page.get_by_text("Set a limit for this device").click()
    limit = owner.page.get_by_role("textbox")
    limit.fill("0.5")
    owner.page.get_by_role("button", name="Set").click()
    owner.share("mode", 2)
    owner.press("Go on to the questions")
    owner.sees("Choose what to share")
    together = owner.page.get_by_role("region", name="All together")
    expect(together).to_contain_text("to 1, and you allowed at most 0.5")


@pytest.mark.parametrize("width, colours", [(360, "light"), (1280, "dark")])
def test_every_step_fits_and_can_be_read(owner: Owner, width: int, colours: Any) -> None:
    page = owner.page
    page.emulate_media(color_scheme=colours)
    page.set_viewport_size({"width": width, "height": 800})
    owner.visit()
    looked_at(page)
    owner.press("Choose what to share")
    owner.share("mode", 2)
    owner.share("income")
    looked_at(page)
    owner.press("Go on to the questions")
    looked_at(page)
    owner.press("Seal my report")  # and the errors
    looked_at(page)
    owner.answer(RECORD)
    owner.seal()
    looked_at(page)
    owner.send()
    owner.reads(ARRIVED)
    owner.press("Delete my report")
    looked_at(page)


def looked_at(page: Page) -> None:
    assert_accessible(page)
    assert_fits(page)


def test_without_a_script_it_explains_itself(browser: Any, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 800})
    page = context.new_page()
    page.goto(server.url)
    expect(page.get_by_text("JavaScript").first).to_be_visible()
    for name in ("mode", "age", "income"):
        expect(page.get_by_text(name).first).to_be_visible()
    assert_fits(page)
    context.close()


@pytest.fixture
def other(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    plan, settings = request.param
    with Server(tmp_path, plan(), **settings) as running:
        yield running


def rich() -> Plan:
    """Many labels, a choice of ranges, a bundle, and a total to be spent by all of them."""
    land = {"name": "land", "kind": "categorical", "values": [f"land {i}" for i in range(40)]}
    income = {**INCOME, "ranges": [[0, 100000], [20000, 60000]]}
    asked = {"attributes": [MODE, AGE_GROUP, land, income], "bundles": [["mode", "age"]]}
    return Plan.of(author(**asked, budget={"total": 6.0, "spread": 1.5}))


@pytest.mark.parametrize("other", [(rich, {})], indirect=True)
def test_all_kinds_of_questions_can_be_answered(page: Page, other: Server) -> None:
    together = "mode and age, together"
    record = {"mode": "bus", "age": "41.5", "land": "land 39", "income": "31257"}
    owner = Owner(page, other.url)
    owner.visit()
    owner.press("Choose what to share")
    for name in (together, "land", "income"):
        owner.share(name)
    page.get_by_role("combobox", name="Range for income").select_option("2")
    looked_at(page)
    owner.press("Go on to the questions")
    owner.answer(record)
    shown = owner.seal()
    owner.send()
    owner.reads(ARRIVED)
    answers = read(other.plan, shown).answers
    assert list(answers) == ["land", "income", "mode+age"]
    assert answers["income"].range == 2


def hashed() -> Plan:
    """Cells, and bits that spend less than their level."""
    home = {**HOME, "mechanism": "the"}
    return Plan.of(author(attributes=[{**MODE, "mechanism": "olh"}, home]))


@pytest.mark.parametrize("other", [(hashed, {})], indirect=True)
def test_laws_that_are_loaded_for_a_plan_are_explained_and_drawn(page: Page, other: Server) -> None:
    owner = Owner(page, other.url)
    owner.visit()
    owner.press("Choose what to share")
    sentences = {
        "mode": "All answers are put into 2 groups at random",
        "home": "A yes or no is sent",
    }
    for name, text in sentences.items():
        owner.share(name)
        law = other.plan.questions[name].law(250, Family.SETS).inclusion
        kept, also = (round(100 * float(part)) for part in (law.own, law.other))
        expect(owner.question(name)).to_contain_text(text)
        expect(owner.question(name)).to_contain_text(f"with your answer, {kept} send")
    expect(owner.question("home")).to_contain_text(f"with another one, {also} do as well")
    looked_at(page)
    owner.press("Go on to the questions")
    owner.answer({"mode": "bus", "home": "town"})
    shown = owner.seal()
    owner.send()
    owner.reads(ARRIVED)
    assert list(read(other.plan, shown).answers) == ["mode", "home"]


def varied() -> Plan:
    stated: dict[str, Any] = {
        "parts": {"idldp": {"shares": {"hiv": 0.5}}},
        "open": {"uldp": {"sensitive": ["hiv", "flu"]}},
        "places": {"metric": {"scale": 2}},
    }
    values = ["hiv", "flu", "cold", "none", "other"]
    labels = {"kind": "categorical", "values": values}
    attributes = [{"name": name, **labels, "mechanism": m} for name, m in stated.items()]
    return Plan.of(author(attributes=attributes, budget={"levels": [1]}))


@pytest.mark.parametrize("other", [(varied, {})], indirect=True)
def test_what_a_variant_protects_is_said_and_what_it_does_not(page: Page, other: Server) -> None:
    owner = Owner(page, other.url)
    owner.visit()
    main = page.get_by_role("main")
    expect(main).to_contain_text("Only hiv and flu are protected. Any other answer may be sent")
    expect(main).to_contain_text("No, never for certain, if it is protected.")
    expect(main).to_contain_text("far apart have less than the level says")
    owner.press("Choose what to share")
    expect(main).to_contain_text("73.2 % at level 1, 88.1 % at level 2. The lower the level, the")
    expect(main).to_contain_text("Share at least 1 answer to take part. Your report also says")
    for name, said in {
        "parts": "others are told apart less",
        "open": "Protected: hiv and flu. Any other answer may be sent openly, as it is.",
        "places": "at most 88.1 % sure after. That is between the two answers that are farthest",
    }.items():
        owner.share(name)
        expect(owner.question(name)).to_contain_text(said)
    expect(owner.question("open")).to_contain_text("at most 73.2 % sure after")
    together = page.get_by_role("region", name="All together")
    expect(together).to_contain_text("after seeing all of them, except for what is sent openly.")
    charged = {name: plan_cost(other.plan, name) for name in ("parts", "open", "places")}
    assert charged["places"] > 1 == charged["open"] > charged["parts"]
    expect(owner.question("places")).to_contain_text(
        f"Light protection (level 1, charged as {charged['places']:g})"
    )
    expect(owner.question("open")).to_contain_text("Balanced protection of some answers only")
    expect(together).to_contain_text(
        f"add up to 3 and they are charged as {sum(charged.values()):g}"
    )
    owner.press("Go on to the questions")
    box = owner.question("open").get_by_role("checkbox", name="I allow open reports here")
    expect(box).to_be_focused()
    expect(owner.question("open")).to_contain_text("Allow that, or leave the question out")
    looked_at(page)
    box.check()
    expect(owner.question("open")).not_to_contain_text("Allow that, or leave the question out")
    page.get_by_text("Set a limit for this device").click()
    page.get_by_role("textbox").fill("9")
    owner.press("Set this limit")
    owner.reads("never spend more than 9")
    expect(main).not_to_contain_text("∞")
    owner.press("Go on to the questions")
    owner.answer(dict.fromkeys(("parts", "open", "places"), "cold"))
    answers = read(other.plan, owner.seal()).answers
    assert list(answers) == ["parts", "open", "places"]
    expect(page.get_by_text(f"spent {sum(charged.values()):g}")).to_be_visible()


def plan_cost(plan: Plan, name: str) -> float:
    """Return what the law of a variant costs at epsilon 1, worked out from its probabilities."""
    law = plan.questions[name].law(1000)
    columns = [[law.probability(y, code) for code in range(law.size)] for y in law.outputs()]
    ratios = [float(max(column) / min(column)) for column in columns if min(column)]
    return math.ceil(1000 * math.log(max(ratios))) / 1000


@pytest.mark.parametrize("other", [(texts, {})], indirect=True)
def test_questions_about_texts_are_answered_by_keyboard(page: Page, other: Server) -> None:
    owner = Owner(page, other.url)
    owner.visit()
    expect(page.get_by_text("Any text.")).to_have_count(3)
    owner.press("Choose what to share")
    sentences = {"page": "put into 2 groups", "word": "put into 5 groups", "shop": "Of 100 guesses"}
    for name, said in sentences.items():
        owner.share(name)
        expect(owner.question(name)).to_contain_text(said)
        expect(owner.question(name)).to_contain_text("at most 56.3 % sure after")
    looked_at(page)
    owner.press("Go on to the questions")
    field = page.get_by_role("textbox", name="page", exact=True)
    field.fill(" ")
    owner.press("Seal my report")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    looked_at(page)
    for text in (" example.org ", "a\u0308", "x" * 600):
        page.keyboard.press("ControlOrMeta+A")
        page.keyboard.insert_text(text)
        page.keyboard.press("Tab")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("textbox", name="shop", exact=True)).to_have_value("x" * 500)
    looked_at(page)
    page.keyboard.press("Enter")
    shown = owner.report()
    owner.send()
    owner.reads(ARRIVED)
    assert shown in bodies(other)
    assert list(read(other.plan, shown).answers) == ["page", "word", "shop"]
    assert page.evaluate(REMEMBERED) == ["example.org", "x" * 500, "ä"]


REMEMBERED = """() => new Promise((resolve) => {
  indexedDB.open("discretion").onsuccess = ({ target }) => {
    const memo = target.result.transaction("memo").objectStore("memo").getAllKeys();
    memo.onsuccess = () => resolve(memo.result.map((key) => key.at(-1)).sort());
  };
})"""


@pytest.mark.parametrize("other", [(sampled_commuters, {})], indirect=True)
def test_a_device_that_draws_its_questions_asks_for_those_until_it_closes(
    page: Page, other: Server
) -> None:
    owner = Owner(page, other.url)
    owner.visit()
    owner.press("Choose what to share")
    groups = page.get_by_role("radio", name="Share")
    expect(groups).to_have_count(2)
    page.reload()
    owner.press("Choose what to share")
    expect(groups).to_have_count(2)
    other.post("/v1/rounds/0/close", b"")
    page.reload()
    owner.reads("No reports are taken at the moment")
    expect(page.get_by_role("button", name="Choose what to share")).to_have_count(0)


@pytest.mark.parametrize("other", [(commuters, {"open": "analyse,operate"})], indirect=True)
def test_where_uploads_need_a_token_a_field_or_the_invitation_has_it(
    page: Page, browser: Browser, other: Server
) -> None:
    token = token_of(other, "owner", Role.UPLOAD)
    owner = Owner(page, other.url)
    owner.visit()
    owner.choose({"mode": 0})
    owner.answer({"mode": "bus"})
    owner.seal()
    owner.send()
    code = page.get_by_label("Invitation code")
    expect(code).to_have_attribute("aria-invalid", "true")
    assert kept(other) == 0
    code.fill(token)
    owner.send()
    owner.reads(ARRIVED)
    assert kept(other) == 1
    invited = Owner(browser.new_context().new_page(), f"{other.url}/#token={token}")
    invited.visit()
    assert token not in invited.page.url
    invited.choose({"mode": 0})
    invited.answer({"mode": "bus"})
    invited.seal()
    invited.send()
    invited.reads(ARRIVED)
    invited.page.context.close()


TURNED_AWAY = {
    "used": "This invitation was used",
    "revoked": "This invitation was taken back",
    "forged": "This is not an invitation to this survey",
}


@pytest.mark.parametrize("other", [(commuters, {"open": "analyse", "once": True})], indirect=True)
def test_an_invitation_works_once_and_each_other_one_gets_a_page_that_says_why(
    page: Page, browser: Browser, other: Server
) -> None:
    with closing(open_database(other.store)) as database:
        invitations = Invitations(database)
        used, revoked = invitations.make(2, "town", other.plan.id)
        invitations.revoke([revoked])
    page.set_content(cards_page(other.plan, [link(f"{other.url}/", used)]))
    expect(page.get_by_role("article")).to_contain_text(f"#token={used}")
    assert_accessible(page, ALL)
    assert_fits(page)
    owner = Owner(page, f"{other.url}/#token={used}")
    owner.visit()
    owner.choose({"mode": 0})
    owner.answer({"mode": "bus"})
    owner.seal()
    owner.send()
    owner.reads(ARRIVED)
    owner.visit()  # where it was used, it shows its report
    owner.report()
    for kind, code in (("used", used), ("revoked", revoked), ("forged", f"{used}x")):
        elsewhere = Owner(browser.new_context().new_page(), f"{other.url}/#token={code}")
        elsewhere.visit()
        elsewhere.sees(TURNED_AWAY[kind])
        expect(elsewhere.page.get_by_text("Nothing was sent from this page.")).to_be_visible()
        expect(elsewhere.page.get_by_role("button")).to_have_count(0)
        assert_accessible(elsewhere.page)
        elsewhere.page.context.close()
    assert kept(other) == 1


ASSIGNED = (assigned_commuters, {"open": "analyse,operate", "once": True})


@pytest.mark.parametrize("other", [ASSIGNED], indirect=True)
def test_where_functions_come_with_the_invitation_it_is_needed_before_sealing(
    page: Page, browser: Browser, other: Server
) -> None:
    first, second = (token_of(other, name, Role.UPLOAD) for name in ("ada", "ben"))
    owner = Owner(page, other.url)
    owner.visit()
    expect(page.get_by_text("Yes, for who knows your invitation code.")).to_be_visible()
    owner.choose({"mode": 0})
    owner.answer({"mode": "bus"})
    code, wrong = page.get_by_label("Invitation code"), page.get_by_role("alert")
    for mistake in ("", "mistyped", "mis typed"):
        code.fill(mistake)
        owner.press("Seal my report")
        expect(wrong.filter(has_text="invitation")).to_be_visible()
        expect(code).to_be_visible()
    code.fill(first)
    owner.seal()
    owner.send()
    owner.reads(ARRIVED)
    invited = Owner(browser.new_context().new_page(), f"{other.url}/#token={second}")
    invited.visit()
    invited.choose({"mode": 0, "home": 1})
    expect(invited.page.get_by_label("Invitation code")).to_be_hidden()
    invited.answer({"mode": "bus", "home": "town"})
    invited.seal()
    invited.send()
    invited.reads(ARRIVED)
    assert kept(other) == 2
    invited.page.context.close()


def test_a_changed_plan_is_announced_before_anything_is_sent(page: Page, tmp_path: Path) -> None:
    with Server(tmp_path, commuters()) as first:
        owner = Owner(page, first.url)
        owner.visit()
        expect(page.get_by_text("this browser has spent nothing so far")).to_be_visible()
        owner.choose({"mode": 0})
        owner.answer({"mode": "bus"})
        owner.seal()
        port = first.port
    renamed = {**MODE, "name": "vehicle", "values": [*reversed(MODE["values"])]}
    changed = Server(tmp_path, Plan.of(author(attributes=[MODE, INCOME, renamed, HOME])))
    changed.port = port
    with changed:
        owner.page.reload()
        owner.sees("The survey has changed")
        expect(page.get_by_text("this browser has spent 0.25 so far")).to_be_visible()
        owner.press("See what is asked now")
        owner.sees("What is asked")
        owner.press("Choose what to share")
        expect(owner.question("mode")).to_contain_text("You have answered “mode” here before")
        expect(owner.question("vehicle")).to_contain_text(
            "You have answered “mode” here before, with the same list of answers"
        )
        owner.share("vehicle")
        added = "Reports about it were charged 0.25 so far; this one adds 0.25: 0.5 in all."
        expect(owner.question("vehicle")).to_contain_text(added)
        expect(owner.question("mode")).not_to_contain_text("charged")
        for name in ("income", "home"):
            expect(owner.question(name)).not_to_contain_text("before")
        expect(page.get_by_text("cannot be recognised")).to_be_visible()
        looked_at(page)


def worded(question: str, **more: Any) -> Plan:
    return Plan.of(author(attributes=[{**MODE, "question": question}, INCOME], **more))


def test_a_plan_worded_anew_goes_on_only_if_its_owner_says_so(page: Page, tmp_path: Path) -> None:
    first = worded("How do yuo travel?")
    with Server(tmp_path, first) as running:
        owner = Owner(page, running.url)
        owner.visit()
        owner.choose({"How do yuo travel?": 0})
        owner.answer({"How do yuo travel?": "bus"})
        before = read(first, owner.seal())
        port = running.port
    second = Server(tmp_path, worded("How do you travel?", replaces=first.id))
    second.port = port
    with second:
        page.reload()
        owner.press("See what is asked now")
        owner.sees("Only the wording has changed")
        versions = page.locator(".versions")
        expect(versions).to_have_count(1)  # what is worded as before is not shown
        expect(versions).to_contain_text("How do yuo travel?")
        expect(versions).to_contain_text("How do you travel?")
        looked_at(page)
        owner.press("No, it is a new survey")
        owner.sees("What is asked")
        page.reload()
        owner.press("Yes, it still asks the same")
        owner.sees("You have answered this round")
        second.post("/v1/rounds/0/close", b"")
        second.post("/v1/rounds", b'{"round":1}')
        page.reload()
        owner.press("Choose what to share")
        group = owner.question("How do you travel?")
        expect(group).not_to_contain_text("here before")
        owner.share("How do you travel?")
        owner.press("Go on to the questions")
        owner.answer({"How do you travel?": "bus"})
        after = read(second.plan, owner.seal())
        assert after.round == 1
        assert after.answers == before.answers  # repeated, and not drawn again
        expect(page.get_by_text("this browser has spent 0.25 so far")).to_be_visible()


PERSISTENT = "navigator.storage.persist = navigator.storage.persisted = async () => true;"
PHRASE = "five words that nobody guesses"
MOVING = "Move what this browser remembers, or bring it in"


def test_what_a_browser_remembers_moves_to_another_one_and_ends_where_it_was(
    owner: Owner, browser: Browser, server: Server, tmp_path: Path
) -> None:
    page = owner.page
    owner.visit()
    warning = page.get_by_text("This browser does not guarantee to keep")
    expect(warning).to_have_count(0)  # there is nothing to lose yet
    owner.choose(STOPS)
    expect(warning).to_be_visible()
    owner.answer(RECORD)
    shown = owner.seal()
    second = Owner(page.context.new_page(), server.url)  # the same browser, in another window
    second.visit()
    page.get_by_text(MOVING).click()
    looked_at(page)
    for first, again, said in (
        ("short", "short", "at least 12 characters"),
        (PHRASE, "another one of that length", "not the passphrase above"),
    ):
        moves_out(owner, first, again)
        expect(page.locator("form.moving .error").filter(has_text=said)).to_be_visible()
    with page.expect_download() as download:
        moves_out(owner, PHRASE, PHRASE)
    state = tmp_path / "state"
    download.value.save_as(state)
    owner.sees("Moved into a file")
    assert b"bike" not in state.read_bytes()
    looked_at(page)
    with page.expect_download() as download:  # as often as it takes
        owner.press("Save the file again")
    assert Path(download.value.path()).read_bytes() == state.read_bytes()
    second.send()
    second.reads("was moved into a file")
    page.reload()
    owner.sees("Moved into a file")

    empty = Owner(browser.new_context().new_page(), server.url)
    empty.page.add_init_script(PERSISTENT)
    moves_in(empty, state, PHRASE)
    empty.reads("1 report came with it")
    assert empty.report() == shown
    expect(empty.page.get_by_text("this browser has spent 1.5 so far")).to_be_visible()
    expect(empty.page.get_by_text("does not guarantee")).to_have_count(0)
    moves_in(empty, state, PHRASE)
    expect(empty.page.get_by_text("older than what this browser remembers")).to_be_visible()
    empty.page.context.close()

    other = Owner(browser.new_context().new_page(), server.url)
    other.visit()
    other.choose({"mode": 0})
    other.answer({"mode": "bus"})
    own = other.seal()
    whole, large = state.read_bytes(), tmp_path / "large"
    large.touch()
    os.truncate(large, 100_000_000)
    (tmp_path / "short").write_bytes(whole[:-1])
    (tmp_path / "foreign").write_text('{"format": "something"}\n')
    for file, phrase, said in (
        (state, "another passphrase", "does not open the file"),
        (tmp_path / "short", PHRASE, "not complete"),
        (tmp_path / "foreign", PHRASE, "not a file that this page saved"),
        (large, PHRASE, "not a file that this page saved"),
        (state, PHRASE, "another report of round 0"),
    ):
        moves_in(other, file, phrase)
        expect(other.page.locator("form.moving .error").filter(has_text=said)).to_be_visible()
    assert other.report() == own
    expect(other.page.get_by_text("this browser has spent 0.25 so far")).to_be_visible()
    looked_at(other.page)
    other.page.context.close()

    bring_in(owner, state, PHRASE)  # and back to where it was
    assert owner.report() == shown


def moves_out(owner: Owner, first: str, again: str) -> None:
    owner.page.get_by_label("Passphrase", exact=True).first.fill(first)
    owner.page.get_by_label("The passphrase again").fill(again)
    owner.press("Move it out of this browser")


def moves_in(owner: Owner, file: Path, phrase: str) -> None:
    owner.visit()
    owner.page.get_by_text(MOVING).click()
    bring_in(owner, file, phrase)


def bring_in(owner: Owner, file: Path, phrase: str) -> None:
    owner.page.get_by_label("File", exact=True).set_input_files(file)
    owner.page.get_by_label("Passphrase", exact=True).last.fill(phrase)
    owner.press("Bring it in")


def test_the_bytes_on_the_page_are_one_json_document(owner: Owner) -> None:
    owner.visit()
    owner.choose({"mode": 0})
    owner.answer({"mode": "walk"})
    shown = json.loads(owner.seal())
    assert shown["plan"] == commuters().id
    assert list(shown["answers"]) == ["mode"]


def test_an_owner_of_a_plan_that_rotates_chooses_how_often_and_rests_in_between(
    page: Page, tmp_path: Path
) -> None:
    with Server(tmp_path, Plan.of(author(attributes=[MODE], again={"rotate": [2, 13]}))) as server:
        owner = Owner(page, server.url)
        owner.visit()
        owner.sees("How often you answer")
        page.get_by_role("radio", name="one round of every 2").check()
        assert_accessible(page)
        owner.press("Answer this often")
        hers = page.get_by_role("heading", name="What is asked", exact=True)
        rests = page.get_by_role("heading", name="This is not your round", exact=True)
        expect(hers.or_(rests)).to_be_visible()
        begins = hers.is_visible()
        owner.visit()
        expect(hers if begins else rests).to_be_visible()  # it is kept, and not drawn again


def test_what_links_rounds_is_said_before_anything_is_asked(page: Page, tmp_path: Path) -> None:
    words = {"name": "word", "kind": "text", "mechanism": {"cms": {"cells": 16, "cohorts": 32}}}
    plan = Plan.of(author(attributes=[MODE, words], groups=16, owners=1600))
    with Server(tmp_path, plan) as server:
        Owner(page, server.url).visit()
        said = page.locator("dd").filter(has_text="If your answer stays the same")
        expect(said).to_contain_text("one of 16 groups")
        expect(said).to_contain_text("one of 32 cohorts, which is drawn once")


def test_a_limit_over_rounds_is_kept_and_shown(owner: Owner) -> None:
    owner.visit()
    owner.press("Choose what to share")
    owner.page.get_by_text("Set a limit for this device").click()
    owner.page.get_by_role("textbox").fill("0.5")
    owner.page.get_by_role("spinbutton").fill("13")
    owner.page.get_by_role("button", name="Set").click()
    owner.share("mode", 2)
    together = owner.page.get_by_role("region", name="All together")
    expect(together).to_contain_text("Your limit over any 13 rounds of this survey is 0.5")
    owner.press("Go on to the questions")
    owner.sees("Choose what to share")
    expect(together).to_contain_text("13 rounds in a row would count 1")
