"""Mutated reports over HTTP: each is judged as the strict reader judges it; none that is invalid is
kept, and the server stays up.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from discretion.collector.refusals import EXPLAINED
from discretion.errors import Refusal, ReportRefused
from discretion.plan import Plan
from discretion.report import longest, read
from tests.collector.crowds import (
    batches,
    counters,
    eventually,
    everything,
    exported,
    reports_of,
)
from tests.collector.serving import LINES, Server
from tests.plans import commuters, secret_commuters
from tests.unit.table.mutants import Mutator

SEED = 20260801
MUTANTS = 10_000
ROUNDS = (0, 1, 7)  # others are not open


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("mutants"), everything(), body=8_000_000) as running:
        for round in ROUNDS[1:]:
            running.post("/v1/rounds", json.dumps({"round": round}).encode())
        yield running


def expected(plan: Plan, message: bytes, kept: dict[tuple[int, str], bytes]) -> tuple[str, str]:
    """Return the outcome and the reason, as the strict reader and a dictionary have them."""
    try:
        report = read(plan, message)
    except ReportRefused as error:
        reason = error.reason if len(message) <= longest(plan) else Refusal.TOO_LONG
        return "refused", str(reason)
    if report.round not in ROUNDS:
        return "refused", "round_not_open"
    key = report.round, report.id
    if key not in kept:
        kept[key] = message
        return "accepted", ""
    return ("duplicate" if kept[key] == message else "conflict"), ""


def test_mutants_are_judged_as_the_strict_reader_judges_them(
    server: Server, tmp_path: Path
) -> None:
    plan, kept = server.plan, dict[tuple[int, str], bytes]()
    mutator = Mutator.of(plan, [commuters(), secret_commuters()], SEED)
    lines = [line for line in mutator.mutants(MUTANTS) if line and b"\n" not in line]
    assert len(lines) > 0.9 * MUTANTS
    seen: dict[str, int] = {}
    for part in batches(lines, EXPLAINED):
        reply = server.post("/v1/reports", b"\n".join(part), LINES)
        assert reply.status == 200, reply
        found = reply.json()
        reasons = {refused["report"]: refused["reason"] for refused in found["refused"]}
        shown = [(outcome, reasons.get(i, "")) for i, outcome in enumerate(found["outcomes"])]
        for line, pair in zip(part, shown, strict=True):
            assert pair == expected(plan, line, kept), (SEED, line)
            seen[" ".join(pair).strip()] = seen.get(" ".join(pair).strip(), 0) + 1
    assert server.process.poll() is None
    assert server.get("/health").status == 200
    assert min(seen["accepted"], seen["duplicate"], seen["conflict"]) > 100, seen
    assert len(seen) > 18, seen

    refusals = sum(count for verdict, count in seen.items() if verdict.startswith("refused"))
    assert eventually(lambda: sum(counters(server)["refused"].values()) == refusals)
    found = counters(server)
    assert found["accepted"] == found["kept"] == len(kept) == seen["accepted"]
    for verdict, count in seen.items():
        outcome, _, reason = verdict.partition(" ")
        assert (found["refused"][reason] if reason else found[outcome]) == count, verdict
    rows = [r for round in ROUNDS for r in reports_of(exported(server, tmp_path, round))]
    assert sorted(rows) == sorted(kept.values())


def test_mutants_one_by_one_are_answered(server: Server) -> None:
    """Every one gets an answer that is no failure, whatever its bytes are."""
    mutator = Mutator.of(server.plan, [commuters()], SEED + 1)
    found = [server.upload(message).status for message in mutator.mutants(400)]
    assert set(found) <= {200, 201, 409, 422, 425}
    assert len(set(found)) >= 4
