"""A device runs where nothing but Python is installed."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import discretion
from discretion.plan import Plan
from discretion.report import read
from tests.plans import INCOME, MODE, author, commuters
from tests.scripted import collecting

SCRIPT = """
import importlib.util, json, sys
sys.path.insert(0, sys.argv[1])
from discretion.budget import Budget
from discretion.device import UploadClient, Device, State

state = State()
client = UploadClient(sys.argv[2], state)
plan = client.plan()
device = Device(plan, state)
if plan.sample:
    budget = device.sample(dict.fromkeys(plan.names, 1))
else:
    budget = Budget.of(plan, {"mode": 3.5, "income": 0.5})
report = device.report({"mode": "bike", "income": 31257}, budget)
delivered = [delivery.outcome for delivery in client.deliver()]
installed = [m for m in ("numpy", "scipy", "yaml", "pytest") if importlib.util.find_spec(m)]
top = {name.partition(".")[0] for name in sys.modules}
print(json.dumps({
    "installed": installed,
    "foreign": sorted(top - set(sys.stdlib_module_names) - {"discretion"}),
    "report": report.to_bytes().decode(),
    "delivered": delivered,
}))
"""


def numbers_plan() -> Plan:
    """A table for each level, a range to choose, and a draw of all there is."""
    income = {**INCOME, "mechanism": "optimal", "ranges": [[0, 100000]]}
    budget = {"total": 4, "spread": 2, "step": 1}
    return Plan.of(author(attributes=[MODE, income], budget=budget, share={"sample": 2}))


@pytest.mark.parametrize("make", [commuters, numbers_plan])
def test_a_device_reports_and_sends_with_the_standard_library_alone(
    make: Callable[[], Plan],
) -> None:
    plan, source = make(), Path(discretion.__file__).parents[1]
    command = [sys.executable, "-I", "-S", "-W", "error", "-c", SCRIPT]
    with collecting(plan) as collector:
        done = subprocess.run(
            [*command, str(source), collector.url], capture_output=True, text=True, check=True
        )
    outcome = json.loads(done.stdout)
    assert outcome["delivered"] == ["accepted"]
    assert collector.posted() == [outcome["report"].encode()]
    assert outcome["installed"] == []
    assert outcome["foreign"] == ["__main__"]
    assert list(read(plan, outcome["report"].encode()).answers) == ["mode", "income"]
