"""Devices and simulations agree on every record of the battery, and count the same changes."""

import json
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discretion.budget.level import range_of
from discretion.crowd.misfits import Misfits
from discretion.crowd.records import code_columns
from discretion.crowd.simulate import simulate
from discretion.device import Device
from discretion.device.changes import Change
from discretion.kernel.numbers import MISSING
from discretion.plan import Plan
from discretion.randomness import Source, system
from discretion.schema import Attribute
from discretion.schema.attribute import Misfit
from tests.golden import make, misfits

KEPT: dict[str, Any] = json.loads((make.HERE / "misfits.json").read_text("utf-8"))
RECORDS: list[dict[str, Any]] = KEPT["records"]
PLAN = Plan.from_bytes(KEPT["plan"].encode())
SEED = 3


class Never(Source):
    """A source that nothing reads."""

    def below(self, n: int) -> int:
        raise AssertionError(n)

    def coin(self, heads: int) -> bool:
        raise AssertionError(heads)


def table() -> pa.Table:
    """Return the records as text, as a file has them; a lone surrogate is in no file."""
    columns = {
        name: [None if r["record"][name] is None else str(r["record"][name]) for r in RECORDS]
        for name in PLAN.attributes
    }
    columns["page"] = [each and each.replace("\ud800", "\ufffd") for each in columns["page"]]
    return pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})


def test_a_device_changes_and_answers_like_this() -> None:
    assert json.loads(json.dumps(misfits.misfits())) == KEPT
    assert {why for r in RECORDS for _, why in r["changes"]} == {*Misfit} - {Misfit.ENTRIES}


def test_changes_are_listed_without_drawing_or_charging() -> None:
    device = Device(PLAN)
    budget = misfits.budget_of(PLAN, None, narrow=False)
    record = {**misfits.FITTING, "pet": "cow", "pay": 1e9}
    shown = [str(each) for each in device.changes(record, budget)]
    assert shown == [
        "pet: 'cow' is not listed; it counts as \"other\"",
        "pay: 1000000000.0 is above the range; it counts as 200000",
    ]
    assert device.spent == 0
    assert device.outbox() == []
    assert device.state.is_new(PLAN.id)


def test_a_simulation_reads_every_record_as_a_device_does() -> None:
    codes = code_columns(PLAN, table(), np.random.default_rng(SEED), Misfits())
    for row, vector in enumerate(RECORDS):
        for column, (name, attribute) in enumerate(PLAN.attributes.items()):
            answer, code = vector["answers"][name], int(codes[row, column])
            where = name, vector["record"]
            if answer is None:
                assert code == MISSING, where
            elif not vector["narrow"] or name != "pay":
                assert code in possible(attribute, answer), where


def possible(attribute: Attribute, answer: str) -> set[int]:
    """Return the codes that an answer may have: two, where a coin decides."""
    if attribute.listed or attribute.number is None:
        return {attribute.encode(answer, Never())}
    return {attribute.encode(answer, system()) for _ in range(64)}


def test_a_simulation_counts_what_devices_change() -> None:
    for narrow in (False, True):
        found = [change for r in RECORDS for change in changes(r["record"], narrow=narrow)]
        places = {"pay": [int(narrow)] * len(RECORDS)}
        counted = simulate(PLAN, table(), ranges=places, budgets="levels", seed=SEED)
        assert counted.changed == Counter(each.attribute for each in found)
        if not narrow:
            groups = Misfits()
            code_columns(PLAN, table(), np.random.default_rng(SEED), groups)
            by_reason = Counter((each.attribute, each.misfit) for each in found)
            assert {(group.attribute, group.misfit): group.count for group in groups} == by_reason


def changes(record: dict[str, Any], *, narrow: bool) -> tuple[Change, ...]:
    return Device(PLAN).changes(record, misfits.budget_of(PLAN, None, narrow=narrow))


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32(), pa.decimal128(12, 4)])
def test_columns_of_numbers_are_read_as_devices_read_them(kind: pa.DataType) -> None:
    """Also decimals near the ends: 0.1 is one tenth, and 1.5 plus the least bit is outside."""
    numbers = [-0.5, 1.5, 0.1, 0.3, None, -0.5001, 1.5001, 2.0, -7.0]
    if pa.types.is_floating(kind):
        numbers += [float("inf"), float("-inf"), float("nan")]
    if kind == pa.float64():
        numbers += [float(np.nextafter(1.5, 2)), float(np.nextafter(-0.5, -1))]
    column = pa.array(numbers).cast(kind, safe=False)
    groups, attribute = Misfits(), PLAN.attributes["heat"]
    data = table().slice(0, 1).take([0] * len(column)).set_column(3, "heat", column)
    code_columns(PLAN, data, np.random.default_rng(SEED), groups)
    shown = [attribute.misfit(v) for v in column.to_pylist() if v is not None and v == v]
    assert {g.misfit: g.count for g in groups} == Counter(each for each in shown if each)


def test_ranges_are_those_of_the_owner() -> None:
    budget = misfits.budget_of(PLAN, None, narrow=True)
    assert range_of(budget.strata["pay"]) == 1
    (change,) = Device(PLAN).changes({**misfits.FITTING, "pay": 100_000.25}, budget)
    assert (change.misfit, change.instead) == (Misfit.ABOVE, "100000")
