"""docs/results.md: a page whose sections are written by different measurements."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "results.md"
HEAD = "# Results\n\nEach section is written by the measurement that it names, never by hand.\n"


def write_section(title: str, body: str, page: Path = PAGE) -> None:
    """Replace the section with this title, up to the next ``## ``, or append it; no other text."""
    text = page.read_text(encoding="utf-8") if page.exists() else HEAD
    section = f"## {title}\n\n{body.strip()}\n"
    old = re.search(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if old is None:
        text = f"{text.rstrip()}\n\n{section}"
    else:
        rest = text[old.end() :]
        text = text[: old.start()] + section + (f"\n{rest}" if rest else "")
    page.write_text(text, encoding="utf-8")
