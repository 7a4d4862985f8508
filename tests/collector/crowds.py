"""Crowds that report over HTTP: simulated reports as the bytes that devices would send."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.collector.store import open_database
from discretion.collector.tokens import Role, Tokens
from discretion.crowd import simulate
from discretion.plan import Plan
from discretion.schema import Categorical, Numeric
from discretion.table import ReportTable
from tests.collector.serving import Reply, Server
from tests.plans import AGE_GROUP, HOME, INCOME, MODE, RANGES, author

T = TypeVar("T")


def everything(name: str = "everything") -> Plan:
    """A plan under which every refusal can happen."""
    attributes = [MODE, AGE_GROUP, HOME, {**INCOME, "ranges": RANGES}]
    asked = {"attributes": attributes, "bundles": [["mode", "home"]], "share": {"sample": 2}}
    return Plan.of(author(name=name, **asked))


def crowd(plan: Plan, n: int, seed: int) -> ReportTable:
    """Return reports with unequal budgets and missing attributes."""
    rng = np.random.default_rng(seed)
    columns: dict[str, Any] = {}
    for name in plan.attributes:
        attribute = plan.questions[name].attribute
        if isinstance(attribute, Categorical):
            columns[name] = rng.choice(attribute.labels, n, p=falling(len(attribute.labels)))
        else:
            assert isinstance(attribute, Numeric)
            low, high = (float(end * attribute.unit) for end in (attribute.low, attribute.high))
            columns[name] = low + (high - low) * rng.beta(2, 5, n)
    gone = rng.random((len(columns), n)) < 0.1
    items = zip(columns.items(), gone, strict=True)
    records = pa.table({name: pa.array(own, mask=mask) for (name, own), mask in items})
    if plan.sample is not None:
        return simulate(plan, records, ranges="menu", seed=seed)
    return simulate(plan, records, budgets="dirichlet", share=(1, 3), ranges="menu", seed=seed)


def falling(k: int) -> npt.NDArray[np.float64]:
    weights = 1 / np.arange(1.0, k + 1)
    return weights / weights.sum()


def reports_of(table: ReportTable) -> list[bytes]:
    """Return the rows of a table as reports."""
    return [report.to_bytes() for report in table.to_reports()]


def batches(bodies: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(bodies), size):
        yield bodies[start : start + size]


def send_all(server: Server, bodies: Sequence[bytes], size: int = 2000) -> list[str]:
    """Send reports as lines, and return their outcomes."""
    found: list[str] = []
    for part in batches(bodies, size):
        reply = server.post("/v1/reports", b"\n".join(part), "application/x-ndjson")
        assert reply.status == 200, reply
        found += reply.json()["outcomes"]
    return found


def exported(server: Server, folder: Path, round: int = 0) -> ReportTable:
    """Return the reports of a round, from the file that the server gives."""
    reply = server.get(f"/v1/export?round={round}")
    assert reply.status == 200, reply
    path = folder / f"export-{time.monotonic_ns()}.parquet"
    path.write_bytes(reply.body)
    table = ReportTable.read(path, server.plan)
    assert table.refused == ()
    return table


def token_of(server: Server, name: str, *roles: Role, plan: str | None = None) -> str:
    """Make a token in the store of a server, for one plan or for all."""
    database = open_database(server.store)
    try:
        return Tokens(database).make(name, frozenset(roles), plan)
    finally:
        database.close()


def counters(server: Server, token: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = server.get("/v1/counters", token).json()
    return found


def metric(server: Server, name: str, **labels: str) -> float:
    """Return the value of a metric; 0 where it was never counted. An empty label is none."""
    lines = server.get("/metrics").body.decode().splitlines()
    wanted = sorted(f'{key}="{value}"' for key, value in labels.items() if value)
    for line in lines:
        found = re.fullmatch(rf"{name}(?:\{{(.*)\}})? (\S+)", line)
        given = (found[1] or "").split(",") if found else []
        if found and sorted(part for part in given if part and '=""' not in part) == wanted:
            return float(found[2])
    return 0.0


def eventually(true: Callable[[], bool], seconds: float = 120.0) -> bool:
    """Whether something becomes true in a while, which on a busy machine may be long."""
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def assert_problem(reply: Reply, status: int, name: str) -> dict[str, Any]:
    """Assert that an answer is a problem document; return it."""
    assert reply.status == status, reply
    assert reply.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = reply.json()
    assert document["type"] == f"urn:discretion:problem:{name}"
    assert document["status"] == status
    assert document["title"]
    assert document["detail"]
    return document
