"""The vectors of sets and maps: how they are read, laws and draws by length, and whole reports."""

import random
from collections.abc import Iterator, Sequence
from typing import Any
from unittest import mock

from discretion.budget import Budget
from discretion.budget.level import range_of, stratum_of
from discretion.device import Device, State
from discretion.mechanism import SETS
from discretion.mechanism.registry import set_law
from discretion.plan import Plan
from discretion.randomness import ByteSource, Source
from tests.golden.words import Edge, read_from, stock

LEVELS = (1, 1000, 8000)
MENU = {"two": [2], "many": [1, 3, 5], "wide": [4, 16]}
MANY = [str(item) for item in range(300)]
SETS_OF: dict[str, list[Any]] = {
    "two": [[], ["a"], ["b", "a"], "b", {"a": 1}],
    "many": [
        [],
        ["milk", "tea"],
        ["tea", "milk", "milk"],
        ["milk", "rye", 7, "beer", "tea", "oil"],
    ],
    "wide": [[], [0, 299], [str(7 * i) for i in range(40)]],
}
MAPS_OF: dict[str, list[Any]] = {
    "stars": [{}, {"a": 1, "b": 5}, {"b": "3.5", "c": 99, "zz": 2, "a": "x"}, [["c", 2], ["c", 4]]],
    "fine": [{}, {"p0": 0.1, "p9": 0.7, "p49": 1}],
}
SIZES = ((2, 1), (2, 2), (5, 1), (5, 5), (64, 8), (300, 16), (1024, 8), (4096, 1), (4096, 64))
TOGETHER: list[Any] = [[], ["milk"], ["tea", "milk", "rye", "milk"], {"oil": 2, "beer": 1}, "rye"]
OWNERS: tuple[dict[str, Any], ...] = (
    {"record": {"many": ["tea", "rye"], "age": "old"}, "levels": {"many": 1000, "age": 8000}},
    {
        "record": {"many": MANY[:9], "wide": MANY[5:60], "stars": {"a": 2, "c": 4.5}},
        "levels": {"many": 1, "wide": 8000, "stars": 1000},
        "length": {"many": 5, "wide": 16},
    },
)


def sets_plan() -> Plan:
    """Sets of few items and of many, with one length and with menus; and maps."""
    items = {"two": ["a", "b"], "many": ["milk", "rye", "tea", "oil", "other"], "wide": MANY}
    attributes: list[dict[str, Any]] = [
        {"name": name, "kind": "set", "items": listed, "length": MENU[name]}
        for name, listed in items.items()
    ]
    stars = {"keys": ["a", "b", "c"], "range": [1, 5], "step": 0.5, "length": [1, 2]}
    fine = {"keys": [f"p{i}" for i in range(50)], "range": [0, 1], "step": 0.1, "length": 3}
    attributes += [
        {"name": "stars", "kind": "map", **stars},
        {"name": "fine", "kind": "map", **fine},
    ]
    attributes.append({"name": "age", "kind": "categorical", "values": ["young", "old"]})
    levels = [level / 1000 for level in LEVELS]
    return Plan.of({"name": "sets", "attributes": attributes, "budget": {"levels": levels}})


def itemsets_plan() -> Plan:
    """Sets that are reported by the itemsets they contain."""
    sets = [["tea"], ["rye", "milk"], ["milk", "rye", "tea"], ["other", "oil"], ["milk"]]
    items = ["milk", "rye", "tea", "oil", "other"]
    asked = {"name": "basket", "kind": "set", "items": items, "sets": sets}
    attribute = {**asked, "length": [2, 5]}
    return Plan.of({"name": "itemsets", "attributes": [attribute], "budget": {"levels": [1, 2]}})


def itemset_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for value in TOGETHER:
        answer = plan.attributes["basket"].answer(value)
        stream = stock("basket", value)
        y = draw(plan, "basket", value, stratum_of(1000, 0), ByteSource(stream.read))
        yield {"value": value, "answer": answer, "words": read_from(stream), "y": y}


def answer_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name, values in (SETS_OF | MAPS_OF).items():
        for value in values:
            misfit = plan.attributes[name].misfit(value)
            answer = plan.attributes[name].answer(value)
            yield {"attribute": name, "value": value, "misfit": misfit, "answer": answer}


def law_vectors() -> Iterator[dict[str, object]]:
    for mechanism in SETS:
        for items, length in SIZES:
            for level in (*LEVELS, 20_000):
                law = set_law(mechanism, items, length, level)
                stated = {"count": law.count, "keep": str(law.keep), "width": law.n_bytes}
                asked = {"mechanism": mechanism, "items": items, "length": length, "level": level}
                yield {**asked, **stated}


def draw(plan: Plan, name: str, value: object, stratum: int, source: Source) -> str:
    question = plan.questions[name]
    answer = question.within(range_of(stratum)).answer(value)
    y = question.perturb(answer, stratum, source)
    return y.to_bytes(question.n_bytes, "little").hex()


def draw_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name, values in (SETS_OF | MAPS_OF).items():
        for level in LEVELS:
            for place in range(max(len(plan.questions[name].ranges), 1)):
                yield from _in_stratum(plan, name, values, level, place)


def _in_stratum(
    plan: Plan, name: str, values: list[Any], level: int, place: int
) -> Iterator[dict[str, object]]:
    stratum = stratum_of(level, place)
    chosen = {"range": place} if plan.questions[name].ranges else {}
    where = {"attribute": name, "level": level, **chosen}
    for value in values:
        stream = stock(name, stratum, value)
        y = draw(plan, name, value, stratum, ByteSource(stream.read))
        yield {**where, "value": value, "words": read_from(stream), "y": y}
    for lands in (True, False):
        edge = Edge((lands,), stock("edge", name, stratum))
        y = draw(plan, name, values[-1], stratum, edge)
        yield {**where, "value": values[-1], "words": edge.written.hex(), "y": y}


def sealed(plan: Plan, vector: dict[str, Any], words: Any) -> str:
    """Return the report of a device that reads recorded words and a recorded receipt."""
    epsilons = {name: level / 1000 for name, level in vector["levels"].items()}
    receipt = bytes.fromhex(vector["receipt"])
    with (
        State() as state,
        mock.patch("discretion.device.device.system", return_value=ByteSource(words.read)),
        mock.patch("secrets.token_bytes", return_value=receipt),
    ):
        budget = Budget.of(plan, epsilons, length=vector.get("length", {}))
        return Device(plan, state).report(vector["record"], budget, 7).to_bytes().decode()


def report_vectors(
    plan: Plan, owners: Sequence[dict[str, Any]] = OWNERS
) -> Iterator[dict[str, object]]:
    for owner in owners:
        stream = stock("report", owner)
        vector = {**owner, "receipt": random.Random(repr(owner)).randbytes(32).hex()}
        report = sealed(plan, vector, stream)
        yield {**vector, "words": read_from(stream), "report": report}


def sets() -> dict[str, object]:
    plan, together = sets_plan(), itemsets_plan()
    return {
        "plan": plan.to_bytes().decode(),
        "id": plan.id,
        "answers": list(answer_vectors(plan)),
        "laws": list(law_vectors()),
        "draws": list(draw_vectors(plan)),
        "reports": list(report_vectors(plan)),
        "itemsets": {
            "plan": together.to_bytes().decode(),
            "id": together.id,
            "draws": list(itemset_vectors(together)),
        },
    }
