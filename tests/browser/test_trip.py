"""A device in JavaScript and a collector in Python understand each other."""

import json

from discretion.report import read
from tests.browser.node import run
from tests.plans import commuters
from tests.scripted import DELETIONS, PLAN, REPORTS, collecting

EPSILONS, RECORD = {"mode": 3.5, "income": 0.5}, {"mode": "bike", "income": 31_257}


def test_a_report_is_sealed_sent_and_withdrawn() -> None:
    plan = commuters()
    with collecting(plan) as collector:
        told = json.loads(run("trip.js", collector.url, json.dumps(EPSILONS), json.dumps(RECORD)))
        assert [got.path for got in collector.got] == [PLAN, REPORTS, DELETIONS]
        assert collector.got[1].body.decode() == told["report"]
        assert not collector.kept
    assert told["plan"] == plan.id
    assert list(read(plan, told["report"].encode()).answers) == ["mode", "income"]
    assert [delivery["outcome"] for delivery in told["delivered"]] == ["accepted"]
    assert [delivery["outcome"] for delivery in told["withdrawn"]] == ["deleted"]
