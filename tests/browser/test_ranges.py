"""An analyst drags a range, types its ends, and reads its share: by mouse and by keyboard."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.sight import assert_accessible, assert_fits
from tests.collector.crowds import reports_of, send_all
from tests.collector.serving import Server
from tests.unit.web.dashboards import kept


def share(page: Page) -> float:
    said = page.locator("chosen-range output").first.text_content() or ""
    found = re.match(r"([\d.]+) % \(95 % interval ([\d.]+) % to ([\d.]+) %\)", said)
    assert found is not None
    value, low, high = map(float, found.groups())
    assert 0 <= low <= value <= high <= 100
    return value


def test_a_range_is_dragged_and_typed(page: Page, tmp_path: Path) -> None:
    crowd = kept("ordered", 400)
    with Server(tmp_path, crowd.plan, open="upload,analyse") as server:
        send_all(server, reports_of(crowd.sent))
        page.goto(f"{server.url}/dashboard?attribute=pay")
        last = page.get_by_label("To (€)")
        expect(last).to_be_visible()
        slider = page.get_by_label("To, to be dragged")
        slider.focus()
        slider.press("End")
        assert share(page) == 100
        expect(last).to_have_value("5,000")
        slider.press("ArrowLeft")
        expect(slider).to_have_attribute("aria-valuetext", "4,899")
        last.fill("1000")
        last.press("Tab")
        expect(last).to_have_value("999")  # the nearest end that there is
        some = share(page)
        last.fill("nothing")
        last.press("Tab")
        expect(last).to_have_value("999")
        first = page.get_by_label("From (€)")
        first.fill("2000")
        first.press("Tab")
        expect(last).to_have_value("2,099")  # an end gives way to the other
        assert share(page) != some
        send_all(server, reports_of(kept("ordered", 401).sent)[-1:])
        expect(page.locator("#status")).to_contain_text("401")
        expect(first).to_have_value("2,000")  # what was chosen stays while reports come
        assert_accessible(page)
        page.set_viewport_size({"width": 360, "height": 800})
        assert_fits(page)
