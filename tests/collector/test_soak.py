"""Ten minutes at four fifths of what the server can do: no errors, and no more memory."""

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.collector import AUTHOR, reports
from benchmarks.load import CONNECTIONS, Load, request, send
from discretion.plan import Plan
from tests.collector.serving import Server

SECONDS, WARM_SECONDS, SHARE = 600.0, 60.0, 0.8
ON_TIME = 0.95  # of the requests that the rate calls for: fewer, and it was no soak at four fifths
MORE_MB = 32.0  # of memory: SQLite's page cache fills, and nothing else grows
BASE = 2000  # reports that are sent again under new ids


def sendable(base: list[bytes], seconds: float) -> Iterator[bytes]:
    """Yield requests with ever new reports, until the time is over."""
    at, end = base[0].index(b'"id":"') + 6, time.monotonic() + seconds
    while time.monotonic() < end:
        for report in base:
            id = os.urandom(16).hex().encode()
            yield request("/v1/reports", "application/json", report[:at] + id + report[at + 32 :])


def loaded(port: int, base: list[bytes], seconds: float, rate: float) -> Load:
    return asyncio.run(send(port, sendable(base, seconds), CONNECTIONS, rate))


def memory_mb(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@pytest.mark.slow
def test_a_soak_brings_no_errors_and_no_growth(tmp_path: Path) -> None:
    plan = Plan.of(AUTHOR)
    base = reports(plan, BASE, seed=11)
    with Server(tmp_path, plan) as server:
        most = loaded(server.port, base, 10.0, float("inf"))
        rate = SHARE * len(most.latencies) / 10.0
        warm = loaded(server.port, base, WARM_SECONDS, rate)
        before = memory_mb(server.process.pid)
        soak = loaded(server.port, base, SECONDS - WARM_SECONDS, rate)
        after = memory_mb(server.process.pid)
        kept = server.get("/v1/counters").json()["kept"]
    sent = [most, warm, soak]
    tail = sorted(soak.latencies)[int(0.99 * len(soak.latencies))]
    served = len(soak.latencies) / (SECONDS - WARM_SECONDS)
    print(f"{rate:.0f}/s aimed at, {served:.0f}/s served, ")
    print(f"p99 {1000 * tail:.1f} ms, {before:.0f} MB, then {after:.0f} MB")
    assert {status for load in sent for status in load.statuses} == {201}
    assert kept == sum(len(load.latencies) for load in sent)
    assert served >= ON_TIME * rate
    assert after - before < MORE_MB
