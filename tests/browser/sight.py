"""Whether a page can be used by everybody: what axe finds, and whether it fits the screen."""

from collections.abc import Container

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe()
RUN = "() => axe.run({ resultTypes: ['violations'] }).then((found) => found.violations)"
SERIOUS = ("serious", "critical")
ALL = ("minor", "moderate", *SERIOUS)
OVERFLOW = """() => [...document.querySelectorAll("body *")]
  .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1)
  .filter((e) => !e.closest(".wide, pre, svg"))
  .map((e) => e.outerHTML.slice(0, 120))"""


def assert_accessible(page: Page, impacts: Container[str] = SERIOUS) -> None:
    """Axe finds nothing of these impacts: nothing serious, unless more is asked for."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.axe_script)  # half a megabyte: once for each page
    found = page.evaluate(RUN)
    shown = [(v["id"], v["help"], v["nodes"][0]["html"]) for v in found if v["impact"] in impacts]
    assert not shown


def assert_fits(page: Page) -> None:
    """Nothing has to be scrolled sideways."""
    assert page.evaluate(OVERFLOW) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
