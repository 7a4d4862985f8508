"""The pictures of the docs, taken anew by ``make pictures``: then look at them."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from discretion.cli.demo.serving import ASKER, PURPOSE, demo_plan, fill
from discretion.cli.demo.survey import OWNERS
from tests.browser.conftest import OPTIONS, PATIENCE, chromium
from tests.browser.owner import Owner
from tests.collector.serving import Server

HERE = Path(__file__).parents[2] / "docs" / "figures"
SEED = 7
NARROW, WIDE = {"width": 760, "height": 900}, {"width": 1280, "height": 1360}
PHONE = {"width": 360, "height": 740}


def take(browser: Browser, folder: Path, owners: int) -> None:
    """Take part in a demonstration, look on, and keep a picture of each step."""
    with tempfile.TemporaryDirectory() as place:
        server = Server(Path(place), demo_plan(), asker=ASKER, purpose=PURPOSE)
        fill(server.store, server.plan, owners, SEED)
        with server:
            _as_owner(browser, server, folder)
            _as_analyst(browser, server, folder)


def _as_owner(browser: Browser, server: Server, folder: Path) -> None:
    page = browser.new_page(viewport=NARROW)  # type: ignore[arg-type]
    owner = Owner(page, server.url)
    owner.visit()
    page.screenshot(path=folder / "owner-asked.png")
    owner.press("Choose what to share")
    owner.share("travel", 2)
    owner.share("income", 1)
    owner.question("travel").screenshot(path=folder / "owner-choose.png")
    owner.press("Go on to the questions")
    owner.answer({"travel": "bike", "income": "31257"})
    owner.seal()
    page.screenshot(path=folder / "owner-sealed.png")
    owner.send()
    owner.reads("Your report has arrived")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=folder / "owner-phone.png")
    page.close()


def _as_analyst(browser: Browser, server: Server, folder: Path) -> None:
    page = browser.new_page(viewport=WIDE)  # type: ignore[arg-type]
    views = {
        "dashboard": "",
        "dashboard-groups": "/analysis?attribute=travel&by=age&against=45-64",
        "dashboard-pair": "/analysis?statistic=joint&attribute=age&attribute=travel",
    }
    for name, view in views.items():
        page.goto(f"{server.url}/dashboard{view}")
        expect(page.locator(".pending")).to_have_count(0)
        page.screenshot(path=folder / f"{name}.png")
    page.close()


def main() -> None:
    """Take all pictures."""
    with sync_playwright() as playwright:
        found = chromium()
        if found is None:
            sys.exit("chromium is not there")
        expect.set_options(timeout=PATIENCE)
        browser = playwright.chromium.launch(executable_path=found, args=OPTIONS)
        take(browser, HERE, OWNERS)
        browser.close()


if __name__ == "__main__":
    main()
