"""Running what is written in JavaScript."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "clients" / "js" / "test"


def run(script: str, *arguments: str) -> str:
    """Return what a script prints; skip where there is no Node, but not where all is tested."""
    node = shutil.which("node")
    if node is None:
        assert not os.environ.get("CI"), "node must be there"
        pytest.skip("node is not there")
    command = [node, str(SCRIPTS / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
