"""An owner with a sealed report, a collector on this machine, and a clock that only sleep moves."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from discretion.budget import Budget
from discretion.device import Device, State, UploadClient
from discretion.plan import Plan
from tests.scripted import Collector, Time, collecting

RECORD = {"mode": "bike", "income": 31_257}


@pytest.fixture
def collector(plan: Plan) -> Iterator[Collector]:
    with collecting(plan) as running:
        yield running


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "owner.db"


@pytest.fixture
def state(path: Path) -> Iterator[State]:
    with State(path) as opened:
        yield opened


@pytest.fixture
def sealed(plan: Plan, state: State, budget: Budget) -> Device:
    """A device with a report in its outbox."""
    device = Device(plan, state)
    device.report(RECORD, budget)
    return device


@pytest.fixture
def client(collector: Collector, sealed: Device, time: Time) -> UploadClient:
    """One that has a report to carry."""
    return UploadClient(collector.url, sealed.state, retry=time.retry_policy())
