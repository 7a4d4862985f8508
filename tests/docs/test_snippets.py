"""The examples of the README and the guide run as they stand, from top to bottom.

Each page has an empty folder and one namespace of its own. A block of YAML that begins with a
comment naming a file is written to that file; in a block of shell, the ``discretion`` commands run.
A block of text right after one of Python is what that prints, word for word;
numbers may differ a little, as processors round differently (``tests/docs/printing.py``).
"""

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from discretion.cli.main import main
from tests.docs.printing import prints

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "docs/guide.md",
    "docs/forms.md",
    "docs/scale.md",
    "docs/variants.md",
    "docs/weights.md",
)
BLOCK = re.compile(
    r"^```(?P<language>python|sh|text|yaml)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE
)
FILE = re.compile(r"# (\S+\.ya?ml)\n")


@pytest.mark.parametrize("page", PAGES)
def test_examples_run_in_order_and_print_what_the_page_shows(
    page: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": page}
    last = ""
    for language, line, body in blocks(ROOT / page):
        printed = capsys.readouterr().out
        if (last, language) == ("python", "text"):
            assert prints(body, printed), f"{page}, line {line} shows\n{body}but prints\n{printed}"
        last = language
        match language:
            case "yaml":
                write(body)
            case "sh":
                run(body, monkeypatch)
            case "python":
                padding = "\n" * line  # so that a traceback names the line of the page
                exec(compile(padding + body, page, "exec"), namespace)


@pytest.mark.parametrize("page", PAGES)
def test_every_python_block_is_found(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    found = sum(language == "python" for language, _, _ in blocks(ROOT / page))
    assert found == text.count("```python") > 0


def blocks(path: Path) -> Iterator[tuple[str, int, str]]:
    """Yield the language of each block, the lines before it, and its text."""
    text = path.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        yield block["language"], text.count("\n", 0, block.start("body")), block["body"]


def write(body: str) -> None:
    """Save a block that names its file; others are only shown."""
    if name := FILE.match(body):
        Path(name[1]).write_text(body, encoding="utf-8")


def run(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the ``discretion`` commands of a block; ``make`` and the like are only shown."""
    for line in body.splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["discretion"]:
            monkeypatch.setattr(sys, "argv", words)
            with pytest.raises(SystemExit) as end:
                main()
            assert not end.value.code, line


@pytest.mark.parametrize(
    "printed, same",
    [
        ("bike  0.1338 (60.4-80.2), 12,742 of 40 reports", True),
        ("bike  0.1381 (60.3-80.3), 12,741 of 40 reports", False),
        ("bike  0.1337 (60.3-80.3), 12,741 of 41 reports", False),
        ("bike  0.1337 (60.3-80.3), 12,741 of 40 answers", False),
    ],
)
def test_numbers_may_differ_by_rounding_and_by_nothing_else(printed: str, same: bool) -> None:
    assert prints("bike  0.1337 (60.3-80.3), 12,741 of 40 reports", printed) == same
