"""docs/results.md: a page whose sections are written by different measurements."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "results.md"
HEAD = "# Results\n\nEach section is written by the measurement that it names, never by hand.\n"


def write_section(title: str, body: str, page: Path = PAGE) -> None:
    """Replace the section with this title, up to the next heading of its rank, or append it."""
    text = page.read_text(encoding="utf-8") if page.exists() else HEAD
    section = f"## {title}\n\n{body.strip()}\n"
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    kept = [part.strip() + "\n" for part in parts]
    places = [i for i, part in enumerate(kept) if part.startswith(f"## {title}\n")]
    kept[places[0] if places else len(kept) :][:1] = [section]
    if places:
        kept[places[0]] = section
    else:
        kept.append(section)
    page.write_text("\n".join(kept), encoding="utf-8")
