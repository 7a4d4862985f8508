"""The vectors of hierarchies: the weights of depths, the laws at them, and draws."""

from collections.abc import Iterator
from typing import Any

from discretion.mechanism import Tree
from discretion.mechanism.hierarchy import hierarchy
from discretion.plan import Family, Plan
from discretion.randomness import ByteSource, Source
from tests.golden.words import read_from, stock

LEVELS = (1, 1000, 8000)
TREES = (Tree(2, 2, 1), Tree(5, 2, 3), Tree(82, 3, 5), Tree(65_537, 2, 17), Tree(1 << 20, 16, 5))
GRID = {"kind": "numeric", "step": 1, "mechanism": "hierarchy"}
ATTRIBUTES: tuple[dict[str, Any], ...] = (
    {"name": "fine", **GRID, "range": [0, (1 << 20) - 1]},
    {"name": "income", **GRID, "range": [0, 5000], "step": 0.5},
    {"name": "wide", **GRID, "range": [-40, 41], "mechanism": {"hierarchy": {"fanout": 3}}},
    {"name": "rough", **GRID, "range": [0, 999], "mechanism": {"hierarchy": {"depths": 6}}},
    {"name": "grade", "kind": "ordinal", "values": [str(code) for code in range(20)]},
    {"name": "mood", "kind": "ordinal", "values": ["bad", "fair", "good"]},
    {**GRID, "name": "moved", "kind": "date", "range": ["2020-01-01", "2024-12-31"]},
)
VALUES: dict[str, tuple[object, ...]] = {
    "fine": (0, 524_288, "1048574.25", 10**9),
    "income": (0, "1234.3", 5000),
    "wide": (-41, -13, 0.5, 41),
    "rough": (0, 499, 999),
    "grade": ("0", "7", "19", "unheard of"),
    "mood": ("bad", "good"),
    "moved": ("2020-01-01", "2022-02-28", "2024-12-31"),
}
TURNS = 6  # draws of each value: many depths are among them


def intervals_plan() -> Plan:
    levels = [level / 1000 for level in LEVELS]
    whole = {"name": "intervals", "attributes": list(ATTRIBUTES), "budget": {"levels": levels}}
    return Plan.of(whole)


def law_vectors() -> Iterator[dict[str, object]]:
    for tree in TREES:
        law = hierarchy(tree, 1000)
        stated = {"size": tree.size, "fanout": tree.fanout, "depths": tree.depths}
        nodes = [own.size for own in law.laws]
        yield {**stated, "weights": list(tree.weights), "nodes": nodes, "width": law.n_bytes}


def draw(plan: Plan, name: str, value: object, level: int, source: Source) -> str:
    question = plan.questions[name]
    y = question.perturb(question.attribute.answer(value), level, source)
    return y.to_bytes(question.n_bytes, "little").hex()


def draw_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name, question in plan.questions.items():
        turns = TURNS if question.family is Family.INTERVALS else 1
        for level in LEVELS:
            for value in VALUES[name]:
                for turn in range(turns):
                    stream = stock("intervals", name, level, value, turn)
                    y = draw(plan, name, value, level, ByteSource(stream.read))
                    fields = {"attribute": name, "value": value, "level": level}
                    yield {**fields, "words": read_from(stream), "y": y}


def intervals() -> dict[str, object]:
    plan = intervals_plan()
    return {
        "plan": plan.to_bytes().decode(),
        "id": plan.id,
        "laws": list(law_vectors()),
        "draws": list(draw_vectors(plan)),
    }
