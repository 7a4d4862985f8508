"""The vectors of texts to discover: the code of each, the laws of groups, and draws."""

from collections.abc import Iterator
from typing import Any

from discretion.mechanism import Prefixes
from discretion.plan import Family, Plan
from discretion.plan.public_text import public_code
from discretion.randomness import ByteSource, Source
from discretion.schema import CodedText
from tests.golden.words import read_from, stock

LEVELS = (1, 1000, 8000)
PUBLIC = (
    *("the", "theme", "then", "there", "other", "father", "gather", "rather"),
    *("Ärger", "ärger", "größer", "Größe", "ok", "ok", "日本", "日本人"),
)
TEXTS = ("", "the", "then", "t", "Größe", "a\u0308rger", "日本", "été", "\ntop", "x" * 40, "\0")
TURNS = 5  # draws of each value: several groups are among them


def prefixes_plan() -> Plan:
    """A code of public texts, one without contexts, and that of bytes; groups stated, and not."""
    made = public_code(PUBLIC * 40).document
    flat: dict[str, Any] = {"alphabet": " ab", "contexts": [["", "22233"]]}
    codes: dict[str, dict[str, Any]] = {
        "word": {"discover": {"code": made}},
        "short": {
            "discover": {"code": flat, "bits": 36},
            "mechanism": {"prefixes": {"groups": [8, 22, 36]}},
        },
        "key": {"discover": {"code": "bits", "bits": 48}, "mechanism": "prefixes"},
    }
    attributes = [{"name": name, "kind": "text", **stated} for name, stated in codes.items()]
    levels = [level / 1000 for level in LEVELS]
    return Plan.of({"name": "prefixes", "attributes": attributes, "budget": {"levels": levels}})


def code_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name, question in plan.questions.items():
        attribute = question.attribute
        assert isinstance(attribute, CodedText)
        for value in TEXTS:
            answer = attribute.answer(value)
            bits = attribute.codeword(answer).length
            code = str(attribute.code(value))
            yield {"attribute": name, "value": value, "bits": bits, "code": code}


def law_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name, question in plan.questions.items():
        for level in LEVELS:
            law: Prefixes = question.law(level, Family.PREFIXES)
            inner = law.laws[0]
            rows = inner.hashing.n_buckets.bit_length() - 1
            stated = {"groups": list(law.groups), "weights": list(law.weights)}
            where = {"attribute": name, "level": level, "width": law.n_bytes}
            yield {**where, **stated, "rows": rows, "keep": str(inner.keep)}


def draw(plan: Plan, name: str, value: str, level: int, source: Source) -> str:
    question = plan.questions[name]
    y = question.perturb(question.attribute.answer(value), level, source)
    return y.to_bytes(question.n_bytes, "little").hex()


def draw_vectors(plan: Plan) -> Iterator[dict[str, object]]:
    for name in plan.names:
        for level in LEVELS:
            for value in TEXTS[:4]:
                for turn in range(TURNS):
                    stream = stock("prefixes", name, level, value, turn)
                    y = draw(plan, name, value, level, ByteSource(stream.read))
                    fields = {"attribute": name, "value": value, "level": level}
                    yield {**fields, "words": read_from(stream), "y": y}


def prefixes() -> dict[str, object]:
    plan = prefixes_plan()
    return {
        "plan": plan.to_bytes().decode(),
        "id": plan.id,
        "codes": list(code_vectors(plan)),
        "laws": list(law_vectors(plan)),
        "draws": list(draw_vectors(plan)),
    }
