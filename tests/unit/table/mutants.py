"""Reports that are nearly right: valid ones of any plan, and what becomes of them by accident.

A mutant may still be valid, and many are: who reads it must say so too.
"""

import json
import random
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from discretion.budget.level import stratum_of
from discretion.errors import DiscretionError, ReportRefused
from discretion.plan import Plan
from discretion.randomness import ByteSource
from discretion.report import ID_BYTES, LAST_ROUND, read

BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    1e308,
    "",
    "x",
    [],
    {},
    [0],
    {"y": "AA"},
    "\ud800",
    "é",
)
NUMBERS = ("0{}", "-{}", "+{}", "{}.0", "{}e0", "{}0000000000000000000000", " {}", "{} ", "{}_0")
TEXTS = ('"', "\\", "\n", "\0", "\x7f", "é", "é", "\u2028", "😀", "ﬀ", "null", "NaN", "{}", ",")
SPOILT = (  # by an earlier change
    *(ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError),
    DiscretionError,
)
POOL = 60  # valid reports of each plan
Change = Callable[["Mutator", bytes], bytes]


def valid_reports(plan: Plan, count: int, rng: random.Random) -> list[bytes]:
    """Return so many reports that owners with unequal budgets may send."""
    found: list[bytes] = []
    while len(found) < count:
        message = encode(_guess(plan, rng))
        try:
            read(plan, message)
        except ReportRefused:  # over budget, as a rule
            continue
        found.append(message)
    return found


def encode(document: object) -> bytes:
    """Write a document as a device would; what is not text at all, as it comes."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def _guess(plan: Plan, rng: random.Random) -> dict[str, Any]:
    chosen = [name for name in plan.names if rng.random() < rng.choice((0.2, 0.5, 0.9))]
    answers = {name: an_answer(plan, name, rng) for name in chosen}
    id = rng.randbytes(ID_BYTES).hex()
    return {"format": 1, "plan": plan.id, "round": a_round(rng), "id": id, "answers": answers}


def a_round(rng: random.Random) -> int:
    return rng.choice((0, 0, 0, 0, 1, 7, rng.randrange(LAST_ROUND + 1), LAST_ROUND))


def an_answer(plan: Plan, name: str, rng: random.Random) -> dict[str, Any]:
    """Return an answer that a law of the plan gives."""
    level, ranges = rng.choice(plan.questions[name].menu), plan.questions[name].ranges
    place = rng.randrange(len(ranges)) if ranges else 0
    law = plan.questions[name].law(stratum_of(level, place))
    y = law.perturb(rng.randrange(law.size), ByteSource(rng.randbytes))
    reported = {} if plan.secret else {"level": level, **({"range": place} if ranges else {})}
    return {**reported, "y": base64(y.to_bytes(plan.questions[name].n_bytes, "little"))}


def base64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass(frozen=True)
class Mutator:
    """Changes the reports of a plan at random."""

    plan: Plan
    pool: Sequence[bytes]
    others: Sequence[bytes]  # of other plans
    rng: random.Random

    @classmethod
    def of(cls, plan: Plan, others: Sequence[Plan], seed: int) -> "Mutator":
        rng = random.Random(f"{seed} {plan.id}")
        strange = [message for other in others for message in _few(other)]
        return cls(plan, valid_reports(plan, POOL, rng), strange, rng)

    def mutants(self, count: int) -> Iterator[bytes]:
        """Yield mutants; one in a few has more than one change."""
        for _ in range(count):
            message = self.any()
            for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
                message = self.rng.choice(CHANGES)(self, message)
            yield message

    def any(self) -> bytes:
        return self.rng.choice(self.pool)

    def place(self, message: bytes) -> int:
        return self.rng.randrange(len(message) + 1)

    def span(self, message: bytes) -> tuple[int, int]:
        start = self.place(message)
        return start, min(len(message), start + self.rng.randrange(1, 12))


@cache
def _few(plan: Plan) -> list[bytes]:
    return valid_reports(plan, 5, random.Random(plan.id))


# Changes of bytes


def flip(m: Mutator, message: bytes) -> bytes:
    if not message:
        return message
    at = m.rng.randrange(len(message))
    return message[:at] + bytes([message[at] ^ 1 << m.rng.randrange(8)]) + message[at + 1 :]


def insert(m: Mutator, message: bytes) -> bytes:
    at = m.place(message)
    more = m.rng.choice((m.rng.randbytes(1), m.rng.choice(TEXTS).encode(), b" ", b"0"))
    return message[:at] + more + message[at:]


def remove(m: Mutator, message: bytes) -> bytes:
    start, stop = m.span(message)
    return message[:start] + message[stop:]


def remove_one(m: Mutator, message: bytes) -> bytes:
    at = m.place(message)
    return message[:at] + message[at + 1 :]


def repeat(m: Mutator, message: bytes) -> bytes:
    start, stop = m.span(message)
    return message[:stop] + message[start:stop] + message[stop:]


def swap(m: Mutator, message: bytes) -> bytes:
    a, b, c = sorted(m.place(message) for _ in range(3))
    return message[:a] + message[b:c] + message[a:b] + message[c:]


def cut(m: Mutator, message: bytes) -> bytes:
    return message[: m.place(message)]


def splice(m: Mutator, message: bytes) -> bytes:
    other = m.any()
    return message[: m.place(message)] + other[m.place(other) :]


def splice_at_a_comma(m: Mutator, message: bytes) -> bytes:
    """Join two reports where both have a comma, or an answer ends."""
    other, mark = m.any(), m.rng.choice((b",", b'"},"', b'"answers"'))
    mine, theirs = (_places(text, mark) for text in (message, other))
    if not mine or not theirs:
        return message
    return message[: m.rng.choice(mine)] + other[m.rng.choice(theirs) :]


def join(m: Mutator, message: bytes) -> bytes:
    return message + m.rng.choice((b"", b"\n", b" ", b",")) + m.any()


def junk(m: Mutator, _: bytes) -> bytes:
    return m.rng.choice((m.rng.randbytes(m.rng.randrange(200)), b"", b"{}", b"[" * 2000, b"nul"))


def another_plans(m: Mutator, _: bytes) -> bytes:
    message = m.rng.choice(m.others)
    own = f'"plan":"{m.plan.id}"'.encode()
    return re.sub(rb'"plan":"[0-9a-f]*"', own, message) if m.rng.random() < 0.5 else message


def _places(text: bytes, mark: bytes) -> list[int]:
    return [found.start() for found in re.finditer(re.escape(mark), text)]


# Changes of what is written


def number(m: Mutator, message: bytes) -> bytes:
    """Write a number in another way."""
    form = m.rng.choice(NUMBERS)
    return _substituted(m, message, rb"(?<=:)\d+", lambda text: form.format(text.decode()).encode())


def last_bits(m: Mutator, message: bytes) -> bytes:
    """Change the last character of a y: its spare bits, or real ones."""
    wanted = rb'[A-Za-z0-9_-](?="[},])'
    return _substituted(m, message, wanted, lambda _: m.rng.choice(BASE64URL).encode())


def escape(m: Mutator, message: bytes) -> bytes:
    return _substituted(m, message, rb"[a-z]", lambda text: rf"\u{ord(text):04x}".encode())


def shout(m: Mutator, message: bytes) -> bytes:
    return _substituted(m, message, rb'"[0-9a-f]{32,64}"', bytes.upper)


def key_twice(m: Mutator, message: bytes) -> bytes:
    wanted = rb'"(format|plan|round|id|level|range|y)":("[^"]*"|\d+),'
    return _substituted(m, message, wanted, lambda text: text + text)


def _substituted(
    m: Mutator, message: bytes, wanted: bytes, change: Callable[[bytes], bytes]
) -> bytes:
    found = list(re.finditer(wanted, message))
    if not found:
        return message
    one = m.rng.choice(found)
    return message[: one.start()] + change(one.group()) + message[one.end() :]


# Changes of what is said


def structured(change: Callable[[Mutator, dict[str, Any]], None]) -> Change:
    """Return a change of the document, which is then written canonically."""

    def changed(m: Mutator, message: bytes) -> bytes:
        try:
            document = json.loads(message)
            change(m, document)
            return encode(document)
        except SPOILT:
            return message

    return changed


@structured
def new_id(m: Mutator, document: dict[str, Any]) -> None:
    document["id"] = m.rng.randbytes(ID_BYTES).hex()


@structured
def new_round(m: Mutator, document: dict[str, Any]) -> None:
    document["round"] = m.rng.choice((a_round(m.rng), LAST_ROUND + 1, 1 << 64, -1))


@structured
def new_answer(m: Mutator, document: dict[str, Any]) -> None:
    """Another answer to one of the questions, in the plan's order."""
    name = m.rng.choice(m.plan.names)
    answers = {**document["answers"], name: an_answer(m.plan, name, m.rng)}
    document["answers"] = {name: answers[name] for name in m.plan.names if name in answers}


@structured
def same_level(m: Mutator, document: dict[str, Any]) -> None:
    """Another y of an answer, at its level: still valid, as a rule."""
    name = m.rng.choice(list(document["answers"]))
    own = document["answers"][name]
    level, place = own.get("level", m.plan.questions[name].menu[0]), own.get("range", 0)
    if level not in m.plan.questions[name].menu or place not in range(
        max(len(m.plan.questions[name].ranges), 1)
    ):
        return
    law = m.plan.questions[name].law(stratum_of(level, place))
    y = law.perturb(m.rng.randrange(law.size), ByteSource(m.rng.randbytes))
    own["y"] = base64(y.to_bytes(m.plan.questions[name].n_bytes, "little"))


@structured
def without_an_answer(m: Mutator, document: dict[str, Any]) -> None:
    document["answers"].pop(m.rng.choice(list(document["answers"])))


@structured
def new_level(m: Mutator, document: dict[str, Any]) -> None:
    name = m.rng.choice(list(document["answers"]))
    off = (0, 1, 251, 5999, 6001, 1 << 31, (1 << 32) + 500, (1 << 64) + 250, -250)
    document["answers"][name]["level"] = m.rng.choice(
        (*m.plan.questions[name].menu, m.rng.choice(off))
    )


@structured
def new_range(m: Mutator, document: dict[str, Any]) -> None:
    name = m.rng.choice(list(document["answers"]))
    document["answers"][name]["range"] = m.rng.choice((0, 1, 2, 3, 1 << 32))


@structured
def new_y(m: Mutator, document: dict[str, Any]) -> None:
    """Any bytes; nearly always of the right width."""
    name = m.rng.choice(list(document["answers"]))
    width = max(0, m.plan.questions[name].n_bytes + m.rng.choice((0, 0, 0, 0, -1, 1)))
    y = bytearray(m.rng.choice((m.rng.randbytes(width), bytes(width), b"\xff" * width)))
    if y and m.rng.random() < 0.5:
        y[-1] &= (1 << m.rng.randrange(1, 8)) - 1
    document["answers"][name]["y"] = base64(bytes(y))


@structured
def reorder(m: Mutator, document: dict[str, Any]) -> None:
    own = m.rng.choice((document, document["answers"], *document["answers"].values()))
    items = list(own.items())
    m.rng.shuffle(items)
    own.clear()
    own.update(items)


@structured
def odd_value(m: Mutator, document: dict[str, Any]) -> None:
    own = m.rng.choice((document, document["answers"], *document["answers"].values()))
    own[m.rng.choice(list(own))] = m.rng.choice(ODD)


@structured
def new_name(m: Mutator, document: dict[str, Any]) -> None:
    own = m.rng.choice((document, document["answers"], *document["answers"].values()))
    old = m.rng.choice(list(own))
    own[m.rng.choice((old.upper(), old + " ", old + "\u0301", "é", "😀", ""))] = own.pop(old)


def as_it_is(_: Mutator, message: bytes) -> bytes:
    return message


OF_BYTES: tuple[Change, ...] = (
    *(flip, insert, remove, remove_one, repeat, swap, cut, splice, splice_at_a_comma, join, junk),
    *(another_plans, number, last_bits, escape, shout, key_twice),
)
OF_SENSE: tuple[Change, ...] = (
    *(new_id, new_round, new_answer, same_level, without_an_answer, new_level, new_range, new_y),
    *(reorder, odd_value, new_name, as_it_is),
)
CHANGES = (*OF_BYTES, *OF_SENSE, new_id, same_level, new_answer, without_an_answer, new_y)
