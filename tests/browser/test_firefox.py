"""The same page in another engine: by keyboard from the first step to the last, and a reload."""

import os
from collections.abc import Iterator

import pytest

from tests.browser.council import council
from tests.browser.firefox import Firefox, firefox, running
from tests.browser.keyboard import ARRIVED, BALANCED, sees, take_part
from tests.collector.serving import Server
from tests.conftest import NO_FIREFOX

FITS = "document.documentElement.scrollWidth <= innerWidth"
REPORT = "document.querySelector('pre').textContent"


@pytest.fixture(scope="module")
def browser() -> Iterator[Firefox]:
    """Skip where there is no Firefox, but not where all is tested."""
    if firefox() is None:
        assert not os.environ.get("CI"), "firefox-esr must be there"
        pytest.skip(NO_FIREFOX)
    with running() as started:
        yield started


def test_twelve_questions_are_answered_by_keyboard_and_kept_over_a_reload(
    browser: Firefox, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with Server(tmp_path_factory.mktemp("firefox"), council()) as server:
        browser.resize(360, 740)
        browser.goto(server.url)
        sees(browser, BALANCED, "button")
        assert take_part(browser, lambda: _fits(browser)) <= 16
        shown = browser.evaluate(REPORT)
        assert server.get("/v1/counters").json()["kept"] == 1
        browser.reload()
        sees(browser, ARRIVED, "[role=status]")
        assert browser.evaluate(REPORT) == shown


def _fits(browser: Firefox) -> None:
    assert browser.evaluate(FITS)
