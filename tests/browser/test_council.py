"""A survey in people's own words: read, switched to another language, answered in a few steps."""

import base64
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from discretion.plan import Plan
from tests.browser.council import RECORD, council
from tests.browser.keyboard import BALANCED, Pressed, take_part
from tests.browser.owner import Owner
from tests.browser.sight import ALL, assert_accessible, assert_fits
from tests.browser.test_owner import ARRIVED
from tests.browser.test_secrecy import KEPT, STUB, answer
from tests.collector.serving import FIRST, Server

PHONE: Any = {"width": 360, "height": 740}
EVIL = '<img src=x onerror="window.evil=1"><script>window.evil=1</script>'
LONG = "W" * 199
HEBREW = "מה שלומך?"
WORDS, RECEIPT = random.Random(24).randbytes(4096), random.Random(25).randbytes(32)


def rogue() -> Plan:
    """A plan that tries to be more than text, and to break the page, in every place."""
    labels = [{"code": code, "label": f"{code} {EVIL}"} for code in "abc"]
    short = [{"code": "x", "label": LONG}, {"code": "y", "label": HEBREW}]
    many = [{"code": f"{i}", "label": f"{EVIL} {i}"} for i in range(9)]
    spoken = {"question": EVIL, "help": f"{EVIL}\n{LONG}"}
    attributes: list[dict[str, Any]] = [
        {"name": "few", "kind": "categorical", "values": labels, **spoken},
        {"name": "long", "kind": "categorical", "values": short, "question": LONG + LONG[:100]},
        {"name": "many", "kind": "categorical", "values": many, **spoken},
        {"name": "number", "kind": "numeric", "range": [0, 9], "unit": "<b>" + "W" * 17, **spoken},
        {"name": "text", "kind": "text", "question": HEBREW, "help": HEBREW},
    ]
    attributes[3] |= {"step": 1}
    attributes[4] |= {"mechanism": {"orr": {"cells": 4, "cohorts": 2}}}
    survey = dict.fromkeys(("title", "asker", "purpose", "contact", "retention", "notice"), EVIL)
    sections = [{"title": EVIL, "attributes": ["few", "number"]}]
    stated = {"name": "rogue", "attributes": attributes, "budget": {"levels": [1.0]}}
    return Plan.of({**stated, **survey, "sections": sections})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("council")
    with Server(folder, council(), beside={"rogue": rogue()}) as running:
        yield running


@pytest.fixture
def owner(page: Page, server: Server) -> Owner:
    page.set_viewport_size(PHONE)
    return Owner(page, f"{server.url}/{FIRST}/")


def looked_at(page: Page) -> None:
    assert_accessible(page, ALL)
    assert_fits(page)


def test_twelve_questions_take_sixteen_steps_by_keyboard_on_a_phone(owner: Owner) -> None:
    page = owner.page
    owner.visit()
    expect(page.get_by_role("heading", name="How we live in this town")).to_be_visible()
    expect(page.get_by_text("To plan buses, parks and the library")).to_be_visible()
    looked_at(page)
    assert take_part(Pressed(page), lambda: looked_at(page)) == len(RECORD) + 3 <= 16
    levels = {each["level"] for each in json.loads(owner.report())["answers"].values()}
    assert levels == {1000}


def test_what_was_sent_is_said_in_the_words_of_the_plan(owner: Owner) -> None:
    page = owner.page
    owner.visit()
    owner.press(BALANCED)
    owner.press("Go on to the questions")
    expect(page.get_by_role("heading", name="At home")).to_be_visible()
    way = page.get_by_role("textbox", name="How long is your way?")
    expect(way).to_have_accessible_description(
        re.compile(r"^minutes A number from 0 to 120\sminutes,")
    )
    fill(page)
    report = json.loads(owner.seal())
    expect(page.get_by_text("What was sent, in words")).to_have_count(0)  # nobody chooses by it
    owner.send()
    owner.reads(ARRIVED)
    terms, said = page.locator("dl.words dt"), page.locator("dl.words dd")
    expect(terms).to_have_text([asked(name) for name in council().names])
    garden = int.from_bytes(decoded(report["answers"]["garden"]["y"]), "little")
    label = {1: "Yes", 2: "No"}[garden]
    expect(said.nth(list(council().names).index("garden"))).to_have_text(
        f"The answer that was sent: {label}"
    )


SAID = """async (y) => {
  const at = (file) => import(new URL(`static/${file}.js`, location.href));
  const [{ readPlan }, { inWords }] = await Promise.all(["device/index", "owner/sent"].map(at));
  const plan = await readPlan(new Uint8Array(await (await fetch("v1/plan")).arrayBuffer()));
  const answers = { way: { level: 1000, y } };
  return inWords(plan, new TextEncoder().encode(JSON.stringify({ answers }))).innerText;
}"""


def test_a_stretch_at_an_end_of_the_range_may_be_one_number(owner: Owner) -> None:
    owner.visit()
    assert "The number that was sent: 0\u00a0minutes" in owner.page.evaluate(SAID, "AAA")
    assert "The stretch that was sent: 0 to " in owner.page.evaluate(SAID, "gAA")


def test_what_was_missing_is_counted_until_something_is_answered(owner: Owner) -> None:
    owner.visit()
    owner.press(BALANCED)
    owner.press("Go on to the questions")
    owner.press("Seal my report")
    counted = owner.page.get_by_text("10 answers need another look")
    expect(counted).to_be_visible()
    owner.page.get_by_role("textbox", name="How long is your way?").fill("25")
    expect(counted).to_have_count(0)
    expect(owner.page.get_by_text("Please answer this")).to_have_count(9)  # each by itself


def asked(name: str) -> str:
    return str(council().wording.within("en").of(name).question)


def decoded(y: str) -> bytes:
    return base64.urlsafe_b64decode(y + "=" * (-len(y) % 4))


def fill(page: Page) -> None:
    """Answer everything, by code: labels depend on the language."""
    for box, value in zip(page.locator(".answer").all(), RECORD.values(), strict=True):
        radio = box.locator(f"input[type=radio][value='{value}']")
        if radio.count():
            radio.check()
        else:
            box.locator("input").fill(value)


DUMP = """async () => {
  const [{ name }] = await indexedDB.databases();
  const open = await new Promise((done) => {
    const asked = indexedDB.open(name);
    asked.onsuccess = () => done(asked.result);
  });
  const all = {};
  for (const table of open.objectStoreNames) {
    const of = open.transaction(table).objectStore(table);
    const got = (request) =>
      new Promise((done) => (request.onsuccess = () => done(request.result)));
    all[table] = [await got(of.getAllKeys()), await got(of.getAll())];
  }
  return JSON.stringify(all, (_, each) => (each instanceof Uint8Array ? [...each] : each));
}"""


def visit(
    browser: Browser, server: Server, language: str | None
) -> tuple[list[Any], set[str], str]:
    """Return requests, files and what is kept of a visit that switches to a language."""
    context = browser.new_context(viewport=PHONE, locale="en-US")
    context.add_init_script(f"({STUB})({[WORDS.hex(), RECEIPT.hex()]})")
    context.route("**/v1/reports", lambda route: answer(route, 201, KEPT))
    requests: list[Request] = []
    context.on("request", lambda request: requests.append(request))
    page = context.new_page()
    page.goto(f"{server.url}/{FIRST}/")
    page.locator("main button").nth(1).click()  # all of it, balanced
    page.locator("main button.main").click()
    fill(page)
    if language:
        page.locator("header select").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator(f"input[type=radio][value='{RECORD['travel']}']")).to_be_checked()
        assert_fits(page)
    page.locator("main button.main").click()
    expect(page.locator("pre")).to_be_visible()
    page.locator("main button.main").click()
    expect(page.locator("dl.words")).to_be_visible()
    kept = page.evaluate(DUMP)
    own = [request for request in requests if "/static/" not in request.url]
    sent = [(r.method, r.url, r.all_headers(), r.post_data_buffer) for r in own]
    context.close()
    files = {r.url.rpartition("/static/")[2] for r in requests if "/static/" in r.url}
    return sent, files, kept


def test_no_request_report_or_memo_depends_on_the_language(
    browser: Browser, server: Server
) -> None:
    requests, files, kept = visit(browser, server, None)
    assert {file for file in files if "texts/" in file} == {"owner/texts/en.js"}
    switched = [visit(browser, server, tag) for tag in ("de", "ar")]
    everything = {f"owner/texts/{tag}.js" for tag in ("en", "de", "fr", "ar")}
    for others, all_files, memo in switched:
        assert others == requests
        assert all_files == files | everything  # which one was chosen does not show
        assert memo == kept


def test_the_page_follows_the_browser_and_can_be_switched(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport=PHONE, locale="ar-EG", color_scheme="dark")
    page = context.new_page()
    page.goto(f"{server.url}/{FIRST}/")
    root, menu = page.locator("html"), page.locator("header select")
    expect(page.get_by_role("heading", level=1)).to_have_text("كيف نعيش في هذه المدينة")
    expect(root).to_have_attribute("dir", "rtl")
    expect(root).to_have_attribute("lang", "ar")
    page.locator("main button.main").click()
    page.locator("fieldset.choice").first.locator("input[type=radio]").nth(1).check()
    looked_at(page)
    assert [each.text_content() for each in menu.locator("option").all()] == [
        "English",
        "Deutsch",
        "العربية",
        "français",
    ]
    menu.select_option("fr")  # the page knows it, the plan does not
    expect(root).to_have_attribute("dir", "ltr")
    expect(page.get_by_role("heading", name="Choisir ce que je donne")).to_be_visible()
    first = page.locator("fieldset.choice").first
    expect(first.locator("legend")).to_have_attribute("lang", "ar")  # as the browser prefers
    expect(first.get_by_role("radio", name="Donner")).to_be_checked()
    page.reload()
    expect(root).to_have_attribute("lang", "fr")
    context.close()


def test_wording_is_text_and_nothing_else_wherever_it_stands(page: Page, server: Server) -> None:
    page.set_viewport_size(PHONE)
    owner = Owner(page, f"{server.url}/rogue/")
    owner.visit()
    expect(page.get_by_role("heading", level=1)).to_have_text(EVIL)
    page.get_by_text("Privacy notice").click()
    harmless(page)
    assert page.locator("main").inner_text().count(EVIL) == 1 + 5 + 2 + 11 + 5
    owner.press("Choose what to share")
    owner.press("Share all, divided evenly")
    harmless(page)
    owner.press("Go on to the questions")
    expect(page.locator("legend", has_text=EVIL)).to_have_count(1)
    for box in page.locator(".answer").all():
        if box.locator("input[type=radio]").count():
            box.locator("input").last.check()
        elif box.locator("select").count():
            box.locator("select").select_option("7")
        else:
            box.locator("input").fill("5")
    harmless(page)
    owner.seal()
    owner.send()
    owner.reads(ARRIVED)
    harmless(page)


def harmless(page: Page) -> None:
    assert page.locator("main :is(img, script, b)").count() == 0
    assert page.evaluate("window.evil") is None
    assert_fits(page)


def test_wording_is_text_where_no_script_runs(server: Server) -> None:
    page = server.get("/rogue/").body.decode()
    assert "<img" not in page
    assert page.count("<script") == 1  # its own
    assert page.count("&lt;img") == 2 + 4 * (5 + 3 + 3 + 1)  # four languages
    first = server.get(f"/{FIRST}/").body.decode()
    for said in (
        "How we live in this town",
        "Who asks",
        "The city council",
        "At home",
        asked("garden"),
    ):
        assert said in first
    assert first.count('<ul class="asked">') == first.count("<ul") == 4 * 3  # help on its own line


def test_where_no_script_runs_all_languages_can_be_read(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.url}/{FIRST}/")
    folded = page.locator("main > details")
    expect(folded.locator("summary")).to_have_text(["Deutsch", "العربية", "français"])
    expect(page.get_by_text("nothing is sent")).to_be_visible()
    for tag, said, own in (
        ("de", "nichts wird gesendet", "Haben Sie einen Garten?"),
        ("ar", "ولا يُرسل شيء", "هل لديك حديقة؟"),
        ("fr", "rien n’est envoyé", "Do you have a garden?"),  # the plan does not speak it
    ):
        part = page.locator(f"main > details[lang={tag}]")
        part.locator("summary").click()
        expect(part.get_by_text(said)).to_be_visible()
        question = part.get_by_text(own)
        expect(question).to_be_visible()
        spoken = question.evaluate("e => e.closest('[lang]').lang")
        assert spoken == ("en" if tag == "fr" else tag)
        assert_fits(page)
    expect(page.locator("main > details[lang=ar]")).to_have_attribute("dir", "rtl")
    context.close()
