"""Links between the pages, and from the sources to the pages, lead somewhere."""

import re
from pathlib import Path

from tests.cases import for_each

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|mailto:)(?P<path>[^)#\s]*)(?:#(?P<anchor>[^)\s]*))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
MENTION = re.compile(r"docs/[\w/-]+\.md")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def anchors(page: Path) -> set[str]:
    """Return the anchors that headings get where Markdown is shown."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.M)
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(text))
    return {heading.strip().replace(" ", "-") for heading in kept}


@for_each("page", PAGES)
def test_relative_links_lead_to_files_and_headings(page: Path) -> None:
    broken = []
    for link in LINK.finditer(CODE.sub("", page.read_text(encoding="utf-8"))):
        target = (page.parent / link["path"]).resolve() if link["path"] else page
        if not target.exists() or (link["anchor"] and link["anchor"] not in anchors(target)):
            broken.append(link[0])
    assert broken == []


def test_pages_named_in_the_sources_exist() -> None:
    sources = [*ROOT.glob("src/**/*.py"), *ROOT.glob("tests/**/*.py")]
    named = {m for path in sources for m in MENTION.findall(path.read_text(encoding="utf-8"))}
    assert {mention for mention in named if not (ROOT / mention).exists()} == set()


def test_the_pages_are_found() -> None:
    assert {"README.md", "docs/guide.md", "docs/proofs/shapes.md"} <= set(map(name, PAGES))
