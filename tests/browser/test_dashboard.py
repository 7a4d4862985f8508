"""An analyst looks on: the count rises, estimates have intervals, what she asks for is drawn."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from discretion.collector.tokens import Role
from tests.browser.owner import Owner
from tests.browser.sight import assert_accessible, assert_fits
from tests.collector.crowds import crowd, reports_of, send_all, token_of
from tests.collector.serving import Server
from tests.plans import commuters

REPORTS = 2000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("watched"), commuters(), open="upload") as running:
        send_all(running, reports_of(crowd(commuters(), REPORTS, seed=5)))
        yield running


@pytest.fixture(scope="module")
def token(server: Server) -> str:
    return token_of(server, "ada", Role.ANALYSE)


@pytest.fixture
def analyst(page: Page, server: Server, token: str) -> Page:
    """Somebody who has signed in."""
    page.goto(f"{server.url}/dashboard")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Frequencies")).to_be_visible()
    return page


def count(page: Page) -> int:
    stated = page.locator("#status").text_content() or ""
    return int(re.sub(r"\D", "", stated))


def test_who_has_no_token_is_asked_for_one(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/dashboard")
    assert_accessible(page)
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Token")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("No token is like this one")).to_be_visible()
    assert_accessible(page)


def test_the_count_rises_and_falls_while_she_looks(
    analyst: Page, browser: Browser, server: Server
) -> None:
    before = count(analyst)
    elsewhere = browser.new_context()
    owner = Owner(elsewhere.new_page(), server.url)
    owner.visit()
    owner.choose({"mode": 2})
    owner.answer({"mode": "walk"})
    owner.seal()
    owner.send()
    owner.reads("Your report has arrived")
    stated = analyst.locator("#status")
    expect(stated).to_contain_text(f"{before + 1:,}")
    owner.delete()
    owner.reads("Your report is deleted")
    expect(stated).to_contain_text(f"{before:,}")
    elsewhere.close()


def test_estimates_have_their_intervals(analyst: Page, server: Server, token: str) -> None:
    asked = server.get("/v1/frequencies?attribute=mode", token)
    card = analyst.locator("article, .card").filter(has=analyst.get_by_role("heading", name="mode"))
    card.get_by_text("The numbers for mode").click()
    table = card.get_by_role("table").first
    for row in asked.json()["frequencies"]:
        shown = table.get_by_role("row", name=re.compile(rf"^{row['label']}\b"))
        expect(shown).to_contain_text(f"{100 * row['value']:.1f}")
        expect(shown).to_contain_text(f"{100 * row['low']:.1f}")
    expect(card.get_by_role("img")).to_be_visible()


def test_any_pair_and_the_graph_are_drawn(analyst: Page) -> None:
    analyst.get_by_label("First attribute").select_option("mode")
    analyst.get_by_label("Second attribute").select_option("age")
    analyst.get_by_role("button", name="Show the joint table").click()
    heat = analyst.locator("#live-pair").get_by_role("img")
    expect(heat).to_be_visible()
    analyst.get_by_role("button", name="Work out the graph").click()
    graph = analyst.locator("#live-graph").get_by_role("img")
    expect(graph).to_be_visible()
    expect(heat).to_be_visible()  # what was chosen before stays


def test_what_is_open_stays_open_while_reports_come(analyst: Page, server: Server) -> None:
    before = count(analyst)
    numbers = analyst.get_by_text("The numbers for mode")
    numbers.click()
    numbers.focus()
    send_all(server, reports_of(crowd(commuters(), 10, seed=6)))
    expect(analyst.locator("#status")).to_contain_text(f"{before + 10:,}")
    expect(analyst.get_by_role("table", name=re.compile("^mode")).first).to_be_visible()
    expect(numbers).to_be_focused()


@pytest.mark.parametrize("name", ["Estimates (CSV)", "Counts (JSON)", "Reports (Parquet)"])
def test_what_she_sees_can_be_downloaded(analyst: Page, name: str) -> None:
    link = analyst.get_by_role("link", name=name)
    reply = analyst.request.get(str(link.evaluate("link => link.href")))
    assert reply.status == 200
    assert len(reply.body()) > 100


@pytest.mark.parametrize("width", [360, 1280])
def test_it_fits_and_can_be_read(analyst: Page, width: int) -> None:
    for colours in ("light", "dark"):
        analyst.emulate_media(color_scheme=colours)
        analyst.set_viewport_size({"width": width, "height": 800})
        assert_fits(analyst)
        assert_accessible(analyst)


def test_it_works_without_a_script(browser: Browser, server: Server, token: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.url}/dashboard")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Attribute", exact=True).select_option("income")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("heading", name="income")).to_be_visible()
    expect(page.get_by_role("heading", name="mode")).to_have_count(0)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Token")).to_be_visible()
    context.close()


def test_no_script_reads_the_token(analyst: Page, token: str) -> None:
    assert token not in analyst.evaluate("() => document.cookie + JSON.stringify(localStorage)")
    (cookie,) = analyst.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
