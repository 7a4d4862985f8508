"""Kernels are compiled once on a machine and read from a cache after that."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from discretion.kernel import KERNELS
from discretion.kernel.cache import warm

WHERE = "from discretion.kernel.cache import *; print(is_warm(), KERNELS[0].stats.cache_path)"
CODE = """
from discretion.kernel.cache import KERNELS, is_warm, warm
before = is_warm()
{}
warm()
print(before, is_warm(), sum(sum(k.stats.cache_hits.values()) for k in KERNELS))
"""
TYPES = len(KERNELS) + 7  # two of six, for reports that can be written to or not, and of transform
ALONE, COMMAND = (
    CODE.format(""),
    CODE.format(
        "import contextlib; from discretion.cli.main import main\n"
        "with contextlib.suppress(SystemExit): main()"
    ),
)


def run(cache: Path, code: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where in a cache the kernels lie."""
    empty = tmp_path_factory.mktemp("empty")
    cold, place = run(empty, WHERE).stdout.split()
    assert cold == "False", "an empty one is cold"
    return Path(place).relative_to(empty)


@pytest.fixture
def lacking(place: Path, tmp_path: Path) -> Path:
    """A cache like this machine's, where one kernel is missing: to compile them all takes long."""
    warm()
    shutil.copytree(KERNELS[0].stats.cache_path, tmp_path / place, dirs_exist_ok=True)
    for index in tmp_path.rglob("*.distinct-*.nbi"):
        index.unlink()
    return tmp_path


@pytest.mark.slow
def test_an_empty_cache_is_filled_once(tmp_path: Path) -> None:
    printed = [run(tmp_path, ALONE).stdout.split() for _ in range(2)]
    assert printed == [["False", "True", "0"], ["True", "True", str(TYPES)]]


def test_a_command_says_that_it_compiles_what_a_cache_lacks_and_uses_the_rest(
    lacking: Path,
) -> None:
    runs = [run(lacking, COMMAND, "estimate", "none") for _ in range(2)]
    said = [each.stderr for each in runs]
    assert said[0].startswith("compiling for this machine, once")
    assert said[1] == "discretion: none: no such file\n"
    *compiled, hits = runs[0].stdout.split()
    assert compiled == ["False", "True"]
    assert int(hits) >= TYPES - 1
    assert runs[1].stdout.split() == ["True", "True", str(TYPES)]
