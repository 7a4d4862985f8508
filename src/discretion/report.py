"""A report, its only bytes, and their strict reader.

    {"format":1,"plan":"<hex>","round":0,"id":"<hex>","answers":{"mode":{"level":3500,"y":"<b64>"}}}

Keys stand in this order, attributes in the plan's, without spaces. ``y`` is a little-endian integer
of the width that the plan fixes, in base64url without padding: a bit set (code i is bit i % 8 of
byte i // 8) or a code. A plan with secret allocation has no levels in its reports; an attribute
with a menu of ranges has the index of the chosen one, as in {"level":500,"range":1,"y":"<b64>"}.

The reader takes what a device of the plan could have sent, and refuses everything else by name.
"""

import hashlib
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from discretion.budget.agreement import by_attribute, count, repeated
from discretion.budget.level import stratum_of
from discretion.errors import BudgetError, Refusal, ReportRefused
from discretion.plan import Plan, Question
from discretion.render.formats import some

FORMAT = 1
ID_BYTES = 16
LAST_ROUND = (1 << 31) - 1
_BASE64URL = re.compile(r"[A-Za-z0-9_-]*")
_ID = re.compile(rf"[0-9a-f]{{{2 * ID_BYTES}}}")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a report says about one attribute."""

    level: int | None  # None where the plan keeps the allocation secret
    y: bytes
    range: int | None = None  # its index on the menu; None where the attribute has none

    def document(self) -> dict[str, object]:
        text = urlsafe_b64encode(self.y).rstrip(b"=").decode()
        level = {} if self.level is None else {"level": self.level}
        chosen = {} if self.range is None else {"range": self.range}
        return {**level, **chosen, "y": text}

    @property
    def stratum(self) -> int:
        """The level and the range as one integer; 0 where they are secret."""
        return stratum_of(self.level or 0, self.range or 0)


@dataclass(frozen=True, slots=True)
class Report:
    """One owner's perturbed answers in one round."""

    plan: str
    round: int
    id: str
    answers: Mapping[str, Answer]  # in the plan's order; what is absent was not shared

    def __repr__(self) -> str:
        names = some(self.answers)
        return f"<Report {self.id} of plan {self.plan:.12}, round {self.round}: {names}>"

    def to_bytes(self) -> bytes:
        document = {
            "format": FORMAT,
            "plan": self.plan,
            "round": self.round,
            "id": self.id,
            "answers": {name: answer.document() for name, answer in self.answers.items()},
        }
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def id_of(receipt: bytes) -> str:
    """Return the id that a receipt can prove: the start of its SHA-256."""
    return hashlib.sha256(receipt).digest()[:ID_BYTES].hex()


def read(plan: Plan, data: bytes) -> Report:
    """Return the report that these bytes are; each refusal has its name and its detail."""
    fields = _fields(_document(data), ("format", "plan", "round", "id", "answers"), "report")
    format, stated, round, id, answers = fields.values()
    if format != FORMAT or isinstance(format, bool):
        raise ReportRefused(Refusal.UNKNOWN_FORMAT, f"format must be {FORMAT}, got {format!r}")
    if stated != plan.id:
        raise ReportRefused(Refusal.OTHER_PLAN, f"plan must be {plan.id}, got {stated!r}")
    if not _whole(round) or round > LAST_ROUND:
        raise ReportRefused(Refusal.BAD_ROUND, f"round must be 0 to {LAST_ROUND}, got {round!r}")
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise ReportRefused(Refusal.BAD_ID, f"id must be {2 * ID_BYTES} lower-case hex digits")
    report = Report(plan.id, round, id, _answers(plan, answers))
    if report.to_bytes() != data:
        rule = "order, spacing or encoding differ from the format"
        raise ReportRefused(Refusal.NOT_CANONICAL, rule)
    return report


def check_levels(plan: Plan, levels: Mapping[str, int]) -> None:
    """Refuse levels that no owner of this plan may choose."""
    for name, level in levels.items():
        if level not in plan.questions[name].menu:
            rule = f"{name}: {level} is not on the plan's menu"
            raise ReportRefused(Refusal.LEVEL_OFF_MENU, rule)
    try:
        plan.policy.check(by_attribute(plan, levels))
    except BudgetError as error:
        raise ReportRefused(Refusal.OVER_BUDGET, str(error)) from None


def _document(data: bytes) -> object:
    if not isinstance(data, bytes):
        rule = f"a report must be bytes, got {type(data).__name__}"
        raise ReportRefused(Refusal.WRONG_TYPE, rule)
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise ReportRefused(Refusal.NOT_JSON, "the bytes are not a JSON document") from None


def _fields(document: object, names: tuple[str, ...], where: str) -> dict[str, Any]:
    if not isinstance(document, dict):
        raise ReportRefused(Refusal.WRONG_TYPE, f"{where} must be an object")
    for name in document:
        if name not in names:
            raise ReportRefused(Refusal.UNKNOWN_FIELD, f"{where} has no field {name!r}")
    for name in names:
        if name not in document:
            raise ReportRefused(Refusal.MISSING_FIELD, f"{where} lacks the field {name!r}")
    return {name: document[name] for name in names}


def _answers(plan: Plan, answers: object) -> dict[str, Answer]:
    if not isinstance(answers, dict):
        raise ReportRefused(Refusal.WRONG_TYPE, "answers must be an object")
    for name in answers:
        if name not in plan.names:
            raise ReportRefused(Refusal.UNKNOWN_ATTRIBUTE, f"the plan has no attribute {name!r}")
    if (twice := repeated(plan, answers)) is not None:
        rule = f"{twice} must be reported alone or in one bundle"
        raise ReportRefused(Refusal.REPEATED_ATTRIBUTE, rule)
    if count(plan, answers) < plan.share_least:
        rule = f"at least {plan.share_least} must be shared"
        raise ReportRefused(Refusal.TOO_FEW_ATTRIBUTES, rule)
    if plan.sample is not None and len(answers) > plan.sample:
        rule = f"at most {plan.sample} are reported under this plan"
        raise ReportRefused(Refusal.TOO_MANY_ANSWERS, rule)
    read = {name: _answer(plan, name, answers[name]) for name in plan.names if name in answers}
    if not plan.secret:
        check_levels(plan, {name: a.level for name, a in read.items() if a.level is not None})
    for name, answer in read.items():
        if answer.range is not None and answer.range >= len(plan.questions[name].ranges):
            rule = f"{name}: range {answer.range} is not on the plan's menu"
            raise ReportRefused(Refusal.RANGE_OFF_MENU, rule)
    for name, answer in read.items():
        _check_output(plan.questions[name], answer)
    return read


def _answer(plan: Plan, name: str, document: object) -> Answer:
    ranged = bool(plan.questions[name].ranges)
    wanted = ("y",) if plan.secret else ("level", "range", "y") if ranged else ("level", "y")
    fields = _fields(document, wanted, name)
    level, chosen, y = fields.get("level"), fields.get("range"), fields["y"]
    if not (plan.secret or _whole(level)) or not isinstance(y, str):
        raise ReportRefused(Refusal.WRONG_TYPE, f"{name}: level must be an integer and y text")
    if ranged and not _whole(chosen):
        raise ReportRefused(Refusal.WRONG_TYPE, f"{name}: range must be an integer")
    if not _BASE64URL.fullmatch(y) or len(y) % 4 == 1:
        raise ReportRefused(Refusal.WRONG_TYPE, f"{name}: y must be base64url without padding")
    return Answer(level, urlsafe_b64decode(y + "=" * (-len(y) % 4)), chosen)


def _check_output(question: Question, answer: Answer) -> None:
    if len(answer.y) != question.n_bytes:
        rule = f"{question.name}: y must be {question.n_bytes} bytes, got {len(answer.y)}"
        raise ReportRefused(Refusal.WRONG_LENGTH, rule)
    law = question.law(answer.stratum or question.menu[0])
    if not law.form.admits(int.from_bytes(answer.y, "little")):
        rule = f"{question.name}: no value gives this y at its level"
        raise ReportRefused(Refusal.IMPOSSIBLE_OUTPUT, rule)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


@lru_cache(maxsize=8)
def longest(plan: Plan) -> int:
    """Return the bytes of the longest report of a plan: a longer one is refused unparsed.

    Each attribute is reported alone or in one bundle, whichever takes more bytes for each of its
    attributes. The bound is reached unless bundles overlap, or the policy keeps all levels from
    having their most digits together.
    """
    sizes = {name: _size(plan, name) for name in plan.names}
    shares: dict[str, Fraction] = dict.fromkeys(plan.attributes, Fraction(0))
    for name, size in sizes.items():
        parts = plan.questions[name].parts
        for part in parts:
            shares[part] = max(shares[part], Fraction(size, len(parts)))
    answers = int(sum(shares.values()))
    if plan.sample is not None:
        answers = min(answers, sum(sorted(sizes.values())[-plan.sample :]))
    return len(_report(plan, {})) + answers - 1  # the first answer has no comma


def _size(plan: Plan, name: str) -> int:
    """Return the bytes of the longest answer, with the comma before it."""
    question = plan.questions[name]
    level, ranges = None if plan.secret else question.menu[-1], question.ranges
    answer = Answer(level, bytes(question.n_bytes), len(ranges) - 1 if ranges else None)
    return len(_report(plan, {name: answer})) - len(_report(plan, {})) + 1


def _report(plan: Plan, answers: Mapping[str, Answer]) -> bytes:
    return Report(plan.id, LAST_ROUND, "0" * 2 * ID_BYTES, answers).to_bytes()
