"""The page about threats has an answer from everybody, and names tests that there are."""

import re
from pathlib import Path

from tests.cases import for_each

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
MENTION = re.compile(r"tests/[\w/]+\.py")
THREATS = {
    name: body
    for name, body in re.findall(r"^### (.+?)\n(.*?)(?=^##|\Z)", TEXT, re.DOTALL | re.MULTILINE)
    if "| **What can be done** |" in body
}
ASKED = ("The device", "The collector", "The analyst", "Not done", "Tested")


@for_each("name", THREATS)
def test_everybody_is_asked_about_every_threat(name: str) -> None:
    missing = [who for who in ASKED if f"| **{who}** |" not in THREATS[name]]
    assert missing == []


def test_the_tests_that_are_named_exist() -> None:
    named = set(MENTION.findall(TEXT))
    assert len(named) > len(THREATS) > 10
    assert {name for name in named if not (ROOT / name).exists()} == set()
