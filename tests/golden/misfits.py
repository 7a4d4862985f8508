"""The vectors of records that do not fit: what devices and simulations make of them, and count.

A record is shared as a whole. ``answers`` are those to each attribute alone: null where the record
has no value, so that a device does not report it.
"""

import random
from collections.abc import Iterator
from typing import Any

from discretion.budget import Budget
from discretion.device import Device
from discretion.errors import RecordError
from discretion.plan import Plan

SEED, MIXED = 25, 60  # records of which several values are odd
NARROW = [0, 100_000]
WORK = ["employed", "own shop", "retired"]
ASKED: list[dict[str, Any]] = [
    {"name": "pet", "kind": "categorical", "values": ["cat", "none", "other"]},
    {"name": "work", "kind": "categorical", "values": WORK, "fallback": "own shop"},
    {"name": "age", "kind": "numeric", "range": [16, 100], "step": 2, "mechanism": "window"},
    {"name": "heat", "kind": "numeric", "range": [-0.5, 1.5], "step": 0.1, "bins": [-0.5, 0, 1.5]},
    {"name": "pay", "kind": "numeric", "range": [0, 200_000], "step": 500, "ranges": [NARROW]},
    {"name": "born", "kind": "date", "range": ["1920-01-01", "2010-12-31"], "mechanism": "laplace"},
    {
        "name": "rise",
        "kind": "time",
        "range": ["04:00", "12:00"],
        "bins": ["04:00", "07:30", "12:00"],
    },
    {"name": "page", "kind": "text"},
    {
        "name": "hours",
        "kind": "numeric",
        "range": [0, 80],
        "step": 1,
        "bins": [0, 20, 40, 80],
        "applies": {"work": WORK[:2], "age": [18, 66]},
    },
    {
        "name": "shift",
        "kind": "categorical",
        "values": ["late", "early"],
        "applies": {"hours": [10, 80]},
    },
    {
        "name": "sleep",
        "kind": "categorical",
        "values": ["good", "bad"],
        "applies": {"born": ["1920-01-01", "1990-01-01"]},
    },
]
FITTING = {
    "pet": "cat",
    "work": "employed",
    "age": 40,
    "heat": "0.3",
    "pay": 31_257,
    "born": "1985-04-01",
    "rise": "06:15",
    "page": "e\u0301t\u00e9",
    "hours": 35,
    "shift": "late",
    "sleep": "bad",
}
NUMBERS = [
    None,
    "",
    "many",
    "unknown",
    "1,5",
    True,
    "1e999",
    "-1e999",
    "inf",
    "-Infinity",
    "nan",
    1e300,
    -1e-300,
]
ODD: dict[str, list[object]] = {
    "pet": [None, "", "Cat", "cat ", "other", "none", "c\u0430t", True],
    "work": [None, "astronaut", "EMPLOYED", "not applicable", "retired"],
    "age": [*NUMBERS, 15.99, 16, 17.3, 100, 100.001, "41.5", " 41 ", 17, 67, "-0", 1000],
    "heat": [*NUMBERS, -0.5, -0.5001, 1.5, "1.50000000000000000001", 0.29999, 0],
    "pay": [*NUMBERS, 99_999.5, 100_000, 100_000.25, 100_250, 200_000, 200_001, -1],
    "born": [
        None,
        "",
        "1985",
        "1985-02-30",
        "1919-12-31",
        "2011-01-01",
        "9999-12-31",
        "01.02.1985",
        True,
    ],
    "rise": [None, "6:15", "03:59", "24:00", "12:00:01", "25:00", "noon"],
    "page": [None, "", "not applicable", "\ud800"],
    "hours": [*NUMBERS, "not applicable", 80.5, -1, 9, 9.99],
    "shift": [None, "night", "not applicable", ""],
    "sleep": [None, "so so"],
}


def odd_plan() -> Plan:
    """Every kind of attribute, and questions for some people only."""
    return Plan.of({"name": "odd", "attributes": ASKED, "budget": {"levels": [1]}})


def records() -> Iterator[dict[str, object]]:
    """Yield records with one odd value, and with several."""
    yield FITTING
    for name, values in ODD.items():
        yield from ({**FITTING, name: value} for value in values)
    source = random.Random(SEED)
    for _ in range(MIXED):
        names = source.sample(sorted(ODD), 4)
        yield {**FITTING, **{name: source.choice(ODD[name]) for name in names}}


def budget_of(plan: Plan, name: str | None, narrow: bool) -> Budget:
    """Return a budget for all attributes, or for one; the pay in the narrow range or the whole."""
    names = list(plan.attributes) if name is None else [name]
    ranges = {"pay": NARROW} if narrow and "pay" in names else {}
    return Budget.of(plan, dict.fromkeys(names, 1), ranges)


def answer_of(device: Device, record: dict[str, object], budget: Budget) -> str | None:
    """Return what a device would report about; None: it refuses, since there is no value."""
    try:
        (answer,) = device._answers(record, budget).values()
    except RecordError:
        return None
    return answer


def misfits() -> dict[str, object]:
    plan = odd_plan()
    device = Device(plan)
    made = []
    for i, record in enumerate(records()):
        narrow = i % 2 == 1
        changes = device.changes(record, budget_of(plan, None, narrow))
        alone = {n: answer_of(device, record, budget_of(plan, n, narrow)) for n in plan.attributes}
        made.append(
            {
                "record": record,
                "narrow": narrow,
                "changes": [[each.attribute, str(each.misfit)] for each in changes],
                "answers": alone,
            }
        )
    return {"plan": plan.to_bytes().decode(), "narrow": NARROW, "records": made}
