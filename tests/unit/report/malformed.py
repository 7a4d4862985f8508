"""Reports that must be refused, each with the name of its refusal.

All are near a report that is accepted: two attributes with unequal levels, the third not shared.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from discretion.errors import Refusal
from tests.plans import (
    bundled_commuters,
    bundled_numbers,
    coded_commuters,
    commuters,
    hashed_commuters,
    ranged_commuters,
    sampled_commuters,
    secret_commuters,
    texts,
)

ID = "0123456789abcdef0123456789abcdef"
PLANS = {
    "disclosed": commuters(),
    "secret": secret_commuters(),
    "bundled": bundled_commuters(),
    "ranged": ranged_commuters(),
    "sampled": sampled_commuters(),
    "numbers": bundled_numbers(),
    "coded": coded_commuters(),
    "hashed": hashed_commuters(),
    "texts": texts(),
}


@dataclass(frozen=True)
class Malformed:
    why: str
    reason: Refusal
    report: bytes
    plan: str = "disclosed"


def valid() -> dict[str, Any]:
    return {
        "format": 1,
        "plan": commuters().id,
        "round": 0,
        "id": ID,
        "answers": {"mode": {"level": 3500, "y": "BA"}, "age": {"level": 500, "y": "Hg"}},
    }


def valid_secret() -> dict[str, Any]:
    answers = {"mode": {"y": "Fg"}, "temperature": {"y": "Aw"}}
    return {**valid(), "plan": secret_commuters().id, "answers": answers}


def valid_bundled(**answers: object) -> dict[str, Any]:
    answers = {
        "home": {"level": 500, "y": "AQ"},
        "mode+age": {"level": 5500, "y": "BAA"},
        **answers,
    }
    return {**valid(), "plan": bundled_commuters().id, "answers": answers}


def valid_ranged(**fields: object) -> dict[str, Any]:
    income = {"level": 3500, "range": 1, "y": "sAQ", **fields}
    answers = {"mode": {"level": 500, "y": "Aw"}, "income": income}
    return {**valid(), "plan": ranged_commuters().id, "answers": answers}


def valid_sampled(**answers: object) -> dict[str, Any]:
    answers = {
        "mode": {"level": 3500, "y": "BA"},
        "age": {"level": 2500, "y": "Hg"},
        **answers,
    }
    return {**valid(), "plan": sampled_commuters().id, "answers": answers}


def valid_numbers(name: str, y: str) -> dict[str, Any]:
    answers = {name: {"level": 3500, "y": y}}
    return {**valid(), "plan": bundled_numbers().id, "answers": answers}


def valid_coded(y: str) -> dict[str, Any]:
    answers = {"mode": {"level": 3500, "y": y}, "home": {"level": 500, "y": "AQ"}}
    return {**valid(), "plan": coded_commuters().id, "answers": answers}


def valid_hashed(y: str) -> dict[str, Any]:
    answers = {"mode": {"level": 3500, "y": y}, "home": {"level": 500, "y": "Aw"}}
    return {**valid(), "plan": hashed_commuters().id, "answers": answers}


def valid_texts(**ys: str) -> dict[str, Any]:
    ys = {"page": "fwE", "word": "Dg", "shop": "_78", **ys}
    answers = {name: {"level": 1000, "y": y} for name, y in ys.items()}
    return {**valid(), "plan": texts().id, "answers": answers}


def encode(document: object) -> bytes:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()


VALID = encode(valid())
VALID_SECRET = encode(valid_secret())
VALID_BUNDLED = encode(valid_bundled())
VALID_RANGED = encode(valid_ranged())
VALID_SAMPLED = encode(valid_sampled())
VALID_NUMBERS = encode(valid_numbers("a+b", "CA"))
VALID_SIGNS = encode(valid_numbers("a+c", "Aw"))
VALID_CODED = encode(valid_coded("_78"))
VALID_HASHED = encode(valid_hashed("CXHnxxs-BA"))
VALID_TEXTS = encode(valid_texts())
VALIDS = {
    "disclosed": [VALID],
    "secret": [VALID_SECRET],
    "bundled": [VALID_BUNDLED],
    "ranged": [VALID_RANGED],
    "sampled": [VALID_SAMPLED],
    "numbers": [VALID_NUMBERS, VALID_SIGNS],
    "coded": [VALID_CODED],
    "hashed": [VALID_HASHED],
    "texts": [VALID_TEXTS],
}


def _changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    document = valid()
    change(document)
    return encode(document)


def _field(name: str, value: object) -> bytes:
    return encode({**valid(), name: value})


def _mode(**fields: object) -> bytes:
    return _changed(lambda d: d["answers"]["mode"].update(fields))


def _age(**fields: object) -> bytes:
    return _changed(lambda d: d["answers"]["age"].update(fields))


def _replaced(old: bytes, new: bytes) -> bytes:
    return VALID.replace(old, new, 1)


R = Refusal
MALFORMED = [
    Malformed("empty", R.NOT_JSON, b""),
    Malformed("cut off", R.NOT_JSON, VALID[:-1]),
    Malformed("not UTF-8", R.NOT_JSON, _replaced(b"BA", b"\xff\xfe")),
    Malformed("two documents", R.NOT_JSON, VALID + VALID),
    Malformed("a thousand brackets deep", R.NOT_JSON, b"[" * 1000),
    Malformed("an unknown field", R.UNKNOWN_FIELD, _field("device", "x")),
    Malformed("an unknown field of an answer", R.UNKNOWN_FIELD, _mode(z=1)),
    Malformed(
        "a level in a secret plan's report",
        R.UNKNOWN_FIELD,
        encode({**valid_secret(), "answers": {"mode": {"level": 250, "y": "Fg"}}}),
        plan="secret",
    ),
    Malformed("no id", R.MISSING_FIELD, _changed(lambda d: d.pop("id"))),
    Malformed("no round", R.MISSING_FIELD, _changed(lambda d: d.pop("round"))),
    Malformed("no level", R.MISSING_FIELD, _changed(lambda d: d["answers"]["age"].pop("level"))),
    Malformed("no y", R.MISSING_FIELD, _changed(lambda d: d["answers"]["age"].pop("y"))),
    Malformed("a list", R.WRONG_TYPE, b"[]"),
    Malformed("a number", R.WRONG_TYPE, b"1"),
    Malformed("answers as a list", R.WRONG_TYPE, _field("answers", [])),
    Malformed("an answer as text", R.WRONG_TYPE, _field("answers", {"mode": "BA"})),
    Malformed("a level as text", R.WRONG_TYPE, _mode(level="3500")),
    Malformed("a level with a fraction", R.WRONG_TYPE, _mode(level=3500.0)),
    Malformed("a level below zero", R.WRONG_TYPE, _mode(level=-250)),
    Malformed("a level that is a boolean", R.WRONG_TYPE, _mode(level=True)),
    Malformed("a level that is null", R.WRONG_TYPE, _mode(level=None)),
    Malformed("y as a number", R.WRONG_TYPE, _mode(y=4)),
    Malformed("y with padding", R.WRONG_TYPE, _mode(y="BA==")),
    Malformed("y in the other base64 alphabet", R.WRONG_TYPE, _mode(y="+A")),
    Malformed("y of an impossible length of base64", R.WRONG_TYPE, _mode(y="BAAAA")),
    Malformed("y with a line break", R.WRONG_TYPE, _mode(y="BA\n")),
    Malformed("another format", R.UNKNOWN_FORMAT, _field("format", 2)),
    Malformed("the format as text", R.UNKNOWN_FORMAT, _field("format", "1")),
    Malformed("the format as a boolean", R.UNKNOWN_FORMAT, _field("format", True)),
    Malformed("another plan", R.OTHER_PLAN, _field("plan", secret_commuters().id)),
    Malformed("the plan in capitals", R.OTHER_PLAN, _field("plan", commuters().id.upper())),
    Malformed("no plan's hash", R.OTHER_PLAN, _field("plan", None)),
    Malformed("a round below zero", R.BAD_ROUND, _field("round", -1)),
    Malformed("a round of 32 bits", R.BAD_ROUND, _field("round", 1 << 31)),
    Malformed("a round with a fraction", R.BAD_ROUND, _field("round", 0.0)),
    Malformed("a round that is a boolean", R.BAD_ROUND, _field("round", False)),
    Malformed("a short id", R.BAD_ID, _field("id", ID[:-2])),
    Malformed("an id in capitals", R.BAD_ID, _field("id", ID.upper())),
    Malformed("an id with a line break", R.BAD_ID, _field("id", ID + "\n")),
    Malformed("an id that is a number", R.BAD_ID, _field("id", 7)),
    Malformed(
        "an unknown attribute",
        R.UNKNOWN_ATTRIBUTE,
        _changed(lambda d: d["answers"].update(shoes={"level": 250, "y": "AA"})),
    ),
    Malformed("no answers", R.TOO_FEW_ATTRIBUTES, _field("answers", {})),
    Malformed("a level between two of the menu", R.LEVEL_OFF_MENU, _mode(level=3400)),
    Malformed("a level of nothing", R.LEVEL_OFF_MENU, _age(level=0)),
    Malformed("a level above the menu", R.LEVEL_OFF_MENU, _age(level=6250)),
    Malformed("more than the average allows", R.OVER_BUDGET, _age(level=750)),
    Malformed("an empty y", R.WRONG_LENGTH, _mode(y="")),
    Malformed("y with a byte too many", R.WRONG_LENGTH, _mode(y="BAA")),
    Malformed("a subset of two where the level has one", R.IMPOSSIBLE_OUTPUT, _mode(y="Aw")),
    Malformed("an empty subset", R.IMPOSSIBLE_OUTPUT, _mode(y="AA")),
    Malformed("a bit beyond the last code", R.IMPOSSIBLE_OUTPUT, _mode(y="IA")),
    Malformed("a code beyond the last", R.IMPOSSIBLE_OUTPUT, _age(y="VQ")),
    Malformed(
        "a bit beyond the last code of a secret plan",
        R.IMPOSSIBLE_OUTPUT,
        VALID_SECRET.replace(b"Fg", b"IA"),
        plan="secret",
    ),
    Malformed("a space", R.NOT_CANONICAL, _replaced(b":", b": ")),
    Malformed("a line break at the end", R.NOT_CANONICAL, VALID + b"\n"),
    Malformed("a byte order mark", R.NOT_CANONICAL, b"\xef\xbb\xbf" + VALID),
    Malformed("another encoding", R.NOT_CANONICAL, VALID.decode().encode("utf-16")),
    Malformed("an escape that is not needed", R.NOT_CANONICAL, _replaced(b"mode", b"\\u006dode")),
    Malformed("the format with a fraction", R.NOT_CANONICAL, _field("format", 1.0)),
    Malformed("a field twice", R.NOT_CANONICAL, _replaced(b'"round":0', b'"round":1,"round":0')),
    Malformed(
        "fields in another order",
        R.NOT_CANONICAL,
        encode(dict(sorted(valid().items()))),
    ),
    Malformed(
        "attributes in another order",
        R.NOT_CANONICAL,
        _field("answers", dict(reversed(valid()["answers"].items()))),
    ),
    Malformed(
        "y before level", R.NOT_CANONICAL, _field("answers", {"mode": {"y": "BA", "level": 2000}})
    ),
    Malformed("bits after the end of y", R.NOT_CANONICAL, _mode(y="BB")),
    Malformed(
        "an attribute alone and in a bundle",
        R.REPEATED_ATTRIBUTE,
        encode(valid_bundled(age={"level": 250, "y": "AA"})),
        plan="bundled",
    ),
    Malformed(
        "an attribute in two bundles",
        R.REPEATED_ATTRIBUTE,
        encode(valid_bundled(**{"age+home": {"level": 500, "y": "BA"}})),
        plan="bundled",
    ),
    Malformed(
        "a bundle's level of which an equal part is not on the menu",
        R.LEVEL_OFF_MENU,
        VALID_BUNDLED.replace(b"5500", b"5250"),
        plan="bundled",
    ),
    Malformed(
        "a bundle that spends more than its attributes may",
        R.OVER_BUDGET,
        VALID_BUNDLED.replace(b"5500", b"6000"),
        plan="bundled",
    ),
    Malformed(
        "a bundle with the bytes of an attribute",
        R.WRONG_LENGTH,
        VALID_BUNDLED.replace(b"BAA", b"BA"),
        plan="bundled",
    ),
    Malformed(
        "a cell beyond the last",
        R.IMPOSSIBLE_OUTPUT,
        VALID_BUNDLED.replace(b"BAA", b"AIA"),
        plan="bundled",
    ),
    Malformed(
        "a bundle before an attribute",
        R.NOT_CANONICAL,
        encode(
            {
                **valid_bundled(),
                "answers": dict(reversed(valid_bundled()["answers"].items())),
            }
        ),
        plan="bundled",
    ),
    Malformed(
        "a range where there is no choice",
        R.UNKNOWN_FIELD,
        _mode(range=0),
    ),
    Malformed(
        "no range",
        R.MISSING_FIELD,
        VALID_RANGED.replace(b'"range":1,', b""),
        plan="ranged",
    ),
    *(
        Malformed(
            f"a range that is {name}",
            R.WRONG_TYPE,
            encode(valid_ranged(range=value)),
            plan="ranged",
        )
        for name, value in {
            "text": "1",
            "null": None,
            "a boolean": True,
            "a fraction": 1.0,
            "below zero": -1,
            "a pair": [0, 100000],
        }.items()
    ),
    Malformed(
        "a range beyond the last", R.RANGE_OFF_MENU, encode(valid_ranged(range=3)), plan="ranged"
    ),
    Malformed(
        "a cell that only a wider window reaches",
        R.IMPOSSIBLE_OUTPUT,
        encode(valid_ranged(y="pAY")),
        plan="ranged",
    ),
    Malformed(
        "a cell that only another range reaches",
        R.IMPOSSIBLE_OUTPUT,
        encode(valid_ranged(range=2, y="3AU")),
        plan="ranged",
    ),
    Malformed("a cell in one byte", R.WRONG_LENGTH, encode(valid_ranged(y="sA")), plan="ranged"),
    Malformed(
        "a range before its level",
        R.NOT_CANONICAL,
        VALID_RANGED.replace(b'"level":3500,"range":1', b'"range":1,"level":3500'),
        plan="ranged",
    ),
    Malformed(
        "more answers than are drawn",
        R.TOO_MANY_ANSWERS,
        encode(valid_sampled(income={"level": 1500, "y": "AAA"})),
        plan="sampled",
    ),
    Malformed(
        "a level of a number beyond the last",
        R.IMPOSSIBLE_OUTPUT,
        encode(valid_numbers("a+b", "CQ")),
        plan="numbers",
    ),
    Malformed(
        "a sign of a number beyond the last",
        R.IMPOSSIBLE_OUTPUT,
        encode(valid_numbers("a+c", "BA")),
        plan="numbers",
    ),
    Malformed(
        "a cohort beyond the last", R.IMPOSSIBLE_OUTPUT, encode(valid_coded("AMA")), plan="coded"
    ),
    Malformed("words of one byte", R.WRONG_LENGTH, encode(valid_coded("AA")), plan="coded"),
    Malformed(
        "a cell of the function after the last",
        R.IMPOSSIBLE_OUTPUT,
        encode(valid_hashed("CnHnxxs-BA")),
        plan="hashed",
    ),
    Malformed("a cell of one byte", R.WRONG_LENGTH, encode(valid_hashed("AA")), plan="hashed"),
    *(
        Malformed(why, R.IMPOSSIBLE_OUTPUT, encode(valid_texts(**ys)), plan="texts")
        for why, ys in {
            "a sign of the row after the last": {"page": "gAE"},
            "a cell of the cohort after the last": {"word": "Dw"},
            "a word of the cohort after the last": {"shop": "AMA"},
        }.items()
    ),
    Malformed("a sign of one byte", R.WRONG_LENGTH, encode(valid_texts(page="AA")), plan="texts"),
]
