"""The longest report of a plan: no valid one is longer, and there is one that is as long."""

import random
from itertools import combinations

import pytest

from discretion.errors import Refusal
from discretion.plan import Plan
from discretion.randomness import ByteSource
from discretion.report import LAST_ROUND, Answer, Report, longest, read
from discretion.table.reader import Reader, refusal
from tests.cases import for_each
from tests.plans import MODE, assigned_commuters, author
from tests.unit.report.malformed import ID, PLANS
from tests.unit.table.mutants import valid_reports

BINARY = {"kind": "categorical", "values": ["yes", "no"], "mechanism": "grr"}
NAMED = author(attributes=[{**BINARY, "name": name} for name in ("plan", "é", '"', "answers")])
WIDE = {"name": "wide", "kind": "categorical", "values": list(range(3000)), "mechanism": "oue"}
ALL = {
    **PLANS,
    "assigned": assigned_commuters(),
    "names": Plan.of(NAMED),
    "wide": Plan.of(author(attributes=[MODE, WIDE])),
    "levels": Plan.of(author(attributes=[MODE, WIDE], budget={"levels": [0.5, 1, 20]})),
}


def longest_answer(plan: Plan, name: str, level: int) -> Answer:
    """Return the answer with the most bytes at a level that some value can give."""
    ranges = len(plan.questions[name].ranges)
    place = ranges - 1 if ranges else None
    law = plan.questions[name].law(Answer(level, b"", place).stratum)
    y = law.perturb(0, ByteSource(random.Random(7).randbytes))
    return Answer(
        None if plan.secret else level, y.to_bytes(plan.questions[name].n_bytes, "little"), place
    )


def real(plan: Plan) -> int:
    """Return the bytes of the longest of all reports that the strict reader takes."""
    found, each = 0, sorted({v for name in plan.attributes for v in plan.questions[name].menu})
    for size in range(1, len(plan.names) + 1):
        for chosen in combinations(plan.names, size):
            for level in each:  # the same for all attributes
                menus = {
                    name: (level * len(plan.questions[name].parts), plan.questions[name].menu)
                    for name in chosen
                }
                if any(own not in menu for own, menu in menus.values()):
                    continue
                answers = {n: longest_answer(plan, n, own) for n, (own, _) in menus.items()}
                whole = Report(plan.id, LAST_ROUND, ID, answers).to_bytes()
                if Reader(plan).read([whole]).accepted[0]:
                    read(plan, whole)
                    found = max(found, len(whole))
    return found


@for_each("key", ALL)
def test_the_longest_real_report_is_as_long_as_the_bound(key: str) -> None:
    assert longest(ALL[key]) == real(ALL[key])


@for_each("key", ALL)
def test_no_valid_report_is_longer_than_the_bound(key: str) -> None:
    sent = valid_reports(ALL[key], 50, random.Random(key))
    assert max(map(len, sent)) <= longest(ALL[key])


@for_each("key", ALL)
def test_what_is_longer_is_refused_by_its_length(key: str) -> None:
    plan = ALL[key]
    for body in (b"[" * (longest(plan) + 1), b" " * 1_000_000, b"[]" * 500_000):
        assert refusal(plan, body).reason is Refusal.TOO_LONG
    assert refusal(plan, b" " * longest(plan)).reason is Refusal.NOT_JSON


def test_what_is_too_long_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = ALL["disclosed"]
    monkeypatch.setattr("discretion.table.reader.read", lambda *_: pytest.fail("it was parsed"))
    assert refusal(plan, b"[" * (longest(plan) + 1)).reason is Refusal.TOO_LONG
