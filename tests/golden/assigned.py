"""The vectors of assigned functions: which one a credential has, and what is drawn by it."""

from collections.abc import Iterator
from typing import cast

from discretion.mechanism import HASHED, Hashed
from discretion.mechanism.assigned import Assigned, assigned
from discretion.plan import Plan
from discretion.randomness import ByteSource, Source
from tests.golden.words import Edge, read_from, stock

LEVELS = (1, 1000, 8000)
SIZES = (2, 5, 20)
TOKENS = ("a", "kZ3-_rUq0bTn8yXw5cVm2dLf7gHj4sPa9oIeQ6tR1Bk", "long." * 13 + "!")  # a key is hashed


def assigned_plan() -> Plan:
    """Every mechanism that hashes, on small domains."""
    attributes = [
        {
            "name": f"{mechanism}-{size}",
            "kind": "categorical",
            "values": [str(code) for code in range(size)],
            "mechanism": {mechanism: {"function": "assigned"}},
        }
        for mechanism in HASHED
        for size in SIZES
    ]
    levels = [level / 1000 for level in LEVELS]
    return Plan.of({"name": "assigned", "attributes": attributes, "budget": {"levels": levels}})


def law_of(plan: Plan, name: str, level: int, token: str) -> Assigned:
    return assigned(cast(Hashed, plan.questions[name].law(level)), token, plan.id, name)


def function_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name in plan.names:
        for level in LEVELS:
            for token in TOKENS:
                function = law_of(plan, name, level, token).function
                fields = {"attribute": name, "level": level, "token": token}
                yield {**fields, "function": str(function)}


def draw(plan: Plan, name: str, value: str, level: int, token: str, source: Source) -> str:
    y = law_of(plan, name, level, token).perturb(plan.questions[name].attribute.code(value), source)
    return y.to_bytes(plan.questions[name].n_bytes, "little").hex()


def draw_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name in plan.names:
        for level in LEVELS:
            where = {"attribute": name, "value": "1", "level": level, "token": TOKENS[1]}
            stream = stock("assigned", name, level)
            y = draw(plan, name, "1", level, TOKENS[1], ByteSource(stream.read))
            yield {**where, "words": read_from(stream), "y": y}
            for heads_up in (True, False):
                edge = Edge((heads_up,), stock("edge", name, level))
                y = draw(plan, name, "1", level, TOKENS[1], edge)
                yield {**where, "words": edge.written.hex(), "y": y}


def assignments() -> dict[str, object]:
    plan = assigned_plan()
    return {
        "plan": plan.to_bytes().decode(),
        "id": plan.id,
        "functions": list(function_vectors(plan)),
        "draws": list(draw_vectors(plan)),
    }
