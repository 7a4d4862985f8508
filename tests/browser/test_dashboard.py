"""An analyst looks on: the count rises, estimates have intervals, what she asks for is drawn."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from discretion.collector.tokens import Role
from tests.browser.owner import Owner
from tests.browser.sight import ALL, assert_accessible, assert_fits
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


def test_the_graph_is_drawn(analyst: Page) -> None:
    analyst.get_by_role("button", name="Work out the graph").click()
    expect(analyst.locator("#live-graph").get_by_role("img")).to_be_visible()


def field(page: Page, label: str) -> Locator:
    return page.locator(".controls").get_by_label(label, exact=True)


def test_an_analyst_works_for_an_hour(analyst: Page, browser: Browser, token: str) -> None:
    """She compares two groups, changes the view, takes it along, and passes the link on."""
    analyst.get_by_role("link", name="Analyse", exact=True).first.click()
    field(analyst, "Attribute").select_option("mode")
    analyst.get_by_role("button", name="Show").click()
    field(analyst, "By group").select_option("income")
    analyst.get_by_role("button", name="Show").click()
    field(analyst, "Bins of income").fill("0, 40000, 200000")
    analyst.get_by_role("button", name="Show").click()
    crosstab = analyst.get_by_role("table", name=re.compile("^Frequencies of mode by income"))
    expect(crosstab).to_contain_text("car")
    groups = crosstab.locator("tbody th").all_text_contents()
    assert len(groups) == 2
    field(analyst, "Compare with").fill(groups[0])
    field(analyst, "Confidence, %").fill("80")
    analyst.get_by_role("button", name="Show").click()
    apart = analyst.get_by_role("table", name=re.compile("^The other groups less"))
    expect(apart.get_by_role("columnheader", name="80 % interval")).to_be_visible()
    before = apart.locator("tbody tr").count()
    field(analyst, "Bins of income").fill("0, 30000, 60000, 200000")
    field(analyst, "Compare with").fill("")
    analyst.get_by_role("button", name="Show").click()
    expect(crosstab.locator("tbody tr")).to_have_count(3)
    assert before == 5
    for kind, magic in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with analyst.expect_download() as taken:
            analyst.get_by_role("button", name=f"Save the picture as {kind}").first.click()
        assert taken.value.suggested_filename.endswith(f".{kind.lower()}")
        assert taken.value.path().read_bytes().startswith(magic)
    with analyst.expect_download() as taken:
        analyst.get_by_role("link", name="CSV").first.click()
    assert taken.value.path().read_text().startswith("group,label,row,row_stderr,row_low")
    shown, link = crosstab.inner_text(), analyst.get_by_role("link", name="Link to this view")
    address = str(link.evaluate("link => link.href"))
    assert token not in address
    elsewhere = browser.new_context()
    colleague = elsewhere.new_page()
    colleague.goto(address)
    colleague.get_by_label("Token").fill(token)
    colleague.get_by_role("button", name="Sign in").click()
    found = colleague.get_by_role("table", name=re.compile("^Frequencies of mode by income"))
    expect(found).to_contain_text("car")
    assert found.inner_text() == shown
    assert token not in colleague.url
    elsewhere.close()


def test_a_word_is_explained_by_mouse_touch_and_keyboard(analyst: Page) -> None:
    said = analyst.locator("#help-interval")
    expect(said).not_to_be_visible()
    button = analyst.get_by_role("button", name="Interval ?").first
    button.click()
    expect(said).to_be_visible()
    analyst.keyboard.press("Escape")
    expect(said).not_to_be_visible()
    button.focus()
    analyst.keyboard.press("Enter")
    expect(said).to_be_visible()
    assert_accessible(analyst, ALL)


VIEWS = [
    "",
    "?attribute=income",
    "/collection",
    "/analysis?statistic=joint&attribute=mode&attribute=income&bins:income=3",
    "/analysis?attribute=mode&by=income&bins:income=2&sort=-row",
    "/analysis?statistic=histogram&attribute=income&confidence=90",
    "/analysis?statistic=series&attribute=mode",
]


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_can_be_read_by_everybody(analyst: Page, server: Server, view: str) -> None:
    analyst.goto(f"{server.url}/dashboard{view}")
    expect(analyst.locator(".pending")).to_have_count(0)
    for width, colours in ((360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")):
        analyst.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
        analyst.set_viewport_size({"width": width, "height": 800})
        assert_fits(analyst)
        assert_accessible(analyst, ALL)


def test_what_is_open_stays_open_while_reports_come(analyst: Page, server: Server) -> None:
    before = count(analyst)
    numbers = analyst.get_by_text("The numbers for mode")
    numbers.click()
    numbers.focus()
    send_all(server, reports_of(crowd(commuters(), 10, seed=6)))
    expect(analyst.locator("#status")).to_contain_text(f"{before + 10:,}")
    expect(analyst.get_by_role("table", name=re.compile("^mode")).first).to_be_visible()
    expect(numbers).to_be_focused()


@pytest.mark.parametrize(
    "name", ["Estimates (CSV)", "Estimates (Parquet)", "Counts (JSON)", "Reports (Parquet)"]
)
def test_what_she_sees_can_be_downloaded(analyst: Page, name: str) -> None:
    link = analyst.get_by_role("link", name=name)
    reply = analyst.request.get(str(link.evaluate("link => link.href")))
    assert reply.status == 200
    assert len(reply.body()) > 100


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
    page.get_by_role("link", name="Analyse income").click()
    page.locator(".controls").get_by_label("By group").select_option("mode")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("table", name=re.compile("^Mean of income by mode"))).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Token")).to_be_visible()
    context.close()


def test_no_script_reads_the_token(analyst: Page, token: str) -> None:
    assert token not in analyst.evaluate("() => document.cookie + JSON.stringify(localStorage)")
    (cookie,) = analyst.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
