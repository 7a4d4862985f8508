"""Several surveys at one address: an owner and an analyst go from the list to one of them."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from discretion.collector.tokens import Role
from tests.browser.owner import Owner
from tests.browser.sight import assert_accessible, assert_fits
from tests.collector.crowds import counters, token_of
from tests.collector.serving import FIRST, Server, people
from tests.plans import commuters

OTHER = people("another survey", 8)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("surveys")
    with Server(folder, commuters(), beside={"other": OTHER}, open="upload") as running:
        yield running


def test_an_owner_takes_part_in_one_of_several_surveys(page: Page, server: Server) -> None:
    token = token_of(server, "operator", Role.ANALYSE)
    page.goto(server.url)
    assert_accessible(page)
    assert_fits(page)
    names = [link.text_content() for link in page.get_by_role("listitem").get_by_role("link").all()]
    assert names == [commuters().name, "dashboard", OTHER.name, "dashboard"]
    owner = Owner(page, f"{server.url}/{FIRST}")  # without its slash
    owner.visit()
    assert page.url == f"{server.url}/{FIRST}/"
    owner.choose({"mode": 2})
    owner.answer({"mode": "bike"})
    owner.seal()
    owner.send()
    owner.reads("Your report has arrived")
    assert counters(server.under(FIRST), token)["kept"] == 1
    owner.delete()
    owner.reads("Your report is deleted. The collector has confirmed it")
    assert counters(server.under(FIRST), token)["kept"] == 0
    assert counters(server.under("other"), token)["accepted"] == 0


def test_an_analyst_signs_in_to_each_dashboard(page: Page, server: Server) -> None:
    token = token_of(server, "analyst", Role.ANALYSE)
    page.goto(server.url)
    page.get_by_role("link", name=f"Dashboard of {commuters().name}").click()
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Downloads")).to_be_visible()
    assert page.url == f"{server.url}/{FIRST}/dashboard"
    page.goto(f"{server.url}/other/dashboard")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    page.goto(f"{server.url}/{FIRST}/dashboard")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
