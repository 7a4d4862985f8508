"""The vectors of coded mechanisms: codewords, laws and draws, and rounds of one device."""

import random
from collections.abc import Iterator, Mapping
from decimal import Decimal
from io import BytesIO
from typing import Any
from unittest import mock

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.mechanism import Bloom
from discretion.mechanism.encoding import codewords
from discretion.plan import Family, Plan
from discretion.randomness import ByteSource, Source
from tests.golden.words import Edge, read_from, stock

LEVELS = (1, 1000, 8000)
SIZES = (2, 5, 20)
MECHANISMS: dict[str, dict[str, Any]] = {
    "bloom": {"bloom": {}},
    "hashed": {"bloom": {"hashes": 4}},
    "lopub": {"bloom": {"hashes": 4, "bits": 32}},
    "basic": {"rappor": {"ones": 0.801, "zeros": 0.199}},
    "rappor": {"rappor": {"hashes": 2, "bits": 16, "cohorts": 8}},
    "crowded": {"rappor": {"hashes": 1, "bits": 12, "cohorts": 8}},
}
RECORDS = (
    {"lopub-5": "3", "rappor-5": "0", "rappor-20": "19", "basic-2": "1"},
    {"lopub-5": "3", "rappor-5": "4", "rappor-20": "19", "basic-2": "1"},
    {"lopub-5": "2", "rappor-5": "0", "rappor-20": "19", "basic-2": "0"},
)
BUDGETS = {"lopub-5": 8, "rappor-5": 1, "rappor-20": 8, "basic-2": 1}


def coded_plan() -> Plan:
    """Every coded mechanism on small domains, and on a number whose grid has a coin."""
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
    attributes.append({"name": "rappor-grid", **grid, "mechanism": MECHANISMS["rappor"]})
    levels = [level / 1000 for level in LEVELS]
    return Plan.of({"name": "coded", "attributes": attributes, "budget": {"levels": levels}})


def values(name: str) -> list[str]:
    return ["-0.5", "0.123", "7"] if name.endswith("grid") else ["0", "1", "unheard of"]


def draw(plan: Plan, name: str, value: str, level: int, source: Source) -> str:
    """Draw what a new device sends in its first round: code, cohort, what is kept, what is sent."""
    shown = Decimal(value) if name.endswith("grid") else value
    y = plan.questions[name].perturb(plan.questions[name].attribute.answer(shown), level, source)
    return y.to_bytes(plan.questions[name].n_bytes, "little").hex()


def draw_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name in plan.names:
        for level in LEVELS:
            for value in values(name):
                stream = stock(name, level, value)
                y = draw(plan, name, value, level, ByteSource(stream.read))
                fields = {"attribute": name, "value": value, "level": level}
                yield {**fields, "words": read_from(stream), "y": y}
            for heads_up in (True, False):
                edge = Edge((heads_up,), stock("edge", name, level))
                y = draw(plan, name, values(name)[0], level, edge)
                fields = {"attribute": name, "value": values(name)[0], "level": level}
                yield {**fields, "words": edge.written.hex(), "y": y}


def codeword_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    """Yield the codewords of each attribute as lists of bits, by cohort and code."""
    for name, question in plan.questions.items():
        encoding = question.encoding
        places = [
            [[i for i in range(encoding.bits) if codeword >> i & 1] for codeword in own]
            for own in codewords(encoding)
        ]
        yield {"attribute": name, "bits": encoding.bits, "places": places}


def law_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name in plan.names:
        for level in LEVELS:
            law = plan.questions[name].law(level, Family.CODEWORDS)
            assert isinstance(law, Bloom)
            heads = {"true": str(law.true), "false": str(law.false)}
            instant = [str(coin) for coin in law.instant] if law.instant else None
            fields = {"attribute": name, "level": level, **heads, "instant": instant}
            yield {**fields, "width": law.n_bytes}


def round_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    """Yield the reports of one device in several rounds, each with the words it read in it."""
    with State() as state:
        for round in range(2 * len(RECORDS)):
            stream = stock("round", round)
            receipt = random.Random(round).randbytes(32).hex()
            record = RECORDS[round % len(RECORDS)]
            vector = {"round": round, "record": record, "receipt": receipt}
            report = reported(plan, state, vector, stream, BUDGETS)
            yield {**vector, "words": read_from(stream), "report": report}


def reported(
    plan: Plan,
    state: State,
    vector: dict[str, Any],
    stream: BytesIO,
    epsilons: Mapping[str, object],
) -> str:
    with (
        mock.patch("discretion.device.device.system", return_value=ByteSource(stream.read)),
        mock.patch("secrets.token_bytes", return_value=bytes.fromhex(vector["receipt"])),
    ):
        device = Device(plan, state)
        report = device.report(vector["record"], Budget.of(plan, epsilons), vector["round"])
        return report.to_bytes().decode()


def coded() -> dict[str, object]:
    plan = coded_plan()
    return {
        "plan": plan.to_bytes().decode(),
        "id": plan.id,
        "words": list(codeword_vectors(plan)),
        "laws": list(law_vectors(plan)),
        "draws": list(draw_vectors(plan)),
        "rounds": list(round_vectors(plan)),
    }
