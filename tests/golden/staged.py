"""The vectors of laws in two stages: their integers, draws of new devices, and rounds of one."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from discretion.device import State
from discretion.plan import Plan
from discretion.randomness import ByteSource
from tests.golden.coded import draw, reported, values
from tests.golden.words import Edge, read_from, stock

LEVELS = (1, 1000, 8000)
SIZES = (2, 5, 20)
MECHANISMS: dict[str, dict[str, Any]] = {
    "lgrr": {"lgrr": {}},
    "losue": {"losue": {"first": 0.3}},
    "loloha": {"loloha": {}},
    "four": {"loloha": {"first": 0.8, "buckets": 4}},
}
INTEGERS = ("keep", "true", "false", "again")  # of the laws, as far as they have them
RECORDS = tuple(
    {"lgrr-5": a, "losue-20": b, "lgrr-2": c, "loloha-20": d, "four-5": e}
    for a, b, c, d, e in (
        ("3", "19", "1", "4", "0"),
        ("3", "0", "1", "5", "1"),
        ("2", "19", "0", "6", "2"),
    )
)
BUDGETS = {"lgrr-5": 8, "losue-20": 1, "lgrr-2": 1, "loloha-20": 1, "four-5": 8}


def staged_plan() -> Plan:
    """Every mechanism in two stages on small domains, and on a number whose grid has a coin."""
    attributes: list[dict[str, Any]] = [
        {
            "name": f"{name}-{size}",
            "kind": "categorical",
            "values": [str(code) for code in range(size)],
            "mechanism": mechanism,
        }
        for name, mechanism in MECHANISMS.items()
        for size in SIZES
    ]
    grid = {"kind": "numeric", "range": [-0.5, 1.5], "step": 0.1}
    attributes.append({"name": "lgrr-grid", **grid, "mechanism": {"lgrr": {"first": 0.001}}})
    levels = [level / 1000 for level in LEVELS]
    return Plan.of({"name": "staged", "attributes": attributes, "budget": {"levels": levels}})


def law_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name, question in plan.questions.items():
        for level in LEVELS:
            law = question.law(level)
            found = {key: str(getattr(law, key)) for key in INTEGERS if hasattr(law, key)}
            yield {"attribute": name, "level": level, **found, "width": law.n_bytes}


def draw_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name in plan.names:
        for level in LEVELS:
            for value in values(name):
                stream = stock("staged", name, level, value)
                y = draw(plan, name, value, level, ByteSource(stream.read))
                fields = {"attribute": name, "value": value, "level": level}
                yield {**fields, "words": read_from(stream), "y": y}
            for turns in ((True,), (False,), (True, False)):
                edge = Edge(turns, stock("staged edge", name, level))
                y = draw(plan, name, values(name)[0], level, edge)
                fields = {"attribute": name, "value": values(name)[0], "level": level}
                yield {**fields, "words": edge.written.hex(), "y": y}


def round_vectors(
    plan: Plan, records: Sequence[Mapping[str, str]], budgets: Mapping[str, object]
) -> Iterator[dict[str, object]]:
    """Yield the reports of one device in several rounds, each with the words it read in it."""
    with State() as state:
        for round in range(2 * len(records)):
            stream = stock(f"{plan.name} round", round)
            receipt = random.Random(round).randbytes(32).hex()
            record = records[round % len(records)]
            vector = {"round": round, "record": record, "receipt": receipt}
            report = reported(plan, state, vector, stream, budgets)
            spent = state.spent()
            yield {**vector, "words": read_from(stream), "report": report, "spent": spent}


def vectors(
    plan: Plan, records: Sequence[Mapping[str, str]], budgets: Mapping[str, object]
) -> dict[str, object]:
    return {
        "plan": plan.to_bytes().decode(),
        "id": plan.id,
        "laws": list(law_vectors(plan)),
        "draws": list(draw_vectors(plan)),
        "budget": budgets,
        "rounds": list(round_vectors(plan, records, budgets)),
    }


def staged() -> dict[str, object]:
    return vectors(staged_plan(), RECORDS, BUDGETS)
