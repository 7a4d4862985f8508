"""Pages that stand alone, on a desk and on a phone: they fit, and tables can be scrolled."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from discretion.auditing.page import page as audit_page
from tests.browser.sight import assert_accessible, assert_fits
from tests.unit.auditing.test_page import BROKEN
from tests.unit.synthesis.published import town

PHONE = 360
HIDDEN = """() => [...document.querySelectorAll(".wide")]
  .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
  .map((box) => {
    box.scrollLeft = box.scrollWidth;
    const edge = box.getBoundingClientRect().left;
    const names = [...box.querySelectorAll("tbody th")];
    return names.every((name) => name.getBoundingClientRect().left >= edge - 1);
  })"""


@pytest.fixture(scope="module", params=["quality", "audit"])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / f"{request.param}.html"
    written = town().quality().to_html() if request.param == "quality" else audit_page(BROKEN)
    path.write_text(written, encoding="utf-8")
    return path


@pytest.mark.parametrize("width", [PHONE, 1280])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_it_fits_and_can_be_read(page: Page, file: Path, width: int, colours: str) -> None:
    page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(file.as_uri())
    assert_fits(page)
    assert_accessible(page)


def test_names_of_rows_stay_in_sight_where_a_table_scrolls(page: Page, file: Path) -> None:
    page.set_viewport_size({"width": PHONE, "height": 800})
    page.goto(file.as_uri())
    assert all(page.evaluate(HIDDEN))
