"""A real Chromium, driven by Playwright, and a real collector for it to visit."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.collector.serving import Server
from tests.conftest import NO_BROWSER
from tests.plans import commuters

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
OPTIONS = ["--no-sandbox", "--disable-gpu"]
PATIENCE = 120_000.0  # milliseconds: two cores, and others at work


def chromium() -> str | None:
    """Return where the system's Chromium is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="module")  # no longer: its event loop would be in the way of others
def browser() -> Iterator[Browser]:
    """Skip where there is no Chromium, but not where all is tested."""
    found = chromium()
    if found is None:
        assert not os.environ.get("CI"), "chromium must be there"
        pytest.skip(NO_BROWSER)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that nobody has used, which notes what goes wrong on its pages."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE)
    wrong: list[str] = []
    context.on("weberror", lambda error: wrong.append(str(error.error)))
    yield context
    context.close()
    assert not wrong


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("visited"), commuters()) as running:
        yield running
