"""Plans as authors write them, with their canonical bytes, and a report of each: kept for good.

A later version resolves the same authors' plans to the same bytes, so that ids stay, and devices
that read the same words send the same reports.
"""

import random
from collections.abc import Iterator
from typing import Any

from discretion.budget import Budget
from discretion.mechanism import CODED, MECHANISMS, NUMBERS, OPTIMAL
from discretion.plan import Plan
from discretion.randomness import ByteSource
from discretion.report import id_of
from tests.golden.words import read_from, stock
from tests.plans import (
    AGE,
    AGE_GROUP,
    AVERAGE,
    HOME,
    HOURS,
    INCOME,
    MODE,
    MOVED,
    REST,
    RISE,
    SHIFT,
    TEMPERATURE,
    VISIT,
    WORK,
)

LEVELS = {"levels": [0.5, 1, 2]}
TOKEN = "kZ3-_rUq0bTn8yXw"
VARIANTS: list[Any] = [
    {"idldp": {"shares": {"bike": 0.5}}},
    {"uldp": {"sensitive": ["bus", "walk"]}},
    {"metric": {"scale": 2}},
    {"metric": {"places": {"car": 0, "bus": 1, "train": 2, "bike": [3], "walk": 5.5}}},
]
TEXTS: list[Any] = [
    None,
    {"orr": {"cells": 4}},
    {"cms": {"cells": 16}},
    {"orappor": {"bits": 16, "ones": 0.75}},
]


def questions(attribute: dict[str, Any], mechanisms: list[Any]) -> list[dict[str, Any]]:
    """Return an attribute once for each mechanism; None leaves it out."""
    return [
        {**attribute, "name": f"q{i}", **({} if each is None else {"mechanism": each})}
        for i, each in enumerate(mechanisms)
    ]


def authors() -> dict[str, dict[str, Any]]:
    words = ["bloom", {"bloom": {"hashes": 2}}, {"rappor": {"cohorts": 2, "hashes": 2, "bits": 9}}]
    labels = [None, "auto", {"auto": {"bytes": 1}}, *MECHANISMS, *CODED, *words[1:]]
    hashed = [{"olh": {"function": "assigned"}}, {"hadamard": {"function": "assigned"}}]
    numbers = [None, *NUMBERS, OPTIMAL]
    ranged = {**INCOME, "mechanism": "laplace", "ranges": [[0, 100000], [50000, 90000]]}
    views = [MODE, HOME, AGE_GROUP, TEMPERATURE]
    pair = [{"name": n, "kind": "numeric", "range": [0, 2], "step": 1} for n in "abc"]
    return {
        "labels": {"attributes": questions(MODE, labels), "budget": LEVELS},
        "fallback": {"attributes": [{**MODE, "fallback": "car"}, HOME], "budget": AVERAGE},
        "bins": {"attributes": [TEMPERATURE, AGE_GROUP], "budget": AVERAGE},
        "numbers": {"attributes": questions(INCOME, numbers), "budget": LEVELS},
        "ranges": {"attributes": [ranged], "budget": {"total": 2, "spread": 4}},
        "texts": {"attributes": questions({"kind": "text"}, TEXTS), "budget": LEVELS},
        "variants": {"attributes": questions(MODE, VARIANTS), "budget": LEVELS},
        "assigned": {"attributes": questions(MODE, hashed), "budget": LEVELS},
        "cells": {"attributes": [MODE, HOME], "bundles": [["home", "mode"]], "budget": AVERAGE},
        "blocks": {
            "attributes": pair,
            "bundles": [
                {"attributes": ["a", "b"], "levels": 3},
                {"attributes": ["a", "c"], "mechanism": "duchi"},
            ],
            "budget": AVERAGE,
            "contract": "record",
        },
        "least": {"attributes": [MODE, HOME], "share": {"least": 2}, "budget": AVERAGE},
        "secret": {"attributes": [MODE, HOME], "allocation": "secret", "budget": AVERAGE},
        "conditional": {
            "attributes": [{**AGE, "step": 0.5}, WORK, HOURS, SHIFT, REST],
            "budget": LEVELS,
        },
        "dated": {"attributes": [MOVED, VISIT, RISE], "budget": LEVELS},
        "worded": worded(),
        "views": {"attributes": views, "views": "auto", "budget": {"levels": [0.5, 2, 8]}},
        "apart": {
            "attributes": views,
            "views": {"size": 2},
            "share": {"sample": 1, "weights": {"mode": 5, "home+age": 2, "temperature": 1}},
            "budget": LEVELS,
        },
        "triples": {
            "attributes": [*views, WORK],
            "views": {"size": 3, "count": 5},
            "budget": {"total": 3, "spread": 1},
        },
        "quadtree": {
            "attributes": [INCOME, MOVED],
            "bundles": [{"attributes": ["income", "moved"], "mechanism": "hierarchy"}],
            "budget": LEVELS,
        },
        "fresh": {"attributes": [MODE], "again": "fresh", "budget": LEVELS},
        "kept": {"attributes": [{**INCOME, "rounding": "kept"}], "budget": LEVELS},
        "groups": {"attributes": [MODE], "groups": 16, "owners": 1600, "budget": LEVELS},
    }


def worded() -> dict[str, Any]:
    """Return a plan in three languages: right to left, with combining and astral characters."""
    labels = [
        {"en": "By car 🚗", "ar": "بالسيارة", "fa": "با خودرو، می\u200cروم"},
        "🚲 e\u0301",
        "\uff46oot",
    ]
    codes = ["car", "bike", "𝔣"]
    values = [{"code": c, "label": w} for c, w in zip(codes, labels, strict=True)]
    mode = {"name": "mode", "kind": "categorical", "values": values, "help": "One\nline."}
    return {
        "attributes": [{**mode, "question": {"en": "How?", "ar": "كيف؟"}}, {**INCOME, "unit": "€"}],
        "title": {"en": "Ways", "ar": "طرق"},
        "asker": "Zu\u0308rich",
        "languages": ["en", "ar", "fa"],
        "sections": [{"title": "\ufb01 🚶", "attributes": ["income", "mode"]}],
        "replaces": "0123456789abcdef" * 4,
        "budget": LEVELS,
    }


def record_of(plan: Plan) -> dict[str, object]:
    """Return a record in the middle of every list of labels; numbers are 1."""
    record: dict[str, object] = {}
    for name, own in plan.attributes.items():
        given = {"numeric": 1, "date": "2024-02-29", "time": "06:07:08", "text": "Zürich"}
        kind = own.document["kind"]
        record[name] = given[kind] if kind in given else own.labels[own.size // 2]
    return record


def receipt_of(plan: Plan) -> bytes:
    """Return a receipt that a device takes at once: its id tells the group that is drawn first."""
    source, groups = random.Random(plan.name), plan.groups
    own = groups and ByteSource(stock("plan", plan.name).read).below(groups.count)
    while True:
        receipt = source.randbytes(32)
        if groups is None or groups.of(bytes.fromhex(id_of(receipt))) == own:
            return receipt


def kept() -> Iterator[dict[str, object]]:
    from tests.golden.make import sealed  # which makes this file among the others

    for name, stated in authors().items():
        author = {"name": name, **stated}
        plan = Plan.of(author)
        vector: dict[str, Any] = {"record": record_of(plan)}
        if plan.share.weights:
            vector["view"] = [[*plan.attributes], plan.policy.menu[-1] / 1000]
        else:
            vector["levels"] = dict(Budget.even(plan).levels)
        vector |= {"round": 3, "receipt": receipt_of(plan).hex()}
        vector |= {"token": TOKEN} if name == "assigned" else {}
        stream = stock("plan", name)
        report = sealed(plan, vector, stream).decode()
        fields = {"author": author, "plan": plan.to_bytes().decode(), "id": plan.id, **vector}
        yield {**fields, "words": read_from(stream), "report": report}


def plans() -> dict[str, object]:
    return {"plans": list(kept())}
