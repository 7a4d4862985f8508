"""Any number of answers: ticked from a long list, and rated, by keyboard and on a phone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from discretion.plan import Plan
from discretion.report import read
from tests.browser.owner import Owner
from tests.browser.sight import ALL, assert_accessible, assert_fits
from tests.collector.serving import Server
from tests.plans import STARS, author

PHONE: Any = {"width": 360, "height": 740}
BASKET = {
    "name": "basket",
    "kind": "set",
    "question": "What did you buy?",
    "items": [*(f"item {i}" for i in range(38)), {"code": "creme", "label": "Crème"}, "other"],
    "length": [2, 4],
}
BASKET["items"] = [
    each if isinstance(each, dict) else {"code": each, "label": each} for each in BASKET["items"]
]
APPS: dict[str, Any] = {"name": "apps", "kind": "set", "items": "text", "length": [4, 8]}
APPS |= {"question": "Which apps did you open this week?"}
HOURS = {"name": "hours", "kind": "map", "keys": ["work", "sport"], "length": 1}
HOURS |= {"range": [0, 80], "step": 0.5}
ANSWERS = """() => new Promise((resolve) => {
  indexedDB.open("discretion").onsuccess = ({ target }) => {
    const memo = target.result.transaction("memo").objectStore("memo").getAllKeys();
    memo.onsuccess = () => resolve(memo.result.map((key) => key.slice(1)));
  };
})"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    plan = Plan.of(author(name="entries", attributes=[BASKET, STARS, HOURS]))
    folder: Path = tmp_path_factory.mktemp("entries")
    with Server(folder, plan) as running:
        yield running


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    plan = Plan.of(author(name="texts", attributes=[APPS]))
    folder: Path = tmp_path_factory.mktemp("texts")
    with Server(folder, plan) as running:
        yield running


def looked_at(page: Page) -> None:
    assert_accessible(page, ALL)
    assert_fits(page)


def test_sets_and_maps_are_answered_by_keyboard_on_a_phone(page: Page, server: Server) -> None:
    page.set_viewport_size(PHONE)
    owner = Owner(page, server.url)
    owner.visit()
    expect(page.get_by_text("Any of 40: item 0")).to_be_visible()
    looked_at(page)
    owner.press("Choose what to share")
    for name in ("What did you buy?", "stars", "hours"):
        owner.share(name)
    expect(owner.question("hours")).to_contain_text("Of 100 people who have an entry")
    page.get_by_role("combobox", name="How many entries count at most").select_option("4")
    looked_at(page)
    owner.press("Go on to the questions")
    page.keyboard.press("Tab")
    page.keyboard.type("creme")  # whatever its accents
    expect(page.get_by_text("1 of 40 are shown.")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(1)
    looked_at(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("item 37")
    expect(page.get_by_role("checkbox")).to_have_count(2)  # what is ticked stays in sight
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    for _ in range(5):
        page.keyboard.press("ArrowRight")  # from none to 5
    work = page.get_by_role("textbox", name="work")
    work.fill("much")
    owner.press("Seal my report")
    expect(page.get_by_text("Write this as a number, such as 31257 or 12.5.")).to_be_visible()
    looked_at(page)
    work.fill("99")
    owner.press("Seal my report")
    expect(page.get_by_text("They count as the nearer end")).to_be_visible()
    looked_at(page)
    owner.press("Seal it like this")
    shown = owner.report()
    owner.send()
    owner.reads("Your report has arrived")
    expect(page.get_by_text("The list that was sent").first).to_be_visible()
    looked_at(page)
    answers = read(server.plan, shown).answers
    assert (answers["basket"].range, answers["stars"].range) == (1, None)
    kept = {name: (place, answer) for name, _, place, answer in page.evaluate(ANSWERS)}
    assert kept == {"basket": (1, "[37,38]"), "stars": (0, '[[0,"5"]]'), "hours": (0, '[[0,"80"]]')}


def test_nothing_ticked_is_an_answer(page: Page, server: Server) -> None:
    owner = Owner(page, server.url)
    owner.visit()
    owner.choose({"What did you buy?": 0})
    looked_at(page)
    owner.seal()
    assert [answer for *_, answer in page.evaluate(ANSWERS)] == ["[]"]


def test_items_are_ticked_where_itemsets_are_reported(page: Page, tmp_path: Path) -> None:
    items = [{"code": code, "label": code.title()} for code in ("milk", "rye", "tea")]
    asked = {"name": "basket", "kind": "set", "question": "What did you buy?", "items": items}
    sets = [["milk"], ["milk", "rye"], ["rye", "tea"]]
    plan = Plan.of(author(name="together", attributes=[{**asked, "sets": sets, "length": 2}]))
    page.set_viewport_size(PHONE)
    with Server(tmp_path, plan) as running:
        owner = Owner(page, running.url)
        owner.visit()
        said = "Reported is which of 3 items, or combinations of items, you have."
        expect(page.get_by_text(said)).to_be_visible()
        owner.choose({"What did you buy?": 1})
        expect(page.get_by_text(said)).to_be_visible()
        expect(page.get_by_role("checkbox")).to_have_count(3)
        looked_at(page)
        for item in ("Milk", "Rye"):
            page.get_by_role("checkbox", name=item, exact=True).check()
        owner.press("Seal my report")
        owner.sees("Your report")
        assert [answer for *_, answer in page.evaluate(ANSWERS)] == ["[0,1]"]
        looked_at(page)


def test_items_that_nobody_lists_are_written_line_by_line(page: Page, texts: Server) -> None:
    page.set_viewport_size(PHONE)
    owner = Owner(page, texts.url)
    owner.visit()
    expect(page.get_by_text("Any texts, as many as you like.")).to_be_visible()
    owner.press("Choose what to share")
    owner.share(APPS["question"])
    expect(owner.question(APPS["question"])).to_contain_text("a list of groups is sent")
    looked_at(page)
    owner.press("Go on to the questions")
    page.get_by_role("textbox", name=APPS["question"]).fill("Mail\n  Maps \n\nChess\nMail")
    expect(page.get_by_text("Of more than 4, 4 are drawn at random")).to_be_visible()
    looked_at(page)
    owner.press("Seal my report")
    shown = owner.report()
    owner.send()
    owner.reads("Your report has arrived")
    looked_at(page)
    assert len(read(texts.plan, shown).answers["apps"].y) == 130
    assert [answer for *_, answer in page.evaluate(ANSWERS)] == ['["Chess","Mail","Maps"]']
