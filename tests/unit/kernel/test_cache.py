"""Kernels are compiled once on a machine and read from a cache after that."""

import os
import subprocess
import sys
from pathlib import Path

from discretion.kernel.cache import KERNELS

CODE = """
from discretion.kernel.cache import KERNELS, is_warm, warm
before = is_warm()
warm()
print(before, is_warm(), sum(sum(k.stats.cache_hits.values()) for k in KERNELS))
"""
COMMAND = "from discretion.cli.main import main; main()"


def run(cache: Path, code: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
    )


def test_a_cold_cache_says_so_a_warm_one_is_used_and_a_command_tells_what_it_is_doing(
    tmp_path: Path,
) -> None:
    """In one test, since compiling them all takes long."""
    printed = [run(tmp_path, CODE).stdout.split() for _ in range(2)]
    assert printed == [["False", "True", "0"], ["True", "True", str(len(KERNELS))]]
    (index,) = tmp_path.rglob("*.distinct-*.nbi")
    index.unlink()  # with one kernel missing it is cold
    words = [run(tmp_path, COMMAND, "estimate", "none").stderr for _ in range(2)]
    assert words[0].startswith("compiling for this machine, once")
    assert words[1] == "discretion: none: no such file\n"
