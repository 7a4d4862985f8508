"""The vectors of laws for numbers: of every mechanism, in parts of the range, and of bundles."""

import dataclasses
from collections.abc import Iterator
from decimal import Decimal
from io import BytesIO
from itertools import accumulate
from typing import Any

from discretion.budget.level import range_of, stratum_of
from discretion.mechanism import NUMBERS, OPTIMAL, Law, Table, number_law
from discretion.mechanism.halfspace import signs
from discretion.plan import Plan
from discretion.randomness import ByteSource, Source
from tests.golden.words import Edge, read_from, stock

Value = str | list[str]  # of a number, or of each part of a bundle

LEVELS = (1, 1000, 8000)
SIZES = (2, 5, 21, 300, 4096)
GRIDS: dict[str, dict[str, Any]] = {
    "wide": {"range": [0, 299], "step": 1},
    "grid": {"range": [-0.5, 1.5], "step": 0.1, "ranges": [[0, 1], [1.4, 1.5]]},
    "fine": {"range": [-24.288, 1024.287], "step": 0.001},
}
BUNDLES = (
    {"attributes": ["duchi-grid", "duchi-wide"], "levels": 2},
    {"attributes": ["pm-grid", "hm-grid"], "levels": 5},
    {"attributes": ["pm-wide", "sw-wide", "hm-wide"], "levels": 17},
    {"attributes": ["window-grid", "duchi-grid"], "mechanism": "duchi"},
    {"attributes": ["window-wide", "onebit-wide", "onebit-grid"], "mechanism": "duchi"},
)
TURNS = ((True,), (False,))
TURNS_OF = {"laplace": ((True,), (True, False), (False, True, False))}  # all tails: again and again


def numbers_plan() -> Plan:
    """Every mechanism for numbers, on a grid with narrower ranges, of 300 points, and of 2^20."""
    attributes = [
        {"name": f"{mechanism}-{grid}", "kind": "numeric", "mechanism": mechanism, **fields}
        for mechanism in (*NUMBERS, OPTIMAL)
        for grid, fields in GRIDS.items()
        if (mechanism, grid) != ("laplace", "fine")  # whose coins would fill pages
    ]
    levels = [level / 1000 for level in LEVELS]
    whole = {"name": "numbers", "attributes": attributes, "bundles": list(BUNDLES)}
    return Plan.of({**whole, "budget": {"levels": levels}})


def values(plan: Plan, name: str) -> list[Value]:
    """Return values worth drawing for: both ends, and what a coin or a clamp decides."""
    if len(plan.questions[name].parts) > 1:
        columns = [_numbers(part) for part in plan.questions[name].parts]
        return [list(row) for row in zip(*columns, strict=False)]
    return [*_numbers(name)]


def _numbers(name: str) -> list[str]:
    if name.endswith("wide"):
        return ["0", "123.4", "299"]
    if name.endswith("fine"):
        return ["-24.288", "0.0005", "1024.2869"]
    return ["-0.5", "0.123", "1.4999", "1.5", "7"]


def draw(plan: Plan, name: str, value: Value, stratum: int, source: Source) -> str:
    attribute = plan.questions[name].within(range_of(stratum))
    numbers = Decimal(value) if isinstance(value, str) else [Decimal(v) for v in value]
    y = plan.questions[name].perturb(attribute.answer(numbers), stratum, source)
    return y.to_bytes(plan.questions[name].n_bytes, "little").hex()


def draw_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name in plan.names:
        for level in plan.questions[name].menu:
            for place in range(max(len(plan.questions[name].ranges), 1)):
                yield from _at_grade(plan, name, level, place)


def _at_grade(plan: Plan, name: str, level: int, place: int) -> Iterator[dict[str, object]]:
    stratum = stratum_of(level, place)
    where = {
        "attribute": name,
        "level": level,
        **({"range": place} if plan.questions[name].ranges else {}),
    }
    for value in values(plan, name):
        stream = stock(name, stratum, value)
        y = draw(plan, name, value, stratum, ByteSource(stream.read))
        yield {**where, "value": value, "words": read_from(stream), "y": y}
    if name.endswith(("wide", "fine")):
        return
    value = values(plan, name)[0]
    for turns in TURNS_OF.get(plan.questions[name].mechanism, TURNS):
        edge = Edge(turns, stock("edge", name, stratum))
        y = draw(plan, name, value, stratum, edge)
        yield {**where, "value": value, "words": edge.written.hex(), "y": y}
    law = plan.questions[name].law(stratum)
    if isinstance(law, Table):
        first, second, *_ = accumulate(law.weights[0])
        for drawn in (first - 1, first, second - 1, second):
            words = drawn.to_bytes(6, "big")
            y = draw(plan, name, value, stratum, ByteSource(BytesIO(words).read))
            yield {**where, "value": value, "words": words.hex(), "y": y}


def law_vectors() -> Iterator[dict[str, object]]:
    for mechanism in NUMBERS:
        for size in SIZES:
            for level in (*LEVELS, 20_000):
                law = number_law(mechanism, size, level)
                yield {"mechanism": mechanism, "size": size, "level": level, **stated(law)}
    for numbers in (2, 3, 4, 40):
        for level in (*LEVELS, 20_000):
            made = stated(signs(1 << numbers, level))
            yield {"mechanism": "signs", "size": 1 << numbers, "level": level, **made}


def stated(law: Law) -> dict[str, object]:
    """Return the shape of a law, its integers as text, and its width."""
    fields = _text(dataclasses.asdict(law))  # type: ignore[call-overload]
    return {"shape": type(law).__name__, "integers": fields, "width": law.n_bytes}


RECORDED = {
    "encoding": "coding",
    "n_buckets": "cells",
}  # fields that have another name in the vectors


def _text(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        RECORDED.get(k, k): _text(v) if isinstance(v, dict) else str(v)
        for k, v in fields.items()
        if k != "depth"
    }


def bundled_laws(plan: Plan) -> Iterator[dict[str, object]]:
    for bundle in plan.bundles:
        for level in plan.questions[bundle.name].menu:
            law = plan.questions[bundle.name].law(level)
            yield {"bundle": bundle.name, "level": level, **stated(law)}


def numbers() -> dict[str, object]:
    plan = numbers_plan()
    return {
        "plan": plan.to_bytes().decode(),
        "id": plan.id,
        "laws": list(law_vectors()),
        "bundles": list(bundled_laws(plan)),
        "draws": list(draw_vectors(plan)),
    }
