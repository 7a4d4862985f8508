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


def test_a_cold_cache_says_so_and_a_warm_one_is_used(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    printed = [
        subprocess.run(
            [sys.executable, "-c", CODE],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    assert printed == [["False", "True", "0"], ["True", "True", str(len(KERNELS))]]


def test_a_command_that_finds_them_cold_says_what_it_is_doing(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", "from discretion.cli.main import main; main()"]
    words = [
        subprocess.run(
            [*command, "estimate", "none"], env=environment, capture_output=True, text=True
        ).stderr
        for _ in range(2)
    ]
    assert words[0].startswith("compiling for this machine, once")
    assert words[1] == "discretion: none: no such file\n"
