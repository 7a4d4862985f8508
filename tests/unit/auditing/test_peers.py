"""Published clients, from the outside: the two that are known to leak are found, others pass."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from discretion.auditing import audit_callable

PYTHON = Path(__file__).parents[3] / ".venv-peers" / "bin" / "python"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON.exists(), reason="there is no .venv-peers with the packages"),
]


@pytest.fixture(scope="module")
def samples() -> Any:
    script = Path(__file__).with_name("peers.py")
    done = subprocess.run([PYTHON, "-W", "ignore", script], capture_output=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    "name, sound",
    [("rappor", False), ("subset", False), ("direct", True), ("grr", True), ("opendp", True)],
)
def test_clients_that_leak_are_found_and_others_pass(samples: Any, name: str, sound: bool) -> None:
    claim, drawn = samples[name]
    recorded = [iter(outputs) for outputs in drawn]
    found = audit_callable(lambda x: next(recorded[x]), (0, 1), claim, len(drawn[0]))
    assert found.passes == sound, found
    assert found.findings[0].loss > 0.5
