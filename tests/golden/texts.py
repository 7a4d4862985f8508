"""The vectors of texts: their fingerprints and cells, laws and draws, and rounds of one device."""

import random
from collections.abc import Iterator
from typing import Any

from discretion.device import State
from discretion.mechanism import Bloom
from discretion.mechanism.encoding import codeword
from discretion.mechanism.sketch import coefficients
from discretion.plan import Plan
from discretion.randomness import ByteSource, Source
from discretion.schema import Text
from discretion.schema.text import fingerprint
from tests.golden.coded import reported
from tests.golden.numbers import stated
from tests.golden.words import Edge, read_from, stock

LEVELS = (1, 1000, 8000)
COHORTS = 5
LONG = "ein sehr langer Satz, " * 10
TEXTS = ("", "a", "ä", "a\u0308", "\ud800", "\U0001f6b2 \udc00", LONG)
VALUES: tuple[object, ...] = (
    *TEXTS,
    *("\ufeffa", " a ", "A", "\u1100\u1161", "\u212b", "\ufb01", "x\ud800\ud800\U0001f600"),
    *(5, 5.0, 0.5, 1e-05, -0.0, 1e22, 10**15, True, False),
)
MECHANISMS: dict[str, dict[str, Any]] = {
    "orr": {"orr": {"cells": 3}},
    "pair": {"orr": {"cells": 2}},
    "hcms": {"hcms": {"cells": 1024}},
    "sign": {"hcms": {"cells": 2}},
    "cms": {"cms": {"cells": 11}},
    "orappor": {"orappor": {"hashes": 3, "bits": 13}},
    "again": {"orappor": {"hashes": 2, "bits": 9, "ones": 0.801, "zeros": 0.199}},
}
BUDGETS = {"orr-many": 1, "hcms-many": 8, "cms-one": 8, "orappor-one": 1, "again-many": 8}
SAID = (dict.fromkeys(BUDGETS, "a\u0308"), dict.fromkeys(BUDGETS, LONG))
RECORDS = (SAID[0], SAID[1], {**SAID[0], "again-many": "ä", "hcms-many": ""})


def texts_plan() -> Plan:
    """Every mechanism of texts, in one cohort and in several."""
    attributes = [
        {"name": f"{name}-{many}", "kind": "text", "mechanism": {key: {**parts, "cohorts": count}}}
        for name, mechanism in MECHANISMS.items()
        for key, parts in mechanism.items()
        for many, count in (("one", 1), ("many", COHORTS))
    ]
    levels = [level / 1000 for level in LEVELS]
    return Plan.of({"name": "texts", "attributes": attributes, "budget": {"levels": levels}})


def answer_vectors() -> Iterator[dict[str, object]]:
    for value in VALUES:
        answer = Text("t").answer(value)
        yield {"value": value, "answer": answer, "fingerprint": str(fingerprint(answer))}


def coefficient_vectors() -> Iterator[dict[str, object]]:
    for cohort in (0, 1, 1023):
        for place in (0, 1, 20):
            found = [str(each) for each in coefficients(cohort, place)]
            yield {"cohort": cohort, "place": place, "coefficients": found}


def cell_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    """Yield the bits of the codeword of each text in the first and the last cohort."""
    for name, question in plan.questions.items():
        encoding = question.encoding
        for cohort in sorted({0, encoding.cohorts - 1}):
            for text in TEXTS:
                own = codeword(encoding, cohort, plan.questions[name].attribute.code(text))
                places = [i for i in range(encoding.bits) if own >> i & 1]
                yield {"attribute": name, "cohort": cohort, "text": text, "places": places}


def law_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name in plan.names:
        for level in LEVELS:
            law = plan.questions[name].law(level)
            coins = {"instant": _coins(law)} if isinstance(law, Bloom) else {}
            where = {"attribute": name, "level": level}
            yield {**where, **stated(law), **coins}


def _coins(law: Bloom) -> list[str] | None:
    return [str(coin) for coin in law.instant] if law.instant else None


def draw(plan: Plan, name: str, value: str, level: int, source: Source) -> str:
    """Draw what a new device sends in its first round."""
    y = plan.questions[name].perturb(plan.questions[name].attribute.answer(value), level, source)
    return y.to_bytes(plan.questions[name].n_bytes, "little").hex()


def draw_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name in plan.names:
        for level in LEVELS:
            for value in TEXTS:
                stream = stock(name, level, value)
                y = draw(plan, name, value, level, ByteSource(stream.read))
                fields = {"attribute": name, "value": value, "level": level}
                yield {**fields, "words": read_from(stream), "y": y}
            for heads_up in (True, False):
                edge = Edge((heads_up,), stock("edge", name, level))
                y = draw(plan, name, TEXTS[1], level, edge)
                fields = {"attribute": name, "value": TEXTS[1], "level": level}
                yield {**fields, "words": edge.written.hex(), "y": y}


def round_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    """Yield the reports of one device in several rounds, each with the words it read in it."""
    with State() as state:
        for round in range(2 * len(RECORDS)):
            stream = stock("round of texts", round)
            receipt = random.Random(round).randbytes(32).hex()
            record = RECORDS[round % len(RECORDS)]
            vector = {"round": round, "record": record, "receipt": receipt}
            report = reported(plan, state, vector, stream, BUDGETS)
            yield {**vector, "words": read_from(stream), "report": report}


def texts() -> dict[str, object]:
    plan = texts_plan()
    return {
        "plan": plan.to_bytes().decode(),
        "id": plan.id,
        "answers": list(answer_vectors()),
        "coefficients": list(coefficient_vectors()),
        "cells": list(cell_vectors(plan)),
        "laws": list(law_vectors(plan)),
        "draws": list(draw_vectors(plan)),
        "rounds": list(round_vectors(plan)),
    }
