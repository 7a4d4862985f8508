"""The vectors of variants of local privacy: their matrices, and draws from them."""

from collections.abc import Iterator
from typing import Any

from discretion.plan import Family, Plan
from discretion.randomness import ByteSource, Source
from tests.golden.words import read_from, stock

LEVELS = (1, 1000, 8000)
MECHANISMS: dict[str, Any] = {
    "shares": {"idldp": {"shares": {"0": 0.5}}},
    "many": {"idldp": {"shares": [0.4, 1, 0.6, 1, 0.85]}},
    "even": {"idldp": {"shares": [0.3, 0.3, 0.3, 0.3, 0.3]}},
    "sensitive": {"uldp": {"sensitive": ["0", "3"]}},
    "one": {"uldp": {"sensitive": ["2"]}},
    "order": {"metric": {"scale": 3}},
    "line": {"metric": {"places": [0, 50, 0.25, -1, 2]}},
    "plane": {"metric": {"places": [[0, 0], [1, 2], [0.3, 0.1], [-4, 1], [90, 2]]}},
}
VALUES = ("0", "1", "2", "3", "4")


def variant_plan() -> Plan:
    question = {"kind": "categorical", "values": list(VALUES)}
    attributes = [{"name": name, **question, "mechanism": m} for name, m in MECHANISMS.items()]
    levels = [level / 1000 for level in LEVELS]
    return Plan.of({"name": "variants", "attributes": attributes, "budget": {"levels": levels}})


def draw(plan: Plan, name: str, value: str, level: int, source: Source) -> str:
    y = plan.questions[name].perturb(plan.questions[name].attribute.answer(value), level, source)
    return y.to_bytes(plan.questions[name].n_bytes, "little").hex()


def law_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name in plan.names:
        for level in LEVELS:
            law = plan.questions[name].law(level, Family.COLUMNS)
            rows = [[str(weight) for weight in row] for row in law.weights]
            yield {"attribute": name, "level": level, "weights": rows, "width": law.n_bytes}


def draw_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name in plan.names:
        for level in LEVELS:
            for value in VALUES:
                stream = stock(name, level, value)
                y = draw(plan, name, value, level, ByteSource(stream.read))
                fields = {"attribute": name, "value": value, "level": level}
                yield {**fields, "words": read_from(stream), "y": y}


def variants() -> dict[str, object]:
    plan = variant_plan()
    return {
        "plan": plan.to_bytes().decode(),
        "id": plan.id,
        "laws": list(law_vectors(plan)),
        "draws": list(draw_vectors(plan)),
    }
