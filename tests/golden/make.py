"""Make the golden vectors anew: ``python -m tests.golden.make``, then read the difference.

A changed vector is a changed format: devices in the field would no longer agree.
"""

import dataclasses
import json
import random
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest import mock

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.mechanism import MECHANISMS, Histogram, SupportLaw, law
from discretion.mechanism.histogram import quantised_bits, she
from discretion.mechanism.odds import odds
from discretion.plan import Plan
from discretion.randomness import ByteSource, Source
from discretion.schema import Numeric
from tests.golden.assigned import assignments
from tests.golden.bitflip import bitflip
from tests.golden.coded import coded
from tests.golden.inputs import inputs
from tests.golden.intervals import intervals
from tests.golden.later import later
from tests.golden.misfits import misfits
from tests.golden.numbers import RECORDED, numbers
from tests.golden.planes import planes
from tests.golden.plans import plans
from tests.golden.prefixes import prefixes
from tests.golden.sets import sets
from tests.golden.staged import staged
from tests.golden.text_sets import text_sets
from tests.golden.texts import texts
from tests.golden.variants import variants
from tests.golden.words import Edge, read_from, stock
from tests.plans import (
    assigned_commuters,
    bundled_commuters,
    bundled_numbers,
    commuters,
    conditional_commuters,
    dated_commuters,
    ranged_commuters,
    sampled_commuters,
    secret_commuters,
    viewed_commuters,
)
from tests.unit.report.malformed import MALFORMED, PLANS, VALIDS

HERE = Path(__file__).parent
LABELS = (*MECHANISMS, "she")  # of which a plan states nothing but the name
LEVELS = (1, 1000, 8000)
SIZES = (2, 5, 20)
BELOW = (1, 2, 3, 5, 256, 257, 300, 1 << 16, 1 << 64)


def drawing_plan() -> Plan:
    """Every mechanism for labels on small domains, on one of two bytes, and on numbers."""
    labels = {size: [str(code) for code in range(size)] for size in SIZES}
    grids = {
        "wide": {"range": [0, 299], "step": 1},
        "grid": {"range": [-0.5, 1.5], "step": 0.1},
        "bins": {"range": [-0.5, 1.5], "step": 0.1, "bins": [-0.5, 0, 0.3, 1.5]},
    }
    attributes: list[dict[str, Any]] = []
    for mechanism in LABELS:
        for size, values in labels.items():
            name = f"{mechanism}-{size}"
            attributes.append({"name": name, "kind": "categorical", "values": values})
            attributes[-1]["mechanism"] = mechanism
        for grid, fields in grids.items():
            name = f"{mechanism}-{grid}"
            attributes.append({"name": name, "kind": "numeric", "mechanism": mechanism, **fields})
    levels = [level / 1000 for level in LEVELS]
    return Plan.of({"name": "draws", "attributes": attributes, "budget": {"levels": levels}})


def values(plan: Plan, name: str) -> list[str]:
    """Return values worth drawing for: both ends, and what a coin or a clamp decides."""
    attribute = plan.questions[name].attribute
    if not isinstance(attribute, Numeric):
        return [attribute.labels[0], attribute.labels[-1], "unheard of"]
    if name.endswith("wide"):
        return ["0", "299"]
    return ["-0.5", "0.123", "1.4999", "1.5", "7"]


def answer_of(plan: Plan, name: str, value: str) -> str:
    attribute = plan.questions[name].attribute
    return attribute.answer(Decimal(value) if isinstance(attribute, Numeric) else value)


def draw(plan: Plan, name: str, value: str, level: int, source: Source) -> str:
    y = plan.questions[name].perturb(answer_of(plan, name, value), level, source)
    return y.to_bytes(plan.questions[name].n_bytes, "little").hex()


def draw_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name in plan.names:
        for level in LEVELS[:1] if name.endswith("wide") else LEVELS:
            for value in values(plan, name):
                stream = stock(name, level, value)
                y = draw(plan, name, value, level, ByteSource(stream.read))
                fields = {"attribute": name, "value": value, "level": level}
                yield {**fields, "words": read_from(stream), "y": y}
            if not name.endswith("wide"):
                yield from edge_vectors(plan, name, values(plan, name)[0], level)


def edge_vectors(plan: Plan, name: str, value: str, level: int) -> Iterator[dict[str, object]]:
    for heads_up in (True, False):
        edge = Edge((heads_up,), stock("edge", name, level))
        y = draw(plan, name, value, level, edge)
        fields = {"attribute": name, "value": value, "level": level}
        yield {**fields, "words": edge.written.hex(), "y": y}


def below_vectors() -> Iterator[dict[str, object]]:
    for n in BELOW:
        for turn in range(4):
            stream = stock("below", n, turn)
            value = ByteSource(stream.read).below(n)
            yield {"below": str(n), "words": read_from(stream), "value": str(value)}


def law_vectors() -> Iterator[dict[str, object]]:
    for mechanism in LABELS:
        for size in (*SIZES, 300, 65536):
            for level in (*LEVELS, 20_000):
                made = law_of(mechanism, size, level)
                fields = {"mechanism": mechanism, "size": size, "level": level}
                yield {**fields, **stated(made), "width": made.n_bytes}


def law_of(mechanism: str, size: int, level: int) -> SupportLaw | Histogram:
    return (
        law(mechanism, size, level) if mechanism in MECHANISMS else she(quantised_bits(size), level)
    )


def stated(made: Any) -> dict[str, object]:
    """Return the shape of a law, or of the family that it hashes with, and its integers as text."""
    if isinstance(made, Histogram):
        return {"shape": type(made).__name__, "weights": [str(each) for each in made.weights]}
    fields = {field.name: getattr(made, field.name) for field in dataclasses.fields(made)}
    return {"shape": type(made).__name__} | {
        RECORDED.get(name, name): stated(value) if dataclasses.is_dataclass(value) else str(value)
        for name, value in fields.items()
        if name != "size"
    }


def draws() -> dict[str, object]:
    plan = drawing_plan()
    return {
        "plan": plan.to_bytes().decode(),
        "id": plan.id,
        "odds": [
            {"level": level, "per": per, "odds": str(odds(level, per))}
            for per in (1000, 2000)
            for level in (1, 250, 1000, 3500, 8000, 19_999, 20_000)
        ],
        "laws": list(law_vectors()),
        "below": list(below_vectors()),
        "draws": list(draw_vectors(plan)),
    }


def sealed(plan: Plan, vector: dict[str, Any], words: BytesIO) -> bytes:
    """Return the report of a device that reads recorded words and a recorded receipt."""
    receipt = bytes.fromhex(vector["receipt"])
    with (
        State() as state,
        mock.patch("discretion.device.device.system", return_value=ByteSource(words.read)),
        mock.patch("discretion.device.draws.system", return_value=ByteSource(words.read)),
        mock.patch("secrets.token_bytes", return_value=receipt),
    ):
        device = Device(plan, state, token=vector.get("token"))
        budget = budget_of(device, vector)
        return device.report(vector["record"], budget, vector["round"]).to_bytes()


def budget_of(device: Device, vector: dict[str, Any]) -> Budget:
    """Return the budget with the levels and ranges of a vector, or for what the device draws."""
    if "sensitivities" in vector:
        return device.sample(vector["sensitivities"])
    if "view" in vector:
        return device.view(*vector["view"])
    epsilons = {name: level / 1000 for name, level in vector["levels"].items()}
    return Budget.of(device.plan, epsilons, vector.get("ranges", {}))


OWNERS: list[tuple[Plan, dict[str, Any], dict[str, Any]]] = [
    (
        commuters(),
        {"mode": "bike", "income": 31_257},
        {"levels": {"mode": 3500, "income": 500}},
    ),
    (commuters(), {"mode": "tram", "age": 41.5}, {"levels": {"mode": 250, "age": 3750}}),
    (
        secret_commuters(),
        {"mode": "bus", "temperature": 0.29},
        {"levels": {"mode": 3500, "temperature": 250}},
    ),
    (
        bundled_commuters(),
        {"mode": "bike", "age": 41.5, "home": "country"},
        {"levels": {"home": 1000, "mode+age": 4500}},
    ),
    (
        ranged_commuters(),
        {"mode": "walk", "income": 131_257},
        {"levels": {"mode": 250, "income": 3500}, "ranges": {"income": [0, 100000]}},
    ),
    (ranged_commuters(), {"income": 31_257}, {"levels": {"income": 2000}}),
    (
        bundled_numbers(),
        {"a": 0.25, "b": 2, "c": 1},
        {"levels": {"c": 500, "a+b": 5000}},
    ),
    (bundled_numbers(), {"a": 0.25, "c": 1}, {"levels": {"a+c": 4000}}),
    (
        assigned_commuters(),
        {"mode": "bike", "home": "town"},
        {"levels": {"mode": 3500, "home": 500}, "token": "kZ3-_rUq0bTn8yXw"},
    ),
    (
        conditional_commuters(),
        {"age": 66, "work": "own shop", "hours": 10.25, "rest": "yes"},
        {"levels": {"hours": 1000, "shift": 500, "rest": 2000}},
    ),
    (
        conditional_commuters(),
        {"age": "66.5", "work": "employed", "hours": "35", "shift": "late"},
        {"levels": {"work+hours": 4000, "shift": 500}},
    ),
    (
        conditional_commuters(),
        {"age": 18, "work": "employed", "hours": 1e300, "shift": "night", "rest": "no"},
        {"levels": {"rest": 1750}},
    ),
    (
        dated_commuters(),
        {"moved": "2022-03-01", "visit": "2025-01-01", "rise": "06:40:30", "tired": "yes"},
        {"levels": {"moved": 1000, "rise": 500, "tired": 2000}, "ranges": {"rise": [360, 540]}},
    ),
    (
        dated_commuters(),
        {"moved": "2020-02-28", "visit": "2024-02-29", "rise": "04:00", "tired": "yes"},
        {"levels": {"moved": 1000, "visit": 1500, "tired": 1000}},
    ),
    (
        viewed_commuters(),
        {"mode": "bike", "home": "town", "age": 41.5, "temperature": 0.29},
        {"view": [["mode", "home", "temperature"], 1]},
    ),
    (
        viewed_commuters(),
        {"mode": "tram", "home": "city", "age": 18, "temperature": -5},
        {"view": [["temperature", "age", "home", "mode"], 4]},
    ),
    (
        sampled_commuters(),
        {"mode": "bike", "age": 41.5, "income": 31_257},
        {"sensitivities": {"mode": 1, "age": 3, "income": 2}},
    ),
]


def reports() -> dict[str, object]:
    made = []
    for plan, record, budget in OWNERS:
        stream = stock("report", plan.id, record)
        receipt = random.Random(plan.id).randbytes(32).hex()
        vector = {"record": record, **budget, "round": 7, "receipt": receipt}
        report = sealed(plan, vector, stream).decode()
        fields = {"plan": plan.to_bytes().decode(), "id": plan.id, **vector}
        made.append({**fields, "words": read_from(stream), "report": report})
    return {"reports": made}


def malformed() -> dict[str, object]:
    return {
        "plans": {name: plan.to_bytes().decode() for name, plan in PLANS.items()},
        "valid": [
            {"plan": plan, "report": report.decode()}
            for plan, reports in VALIDS.items()
            for report in reports
        ],
        "malformed": [
            {
                "reason": case.reason,
                "why": case.why,
                "plan": case.plan,
                **written(case.report),
            }
            for case in MALFORMED
        ],
    }


def written(data: bytes) -> dict[str, str]:
    """Return bytes as text where they are plain ASCII, else in hexadecimal."""
    return {"report": data.decode()} if data.isascii() else {"hex": data.hex()}


def layout(document: dict[str, object]) -> str:
    """Write one vector to a line."""
    parts = []
    for key, value in document.items():
        items = value if isinstance(value, list) else None
        lines = ",\n".join(json.dumps(item) for item in items or [])
        parts.append(f"{json.dumps(key)}: " + (f"[\n{lines}\n]" if items else json.dumps(value)))
    return "{\n" + ",\n".join(parts) + "\n}\n"


FILES: dict[str, Callable[[], dict[str, object]]] = {
    "draws.json": draws,
    "numbers.json": numbers,
    "reports.json": reports,
    "malformed.json": malformed,
    "coded.json": coded,
    "inputs.json": inputs,
    "texts.json": texts,
    "intervals.json": intervals,
    "planes.json": partial(planes, 0),
    "binned.json": partial(planes, 1),
    "prefixes.json": prefixes,
    "variants.json": variants,
    "assigned.json": assignments,
    "plans.json": plans,
    "misfits.json": misfits,
    "sets.json": sets,
    "text_sets.json": text_sets,
    "later.json": later,
    "staged.json": staged,
    "bitflip.json": bitflip,
}


def main() -> None:
    for name, make in FILES.items():
        (HERE / name).write_text(layout(make()), encoding="utf-8")


if __name__ == "__main__":
    main()
