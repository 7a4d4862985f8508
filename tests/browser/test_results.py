"""The public results in a browser: on a phone and a wide screen, in both directions and colours."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.sight import ALL, assert_accessible, assert_fits
from tests.collector.crowds import crowd, eventually, reports_of, send_all
from tests.collector.serving import Server
from tests.plans import commuters

REPORTS = 200
PHONE, WIDE = {"width": 360, "height": 740}, {"width": 1200, "height": 900}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("published")
    with Server(folder, commuters(), publish_results=True) as running:
        send_all(running, reports_of(crowd(commuters(), REPORTS, seed=5)))
        assert running.post("/v1/rounds/0/close", b"").status == 200
        assert eventually(lambda: running.get("/v1/results").status == 200)
        yield running


def test_everybody_can_read_the_results_anywhere(browser: Browser, server: Server) -> None:
    for tag, scheme, size in (("ar", "dark", PHONE), ("de", "light", PHONE), ("en", "dark", WIDE)):
        page = browser.new_page(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
        page.goto(f"{server.url}/results?language={tag}")
        expect(page.get_by_role("img").first).to_be_visible()
        for closed in page.locator("summary").all():
            closed.click()
        assert_accessible(page, ALL)
        assert_fits(page)
        page.close()


def test_an_owner_finds_them_from_her_page_with_and_without_a_script(
    browser: Browser, server: Server
) -> None:
    for script in (True, False):
        context = browser.new_context(java_script_enabled=script, locale="fr-FR")
        page = context.new_page()
        page.goto(server.url)
        name = "Voir les résultats jusqu’ici" if script else "See the results so far"
        page.get_by_role("link", name=name).first.click()
        expect(page.locator("html")).to_have_attribute("lang", "fr")  # as the browser likes it
        expect(page.get_by_role("link", name="Vers l’enquête")).to_be_visible()
        context.close()
