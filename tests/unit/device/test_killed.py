"""A process that is killed on the way: whatever comes after it sends the bytes that it sealed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import discretion
from discretion.budget import Budget
from discretion.device import State
from discretion.plan import Plan
from tests.scripted import REPORTS, Collector, stall

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs kill -9")
SCRIPT = """
import sys
from discretion.budget import Budget
from discretion.device import UploadClient, Device, State

url, path, stop = sys.argv[1:]
with State(path) as state:
    client = UploadClient(url, state)
    device = Device(client.plan(), state)
    budget = Budget.of(device.plan, {"mode": 3.5, "income": 0.5})
    sealed = device.report({"mode": "bike", "income": 31_257}, budget)
    print(sealed.to_bytes().decode(), flush=True)
    if stop == "before":
        sys.stdin.read()
    print(*(delivery.outcome for delivery in client.deliver()), flush=True)
"""


def start(collector: Collector, path: Path, stop: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(discretion.__file__).parents[1])}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, collector.url, str(path), stop],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("stop", ["before", "while"])
def test_a_process_killed_before_or_while_it_sends_is_followed_by_one_that_sends_the_same_bytes(
    collector: Collector, path: Path, plan: Plan, budget: Budget, stop: str
) -> None:
    if stop == "while":
        collector.script[REPORTS] = [stall]
    with start(collector, path, stop) as killed:
        assert killed.stdout is not None
        sealed = killed.stdout.readline().strip().encode()
        while stop == "while" and not collector.posted():
            assert killed.poll() is None
        killed.send_signal(signal.SIGKILL)
    assert killed.returncode == -signal.SIGKILL
    with start(collector, path, "never") as following:
        assert following.stdout is not None
        assert following.stdout.read().split() == [sealed.decode(), "accepted"]
    assert set(collector.posted()) == {sealed}
    assert list(collector.kept.values()) == [sealed]
    with State(path) as state:
        assert state.spent() == budget.total
        assert state.unsent(plan.id) == []
