"""Histories of devices over rounds: what each sends, was charged by then, or why it refuses.

A device of another language that reads the same words has the same reports, ledger and refusals.
"""

import random
from collections.abc import Iterator, Mapping
from functools import partial
from io import BytesIO
from typing import Any
from unittest import mock

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.errors import BudgetSpent, DiscretionError, NotDue
from discretion.plan import Plan
from discretion.randomness import ByteSource
from tests.golden.words import read_from, stock
from tests.plans import INCOME, MODE

MODES = ["bike", "bike", "car", "car", "bike", "walk"]
DRIFT = 113  # from round to round, on a grid of 500, of a number whose rounding is kept
HISTORIES: list[dict[str, Any]] = [
    {"again": "memo", "limits": [[6], [3, 4]], "rounds": [2, 9, 0, 3, 1, 5]},
    {"again": "fresh", "limits": [[7.5], [3, 2], [4, 3]], "rounds": [4, 6, 5, 7, 8, 2, 20, 30]},
    {"again": {"rotate": [2, 3]}, "limits": [], "rounds": [1, 2]},
    {"again": {"rotate": [2, 3]}, "every": 3, "limits": [[4, 7]], "rounds": [*range(12, 0, -1)]},
    {"again": "memo", "groups": 16, "owners": 2000, "limits": [], "rounds": [0, 1, 4]},
    {"again": "memo", "rounding": "kept", "limits": [], "rounds": [0, 1, 2, 3, 4]},
]


def reason(error: DiscretionError) -> str:
    """Return what the JavaScript device calls a refusal."""
    match error:
        case BudgetSpent():
            return "over_window" if error.rounds else "over_limit"
        case NotDue():
            return "not_due" if error.due is not None else "no_rhythm"
    raise error


def plan_of(again: object, *, rounding: str = "", **more: object) -> Plan:
    income = {**INCOME, "rounding": rounding} if rounding else INCOME
    author = {"name": "later", "attributes": [MODE, income], "budget": {"levels": [0.5, 1, 2]}}
    return Plan.of({**author, "again": again, **more})


def limit(stated: list[float]) -> object:
    return stated[0] if len(stated) == 1 else {"epsilon": stated[0], "rounds": stated[1]}


def history(stated: Mapping[str, Any]) -> dict[str, object]:
    """Return a history with what one device makes of it."""
    more = ("groups", "owners", "rounding")
    plan = plan_of(stated["again"], **{name: stated[name] for name in more if name in stated})
    found: dict[str, Any] = {"plan": plan.to_bytes().decode(), "id": plan.id, **stated}
    system, token = "discretion.device.device.system", "secrets.token_bytes"
    with State() as state:
        device = Device(plan, state)
        for each in stated["limits"]:
            Device(plan, state, limit(each))
        if "every" in stated:
            stream = stock("later", plan.id)
            with mock.patch(system, return_value=ByteSource(stream.read)):
                rhythm = device.rotate(stated["every"])
            found |= {"words": read_from(stream), "phase": rhythm.phase}
        rounds = []
        for i, number in enumerate(stated["rounds"]):
            stream = stock("later", plan.id, number)
            income = 31_257 + (DRIFT * i if plan.questions["income"].kept else 0)
            record = {"mode": MODES[i % len(MODES)], "income": income}
            vector = {"round": number, "record": record, "receipt": ""}
            receipts, again = BytesIO(), random.Random(f"{plan.id} {number}")
            drawn = partial(_noted, again, receipts)
            with (
                mock.patch(system, return_value=ByteSource(stream.read)),
                mock.patch(token, side_effect=drawn),
            ):
                try:
                    budget = Budget.of(plan, {"mode": 1, "income": 0.5})
                    vector["report"] = device.report(record, budget, number).to_bytes().decode()
                except DiscretionError as error:
                    vector["refused"] = reason(error)
            vector["receipt"] = (receipts.getvalue() or _noted(again, receipts, 32)).hex()
            rounds.append({**vector, "words": read_from(stream), "spent": device.spent})
    return {**found, "rounds": rounds}


def _noted(source: random.Random, receipts: BytesIO, count: int) -> bytes:
    """Return a receipt, and note it: of a plan with groups some do not fit."""
    receipt = source.randbytes(count)
    receipts.write(receipt)
    return receipt


def histories() -> Iterator[dict[str, object]]:
    yield from map(history, HISTORIES)


def later() -> dict[str, object]:
    return {"histories": list(histories())}
