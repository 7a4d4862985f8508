"""The reference of the commands is their own help, and every example in it runs."""

import re
import shlex
import sys
from pathlib import Path

import pyarrow.csv as csv
import pytest

import discretion as ds
from discretion.cli.main import main
from tests.cases import for_each
from tests.docs.reference import PAGE, commands, help_of, page

EXAMPLE = re.compile(r"^ +(?:Example: )?(discretion .*)$", re.MULTILINE)

NUMBERS = """
name: numbers
attributes:
- {name: income, kind: numeric, range: [0, 200000], step: 500}
budget: {total: 4, spread: 1.5}
"""


def test_the_reference_is_what_the_commands_say() -> None:
    """To write it anew: python -m tests.docs.reference."""
    assert PAGE.read_text(encoding="utf-8") == page()


@for_each("path", [p for p in commands() if p not in ((), ("plan",))])
def test_every_command_shows_an_example(path: tuple[str, ...]) -> None:
    call = " ".join(["discretion", *path])
    examples = EXAMPLE.findall(help_of(path))
    assert examples
    assert all(example.startswith(call) for example in examples)


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    csv.write_csv(ds.census(500, seed=3), "people.csv")
    Path("numbers.yaml").write_text(NUMBERS, encoding="utf-8")
    order = (("plan", "new"), ("plan", "check"), ("plan", "advise"), ("simulate",), ("estimate",))
    for path in order:
        for example in EXAMPLE.findall(help_of(path)):
            monkeypatch.setattr(sys, "argv", shlex.split(example))
            with pytest.raises(SystemExit) as end:
                main()
            assert not end.value.code, example
