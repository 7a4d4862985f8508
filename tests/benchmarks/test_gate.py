"""The gate: what counts as slower, and that the record is of the lines that are measured."""

import json

import pytest

from benchmarks.claim import Claim
from benchmarks.gate import RECORD, failures, worst
from benchmarks.limits import QUICK
from benchmarks.measure import medians

RECORDED = {"count": 0.4, "draw": 2.0}


@pytest.mark.parametrize("longer, fails", [(0.6, False), (1.0, False), (1.4, False), (1.6, True)])
def test_a_line_may_take_up_to_half_as_long_again(longer: float, fails: bool) -> None:
    found = {"count": 0.4 / longer, "draw": 2.0}
    assert [line.split(":")[0] for line in failures(RECORDED, found)] == ["count"] * fails


def test_a_failure_says_by_how_much() -> None:
    assert list(failures(RECORDED, {"count": 0.25, "draw": 2.0})) == [
        "count: takes 60% longer (0.25, was 0.4)"
    ]


def test_a_line_that_is_missing_on_either_side_fails() -> None:
    assert list(failures(RECORDED, {"count": 0.4})) == ["draw: recorded, but not measured"]
    found = {**RECORDED, "read": 1.0}
    assert list(failures(RECORDED, found)) == ["read: measured, but not recorded"]


def test_a_record_is_the_lowest_ratio_of_several_goes() -> None:
    goes = [{"count": 0.4, "draw": 2.0}, {"count": 0.5, "draw": 1.2345}]
    assert worst(goes) == {"count": 0.4, "draw": 1.234}


def test_every_line_of_the_gate_is_recorded() -> None:
    assert len(json.loads(RECORD.read_text())) == len(QUICK)


def test_calls_take_turns_after_a_first_go() -> None:
    done: list[str] = []
    medians(lambda: done.append("a"), lambda: done.append("b"), turns=2, moment=0.0)
    assert done == list("ababab")


def test_a_claim_is_met_by_its_ratio() -> None:
    assert Claim("count", 2.0, "copy", 1.0, bar=0.5).met
    assert not Claim("count", 2.1, "copy", 1.0, bar=0.5).met
    assert not Claim("count", 2.0, "peer", None, bar=0.5).met  # who could not be measured
    assert Claim("count", 2.0, "copy", 1.0).met is None
    assert Claim.up_to(1000, "memory", 990.0, "MB").met
    assert not Claim.up_to(1000, "memory", 1010.0, "MB").met
