"""The vectors of sets of texts: how they are read, their cells, and draws and reports by cohort."""

from collections.abc import Iterator
from typing import Any

from discretion.budget.level import stratum_of
from discretion.mechanism import HashedCover
from discretion.plan import Plan
from discretion.randomness import ByteSource
from discretion.schema import TextSet
from discretion.schema.item_set import unpacked
from tests.golden import sets
from tests.golden.sets import LEVELS
from tests.golden.words import read_from, stock

BASKETS: list[Any] = [
    [],
    ["milk"],
    ["tea", "milk", "milk", "tea"],
    "milk",
    {"tea": 1, "\U0001f6b2": 2, "\uffee": 3, "a\u0308": 4, "ä": 5},
    ["", None, ["milk"], {"milk": 1}, 7, 7.0, 0.5, 1e-05, True, False],
    ["\ud800", 'a "quoted"\n\\ text\u2028', "\x7f\x01"],
    [f"item {i}" for i in range(40)],
]
SHOPS = {"few": ([2], 16, 5), "plain": ([8], 1024, 5), "menu": ([1, 5], 100, 1)}
OWNERS: tuple[dict[str, Any], ...] = (
    {"record": {"few": ["tea"], "plain": []}, "levels": {"few": 1000, "plain": 8000}},
    {
        "record": {"menu": ["tea", "rye", 3], "plain": [str(i) for i in range(30)]},
        "levels": {"menu": 1, "plain": 1000},
        "length": {"menu": 5},
    },
)


def text_sets_plan() -> Plan:
    """Sets of texts in few cells and many, in one cohort and several, and with a menu."""
    attributes = [
        {
            "name": name,
            "kind": "set",
            "items": "text",
            "length": lengths,
            "mechanism": {"cover": {"cells": cells, "cohorts": cohorts}},
        }
        for name, (lengths, cells, cohorts) in SHOPS.items()
    ]
    levels = [level / 1000 for level in LEVELS]
    return Plan.of({"name": "text sets", "attributes": attributes, "budget": {"levels": levels}})


def answer_vectors() -> Iterator[dict[str, object]]:
    basket = TextSet("few", (), (2,))
    for value in BASKETS:
        answer, misfit = basket.answer(value), basket.misfit(value)
        codes = [str(code) for code in unpacked(basket.encode(answer, ByteSource(bytes)))]
        yield {"value": value, "misfit": misfit, "answer": answer, "fingerprints": codes}


def law_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name, question in plan.questions.items():
        for level in LEVELS:
            for place in range(max(len(question.ranges), 1)):
                law = question.law(stratum_of(level, place))
                assert isinstance(law, HashedCover)
                stated = {"count": law.cover.count, "keep": str(law.cover.keep)}
                asked = {"attribute": name, "level": level, "range": place}
                yield {**asked, **stated, "width": law.n_bytes, "cohorts": law.cohorts}


def draw_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name, question in plan.questions.items():
        for level in LEVELS:
            for place in range(max(len(question.ranges), 1)):
                stratum = stratum_of(level, place)
                for value in BASKETS:
                    stream = stock("text", name, stratum, value)
                    y = sets.draw(plan, name, value, stratum, ByteSource(stream.read))
                    where = {"attribute": name, "level": level, "range": place, "value": value}
                    yield {**where, "words": read_from(stream), "y": y}


def text_sets() -> dict[str, object]:
    plan = text_sets_plan()
    return {
        "plan": plan.to_bytes().decode(),
        "id": plan.id,
        "answers": list(answer_vectors()),
        "laws": list(law_vectors(plan)),
        "draws": list(draw_vectors(plan)),
        "reports": list(sets.report_vectors(plan, OWNERS)),
    }
