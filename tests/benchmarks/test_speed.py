"""Frequencies beside NumPy and the peers: ratios, bars, smaller crowds and failures."""

import json
from pathlib import Path

import pytest

from benchmarks.claim import Claim, Curve, Section
from benchmarks.results import Results
from benchmarks.speed import least, section

TINY = Path(__file__).with_name("tiny.json")


@pytest.fixture(scope="module")
def found() -> Section:
    return section(Results.of(json.loads(TINY.read_text())), "pure-ldp 1")


def rows(found: Section, what: str) -> list[Claim]:
    return [claim for claim in found.claims if claim.what == what]


def test_steps_have_times_ratios_and_bars(found: Section) -> None:
    plain, peer = rows(found, "perturb, oue, 128 values")
    assert (plain.beside, plain.ratio, plain.bar, plain.met) == ("NumPy", 2, 3, False)
    assert peer.beside == "pure-ldp, 100,000 owners"  # fewer than ours: scaled by report
    assert peer.ratio == pytest.approx(30)
    assert (peer.bar, peer.met) == (20, True)
    plain, peer = rows(found, "count, oue, 128 values")
    assert [plain.ratio, peer.ratio] == pytest.approx([6, 20])
    assert plain.met
    assert peer.met
    assert [claim.bar for claim in rows(found, "count and estimate, oue, 128 values")] == [None] * 2


def test_a_failed_claim_is_printed(found: Section) -> None:
    assert found.about.endswith("Not measured: multi-freq-ldpy, oue: MemoryError.")


def test_large_tasks_are_held_against_what_they_may_take(found: Section) -> None:
    (memory,) = rows(found, "peak memory, simulate, OUE, 1024 values, 1,000,000 owners")
    assert (memory.ours, memory.theirs, memory.met) == (1234, 1000, False)
    what = "mle, OUE, 128 values, 1,000,000 owners, with standard errors"
    assert [claim.met for claim in rows(found, what)] == [True]


def test_slopes_are_held_against_a_straight_line(found: Section) -> None:
    slopes = {(c.what, c.along): (round(c.slope, 2), c.met) for c in found.curves}
    assert slopes["simulate", "owners"] == (1, True)
    assert slopes["count", "owners"] == (0.3, False)
    assert slopes["mle", "owners"] == (2, False)
    assert slopes["mle", "values"] == (1, True)


def test_a_rival_that_could_not_be_measured_is_not_passed_over() -> None:
    cells = [cell for cell in json.loads(TINY.read_text()) if cell["who"] != "pure-ldp"]
    peer = rows(section(Results.of(cells), ""), "perturb, oue, 128 values")[1]
    assert (peer.theirs, peer.bar, peer.met) == (None, 20, False)


def test_bars_belong_to_a_step_a_mechanism_a_size_and_a_rival() -> None:
    assert least("client", "oue", 128, "NumPy") == 3
    assert least("client", "oue", 16, "NumPy") is None
    assert least("client", "subset", 16, "NumPy") is None
    assert least("server", "oue", 128, "peer") is None


def test_the_slope_is_that_of_a_power_and_the_ends_of_a_bar_meet_it() -> None:
    points = [(10, 3.0), (20, 12.0), (40, 48.0)]
    assert Curve("x", "owners", points).slope == pytest.approx(2)
    assert Curve("x", "owners", points).met is None
    slope = Curve("x", "owners", points).slope
    assert Curve("x", "owners", points, (slope, 3)).met
    assert not Curve("x", "owners", points, (0, slope - 0.01)).met
