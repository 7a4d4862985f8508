"""The compiled reader reads what the strict one does, and refuses all else."""

import json
import os
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from discretion.errors import Refusal, ReportRefused
from discretion.kernel.read import fits
from discretion.mechanism import MECHANISMS, NUMBERS, OPTIMAL, Law
from discretion.mechanism.halfspace import signs
from discretion.plan import Plan
from discretion.randomness import ByteSource
from discretion.report import Report, longest, read
from discretion.table.grammar import bounds
from discretion.table.reader import ParsedReports, Reader, refusal
from tests.builders import LEVELS as MENU
from tests.builders import TOTAL, author, bundled_survey, secret_survey, survey
from tests.contract.conformance import LEVELS, AnyMechanism
from tests.contract.test_coded import MECHANISMS as CODED
from tests.contract.test_hierarchy import MADE
from tests.contract.test_numbers import ALL, PATTERNS
from tests.golden import coded, make, numbers
from tests.unit.report.malformed import MALFORMED, PLANS, VALIDS
from tests.unit.table.mutants import Mutator, encode, valid_reports

SEED = int(os.environ.get("FUZZ_SEED", "20260801"))
FEWEST = 0.15  # of the mutants of each plan that must be valid, and that must not be
VECTORS = json.loads((make.HERE / "malformed.json").read_text(encoding="utf-8"))


def read_by_python(plan: Plan, message: bytes) -> Report | None:
    try:
        return read(plan, message)
    except ReportRefused:
        return None


def answers_of(reading: ParsedReports, row: int) -> dict[str, tuple[int | None, int | None, bytes]]:
    """Return what a row says, as a report would."""
    found, first, plan, c = {}, 0, reading.plan, reading.columns
    for j, name in enumerate(plan.names):
        width = plan.questions[name].n_bytes
        if c.shared[row, j]:
            level = None if plan.secret else int(c.levels[row, j])
            place = int(c.ranges[row, j]) if plan.questions[name].ranges else None
            found[name] = level, place, c.ys[row, first : first + width].tobytes()
        first += width
    return found


def assert_same(plan: Plan, messages: Sequence[bytes]) -> int:
    """Assert that both readers read the same; return how many are valid."""
    reading = Reader(plan).read(messages)
    ids, valid = reading.ids(), 0
    for i, message in enumerate(messages):
        report = read_by_python(plan, message)
        assert reading.accepted[i] == (report is not None), (plan.name, message)
        if report is not None:
            valid += 1
            assert (ids[i].hex(), reading.columns.rounds[i]) == (report.id, report.round)
            reported = {n: (a.level, a.range, a.y) for n, a in report.answers.items()}
            assert answers_of(reading, i) == reported, (plan.name, message)
    return valid


# What is possible


LAWS: list[tuple[AnyMechanism, int]] = [
    *((mechanism, size) for mechanism in MECHANISMS.values() for size in (2, 3, 5, 8, 11)),
    *((mechanism, size) for mechanism in ALL.values() for size in (2, 3, 7)),
    *((mechanism, size) for mechanism in CODED.values() for size in (2, 5)),
    *((signs, size) for size in PATTERNS),
    *((mechanism, 5) for mechanism in MADE.values()),
]


def possible(law: Law, y: int) -> bool:
    return bool(
        fits(
            np.frombuffer(y.to_bytes(law.n_bytes, "little"), np.uint8),
            *(0, len(bounds(law.form))),
            *np.array(bounds(law.form), np.int64).T.copy(),
        )
    )


@pytest.mark.parametrize("level", [level for level in LEVELS if level <= 8000])
def test_bounds_are_what_is_possible_for_every_y(level: int) -> None:
    for mechanism, size in LAWS:
        law = mechanism(size, level)
        rng = np.random.default_rng(size)
        ys = range(256**law.n_bytes) if law.n_bytes < 2 else rng.integers(0, 256**law.n_bytes, 500)
        near = [
            0,
            *bounds(law.form)[0][:2],
            law.size - 1,
            law.size,
            (1 << law.size) - 1,
            1 << law.size,
        ]
        for y in {*map(int, ys), *near, *(n - 1 for n in near), *(n + 1 for n in near)}:
            if 0 <= y < 256**law.n_bytes:
                assert possible(law, y) == law.form.admits(y), (law, y)


@pytest.mark.parametrize("size", [64, 65, 300, 4096])
def test_bounds_hold_where_y_is_longer_than_a_word(size: int) -> None:
    law: Law
    for mechanism in MECHANISMS.values():
        law = mechanism(size, 1000)
        y = law.perturb(size - 1, ByteSource(random.Random(size).randbytes))
        assert possible(law, y)
        for bit in range(8 * law.n_bytes):
            assert possible(law, y ^ 1 << bit) == law.form.admits(y ^ 1 << bit)
    for name in NUMBERS:
        law = ALL[name](size, 1)
        limit = bounds(law.form)[0][1]
        for y in (0, limit - 1, limit, 256**law.n_bytes - 1):
            assert possible(law, y) == law.form.admits(y), (law, y)


def test_every_mechanism_is_bounded() -> None:
    assert {*NUMBERS, OPTIMAL} == set(ALL)


# Vectors


def test_the_vectors_are_read_as_they_must() -> None:
    plans = {key: Plan.from_bytes(text.encode()) for key, text in VECTORS["plans"].items()}
    seen: Counter[str] = Counter()
    for vector in (*VECTORS["valid"], *VECTORS["malformed"]):
        data = bytes.fromhex(vector["hex"]) if "hex" in vector else vector["report"].encode()
        valid = assert_same(plans[vector["plan"]], [data])
        assert valid == ("reason" not in vector), vector
        seen[vector["plan"]] += valid
        if not valid:
            plan, reason = plans[vector["plan"]], Refusal(vector["reason"])
            known = reason if len(data) <= longest(plan) else Refusal.TOO_LONG
            assert refusal(plan, data).reason is known
    assert set(seen.elements()) == set(PLANS) == set(VALIDS)


def test_one_list_may_hold_all_kinds_and_each_is_read_by_itself() -> None:
    for key, plan in PLANS.items():
        good = VALIDS[key][0]
        messages = [m for case in MALFORMED for m in (case.report, good)]
        assert assert_same(plan, messages) >= len(MALFORMED)
    assert Reader(PLANS["disclosed"]).read([]).accepted.tolist() == []
    assert Reader(PLANS["disclosed"]).read([b"", b""]).accepted.tolist() == [False, False]


def test_a_refusal_has_a_reason_though_only_the_compiled_reader_saw_it() -> None:
    key = "disclosed"
    assert refusal(PLANS[key], VALIDS[key][0]).reason is Refusal.NOT_CANONICAL


# Mutants


def strange_names() -> Plan:
    """Names that JSON escapes, or that take more bytes than characters."""
    names = ('q"uote', "back\\slash", "sp ace", "größe", "e\u0301", "😀", "a", "aa", "a.")
    attributes: list[dict[str, Any]] = [
        {"name": name, "kind": "categorical", "values": ["x", "y", "z"], "mechanism": mechanism}
        for name, mechanism in zip(names, 3 * ("grr", "oue", "subset"), strict=True)
    ]
    return Plan.of({"name": "strange", "attributes": attributes, "budget": {"levels": [0.5, 2]}})


def wide() -> Plan:
    """Answers of many bytes, whose last is whole or has spare bits."""
    attributes: list[dict[str, Any]] = [
        {"name": f"{mechanism}{size}", "kind": "categorical", "mechanism": mechanism}
        | {"values": [str(code) for code in range(size)]}
        for mechanism in ("oue", "subset", "grr")
        for size in (8, 63, 64, 65, 300)
    ]
    return Plan.of({"name": "wide", "attributes": attributes, "budget": {"levels": [1, 4]}})


FUZZED: dict[str, Plan] = {
    **PLANS,
    "survey": survey(),
    "total": Plan.of(author(budget=TOTAL)),
    "levels": Plan.of(author(budget=MENU, share={"least": 2})),
    "bundled survey": bundled_survey(),
    "secret survey": secret_survey(),
    "many numbers": numbers.numbers_plan(),
    "many words": coded.coded_plan(),
    "strange": strange_names(),
    "wide": wide(),
}


def fuzz(count: int, seed: int) -> None:
    """Read mutants of every plan by both readers."""
    print(f"seed {seed}, {count} mutants of {len(FUZZED)} plans")
    for key, plan in FUZZED.items():
        others = [other for other in FUZZED.values() if other.id != plan.id]
        left, valid = count // len(FUZZED) + 1, 0
        mutator = Mutator.of(plan, others, seed)
        made = left
        while left > 0:
            messages = list(mutator.mutants(min(left, 5000)))
            left -= len(messages)
            valid += assert_same(plan, messages)
        assert made * FEWEST < valid < made * (1 - FEWEST), f"{key}: {valid} of {made} are valid"


def test_mutants_are_read_alike() -> None:
    fuzz(40_000, SEED)


@pytest.mark.slow
def test_a_million_mutants_are_read_alike() -> None:
    fuzz(1_000_000, random.SystemRandom().randrange(1 << 32))


def test_all_reasons_are_among_the_mutants() -> None:
    """So that the comparison is not of one refusal only."""
    seen: set[Refusal] = set()
    for plan in FUZZED.values():
        mutator = Mutator.of(plan, [survey(), *PLANS.values()], SEED)
        for message in mutator.mutants(500):
            try:
                read(plan, message)
            except ReportRefused as error:
                seen |= {error.reason, refusal(plan, message).reason}
    of_the_store = {"duplicate_id", "round_not_open", "round_closed", "credential_used"}
    of_the_store |= {"other_function", "not_examined"}
    assert {str(reason) for reason in set(Refusal) - seen} == of_the_store


def test_a_change_of_any_single_byte_is_judged_alike() -> None:
    """Every place, by every byte: reports are short enough for that."""
    for plan in (PLANS["disclosed"], PLANS["secret"], PLANS["ranged"]):
        (message,) = valid_reports(plan, 1, random.Random(SEED))
        changed = [
            message[:at] + bytes([byte]) + message[at + 1 :]
            for at in range(len(message))
            for byte in {*b'09afAZ_-",:{} ', message[at] ^ 1, message[at] ^ 0x80}
        ]
        assert assert_same(plan, changed) > len(message)


def test_numbers_that_would_overflow_are_refused() -> None:
    plan = PLANS["disclosed"]
    (message,) = valid_reports(plan, 1, random.Random(SEED))
    document = json.loads(message)
    name = next(iter(document["answers"]))
    large = [(1 << bits) + more for bits in (31, 32, 33, 63, 64, 65, 200) for more in (-1, 0, 500)]
    tried = [encode({**document, "round": value}) for value in large]
    for value in large:
        answer = {**document["answers"][name], "level": value}
        tried.append(encode({**document, "answers": {**document["answers"], name: answer}}))
    assert assert_same(plan, tried) == 1  # the last round there is
