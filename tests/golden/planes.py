"""The vectors of bundles about where two numbers lie: their cells, and draws."""

from collections.abc import Iterator
from typing import Any

from discretion.plan import Family, Plan
from discretion.randomness import ByteSource, Source
from tests.golden.words import read_from, stock

LEVELS = (2, 2000, 8000)  # of a bundle of two
GRID = {"kind": "numeric", "step": 1}
ATTRIBUTES: tuple[dict[str, Any], ...] = (
    {"name": "age", **GRID, "range": [18, 117]},
    {"name": "pay", **GRID, "range": [0, 1_000_000], "mechanism": "hierarchy"},
    {"name": "debt", **GRID, "range": [-50, 50], "step": 0.5},
    {"name": "met", "kind": "date", "range": ["2020-01-01", "2024-12-31"]},
)
BUNDLES: tuple[dict[str, Any], ...] = (
    {"attributes": ["age", "pay"], "mechanism": "hierarchy"},
    {"attributes": ["debt", "met"], "mechanism": {"hierarchy": {"bits": [5, 2]}}},
)
BINNED: tuple[dict[str, Any], ...] = (
    {"attributes": ["age", "met"], "bins": [7, 9]},
    {"attributes": ["debt", "pay"], "bins": [2, 64]},
)
VALUES: dict[str, tuple[tuple[object, object], ...]] = {
    "age+pay": ((18, 0), (54, "123456.75"), (30.5, 10**9), (117, 1_000_000)),
    "debt+met": ((-50, "2020-01-01"), ("0.2", "2022-07-04"), (50, "2024-12-31")),
    "age+met": ((18, "2020-01-01"), (61, "2021-03-05"), (200, "2024-12-31")),
    "debt+pay": ((-50, 0), (0, 15_625), (50, "999999.5")),
}
TURNS = 4  # draws of each value by a tree: several depths are among them


def plane_plans() -> tuple[Plan, Plan]:
    budget = {"levels": [level / 2000 for level in LEVELS]}
    asked = {"name": "planes", "attributes": list(ATTRIBUTES), "budget": budget}
    return tuple(Plan.of({**asked, "bundles": list(own)}) for own in (BUNDLES, BINNED))  # type: ignore[return-value]


def draw(plan: Plan, name: str, value: list[object], level: int, source: Source) -> str:
    question = plan.questions[name]
    y = question.perturb(question.attribute.answer(value), level, source)
    return y.to_bytes(question.n_bytes, "little").hex()


def draw_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for bundle in plan.bundles:
        question = plan.questions[bundle.name]
        turns = TURNS if question.family is Family.INTERVALS else 1
        for level in LEVELS:
            for value in map(list, VALUES[bundle.name]):
                for turn in range(turns):
                    stream = stock("planes", bundle.name, level, value, turn)
                    y = draw(plan, bundle.name, value, level, ByteSource(stream.read))
                    fields = {"attribute": bundle.name, "value": value, "level": level}
                    yield {**fields, "words": read_from(stream), "y": y}


def planes(place: int) -> dict[str, object]:
    plan = plane_plans()[place]
    sizes = [{"bundle": each.name, "cells": each.size} for each in plan.bundles]
    return {
        "plan": plan.to_bytes().decode(),
        "id": plan.id,
        "laws": sizes,
        "draws": list(draw_vectors(plan)),
    }
