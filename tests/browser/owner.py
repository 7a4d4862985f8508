"""An owner at her page: what she reads and presses, by the names that a screen reader would say."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

STRONGEST = 0  # stops are counted from the strongest protection


@dataclass(frozen=True)
class Owner:
    """One visit."""

    page: Page
    address: str

    def visit(self) -> None:
        self.page.goto(self.address)
        expect(self.page.get_by_text("This page needs JavaScript")).to_have_count(0)  # it runs

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def sees(self, heading: str) -> None:
        expect(self.page.get_by_role("heading", name=heading, exact=True)).to_be_visible()

    def question(self, name: str) -> Locator:
        return self.page.get_by_role("group", name=name, exact=True)

    def options(self, name: str) -> Locator:
        """Return the answers to a question that has a few."""
        return self.page.get_by_role("radiogroup", name=name, exact=True)

    def share(self, name: str, stop: int = STRONGEST) -> None:
        self.question(name).get_by_role("radio", name="Share").check()
        slider = self.question(name).get_by_role("slider")
        for _ in range(stop):
            slider.press("ArrowRight")

    def choose(self, stops: Mapping[str, int]) -> None:
        """Go from the start to the questions, sharing these."""
        self.press("Choose what to share")
        self.sees("Choose what to share")
        for name, stop in stops.items():
            self.share(name, stop)
        self.press("Go on to the questions")
        self.sees("Your answers")

    def answer(self, record: Mapping[str, str]) -> None:
        for name, value in record.items():
            options = self.options(name)
            menu = self.page.get_by_role("combobox", name=name, exact=True)
            if options.count():
                options.get_by_role("radio", name=value, exact=True).check()
            elif menu.count():
                menu.select_option(value)
            else:
                self.page.get_by_role("textbox", name=name, exact=True).fill(value)

    def seal(self) -> bytes:
        self.press("Seal my report")
        return self.report()

    def report(self) -> bytes:
        """Return the bytes that the page shows."""
        self.sees("Your report")
        shown = self.page.locator("pre").first.text_content() or ""
        json.loads(shown)
        return shown.encode()

    def send(self) -> None:
        self.press("Send")

    def reads(self, what: str) -> None:
        stated = self.page.get_by_role("status").filter(has_text=re.compile(what))
        expect(stated.first).to_be_visible()

    def delete(self) -> None:
        self.press("Delete my report")
        self.press("Yes, delete it")
