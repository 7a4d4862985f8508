"""A command starts without what other commands need."""

import subprocess
import sys

import pytest

HEAVY = {"numpy", "scipy", "numba", "pyarrow", "matplotlib", "networkx", "fastapi"}
CODE = """
import sys
from discretion.cli.main import main
try:
    main()
finally:
    print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["send", "--help"]], ids=" ".join)
def test_what_needs_no_numbers_imports_nothing_for_them(arguments: list[str]) -> None:
    command = [sys.executable, "-c", CODE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.splitlines()[-1].split())


def test_a_command_that_needs_numbers_imports_them() -> None:
    command = [sys.executable, "-c", CODE, "simulate", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert {"numpy", "pyarrow"} <= set(done.stdout.splitlines()[-1].split())
    assert "matplotlib" not in done.stdout
