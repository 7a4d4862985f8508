"""The way through a worded survey by keyboard alone, in whatever browser."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from playwright.sync_api import Page

from tests.browser.council import RECORD

BALANCED = "Share all, with balanced protection"
ARRIVED = "Your report has arrived"
FOCUSED = "[document.activeElement.tagName, document.activeElement.textContent]"
TYPE = "(window.field = document.activeElement).type"
STILL = "document.activeElement === window.field"
TYPED = {"2024-02-29": "02292024"}  # in a browser that is American
SEEN = """new Promise((done, failed) => {
  const end = Date.now() + 120000;
  const look = () => {
    const seen = (each) => each.textContent.startsWith(TEXT) && each.checkVisibility();
    if ([...document.querySelectorAll("AMONG")].some(seen)) done(true);
    else if (Date.now() > end) failed(new Error(document.body.innerText));
    else setTimeout(look, 50);
  };
  look();
})"""


class Keyboard(Protocol):
    """A browser with a page, as somebody without a mouse has it."""

    def press(self, key: str) -> None: ...

    def type(self, text: str) -> None: ...

    def evaluate(self, expression: str) -> Any: ...


@dataclass(frozen=True)
class Pressed:
    """A page of Playwright's."""

    page: Page

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def evaluate(self, expression: str) -> Any:
        return self.page.evaluate(expression)


def sees(keys: Keyboard, text: str, among: str = "h2, h3") -> None:
    """Wait until a heading, or another element, begins so."""
    assert keys.evaluate(SEEN.replace("TEXT", json.dumps(text)).replace("AMONG", among))


def take_part(keys: Keyboard, looked_at: Callable[[], None]) -> int:
    """Go from the landing page to a report that has arrived; return the number of steps."""
    steps = 0
    for name, heading in ((BALANCED, "Choose what to share"), ("Go on to", "Your answers")):
        _to_button(keys, name)
        keys.press("Enter")
        sees(keys, heading)
        looked_at()
        steps += 1
    keys.press("Tab")
    for value in [value for name, value in RECORD.items() if name != "vote"]:  # she is below 18
        if keys.evaluate(TYPE) == "radio":
            keys.press("Space")
        else:
            keys.type(TYPED.get(value, value))
        while keys.evaluate(STILL):  # a date has several parts
            keys.press("Tab")
        steps += 1
    for name, said in (("Seal my report", "Your report"), ("Send", "What was sent, in words")):
        _to_button(keys, name)
        keys.press("Enter")
        sees(keys, said)
        steps += 1
    sees(keys, ARRIVED, "[role=status]")
    looked_at()
    return steps


def _to_button(keys: Keyboard, name: str) -> None:
    """Press Tab until the focus is there; it may be there already."""
    passed = []
    for _ in range(60):
        kind, text = keys.evaluate(FOCUSED)
        if kind == "BUTTON" and name in text:
            return
        passed.append((kind, text[:30]))
        keys.press("Tab")
    raise AssertionError(f"no way by Tab to the button {name!r}, but by {passed}")
