"""Every exception and warning that this package raises on purpose.

Each message names the rule and the value that broke it; the value is kept as an attribute, so a
program can act on it and a command can print it in one line. Those of the server alone are in
``collector/errors.py``.
"""

import sys
import warnings
from collections.abc import Iterable
from copyreg import __newobj__  # type: ignore[attr-defined]
from datetime import date
from enum import StrEnum

OURS = ("discretion", "contextlib")  # the latter: functions that are decorated by a context


def meant(given: object, known: Iterable[str]) -> str:
    """Return the question whether one of the known names was meant, if one is like it."""
    from difflib import get_close_matches  # not before something went wrong

    like = get_close_matches(given, list(known), 1, 0.8) if isinstance(given, str) else []
    return f" (did you mean {like[0]!r}?)" if like else ""


class DiscretionError(Exception):
    """The base of all deliberate errors; each comes whole from a worker in another process."""

    def __reduce__(self) -> tuple[object, ...]:
        return __newobj__, (type(self), *self.args), self.__dict__  # its message is written already


class MissingPackage(DiscretionError, ImportError):
    """A third-party package that is not installed: what needs it, and the extra that brings it."""

    def __init__(self, what: str, package: str, extra: str, module: str) -> None:
        self.what, self.package, self.extra, self.module = what, package, extra, module
        install = f"'discretion[{extra}]'" if extra else "discretion"
        super().__init__(f"{what} needs {package}: pip install {install}")


class PlanError(DiscretionError):
    """A plan that breaks a rule: where it was written, which field, which rule, which value."""

    def __init__(self, source: str, field: str, rule: str, value: object) -> None:
        self.source, self.field, self.rule, self.value = source, field, rule, value
        super().__init__(f"{source}: {field}: {rule}, got {_written(value)}")


def _written(value: object) -> str:
    """Write a value as authors do: YAML makes dates of what has no quotes."""
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    return value.isoformat() if isinstance(value, date) else repr(value)


class FormError(DiscretionError):
    """A form from which no plan can be made: its file, and what is wrong with it."""

    def __init__(self, source: str, rule: str) -> None:
        self.source, self.rule = source, rule
        super().__init__(f"{source}: {rule}")


class NoSuchFile(DiscretionError):
    """A file that was named, and is not there."""

    def __init__(self, path: object) -> None:
        self.path = path
        super().__init__(f"{path}: no such file")


class UnknownAttribute(DiscretionError):
    """A name that the plan does not have, or something that is no name."""

    def __init__(self, name: object, known: tuple[str, ...]) -> None:
        self.name, self.known = name, known
        rule = f"the plan has no attribute {name!r}{meant(name, known)}"
        if isinstance(name, list | tuple | set | dict):
            rule = f"an attribute must be one name in quotes, got {name!r}"
        super().__init__(f"{rule}; it has {', '.join(known)}")


class KindError(DiscretionError):
    """A question about an attribute that its reports are not made for."""

    def __init__(self, name: str, mechanism: str, wanted: str, instead: str) -> None:
        self.name, self.mechanism, self.wanted = name, mechanism, wanted
        rule = f"{name!r} must be reported as {wanted}, and its mechanism is {mechanism}"
        super().__init__(f"{rule}: use {instead}")


class BudgetError(DiscretionError):
    """A budget that the plan's policy does not allow."""

    def __init__(self, rule: str, value: object) -> None:
        self.rule, self.value = rule, value
        super().__init__(f"{rule}, got {value}")


class RecordError(DiscretionError):
    """A record from which no report can be made, or a value that strict reading refuses."""

    def __init__(self, attribute: str, rule: str, value: object) -> None:
        self.attribute, self.rule, self.value = attribute, rule, value
        super().__init__(f"{attribute}: {rule}, got {value!r}")


class Refusal(StrEnum):
    """Why a report was refused. The names are stable: counters and other languages use them."""

    NOT_JSON = "not_json"
    UNKNOWN_FIELD = "unknown_field"
    MISSING_FIELD = "missing_field"
    WRONG_TYPE = "wrong_type"
    UNKNOWN_FORMAT = "unknown_format"
    OTHER_PLAN = "other_plan"
    BAD_ROUND = "bad_round"
    BAD_ID = "bad_id"
    UNKNOWN_ATTRIBUTE = "unknown_attribute"
    REPEATED_ATTRIBUTE = "repeated_attribute"
    TOO_FEW_ATTRIBUTES = "too_few_attributes"
    TOO_MANY_ANSWERS = "too_many_answers"
    LEVEL_OFF_MENU = "level_off_menu"
    RANGE_OFF_MENU = "range_off_menu"
    OVER_BUDGET = "over_budget"
    WRONG_LENGTH = "wrong_length"
    IMPOSSIBLE_OUTPUT = "impossible_output"
    NOT_CANONICAL = "not_canonical"
    TOO_LONG = "too_long"
    NOT_EXAMINED = "not_examined"
    DUPLICATE_ID = "duplicate_id"
    ROUND_NOT_OPEN = "round_not_open"
    ROUND_CLOSED = "round_closed"
    CREDENTIAL_USED = "credential_used"
    OTHER_FUNCTION = "other_function"


class ReportRefused(DiscretionError):
    """A report that cannot be what a device of this plan sent."""

    def __init__(self, reason: Refusal, detail: str) -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}")


class BudgetSpent(DiscretionError):
    """A report that might take the device above a limit: of its life, or of so many rounds."""

    def __init__(self, granted: int, charge: int, limit: int, rounds: int | None = None) -> None:
        self.granted, self.charge, self.limit, self.rounds = granted, charge, limit, rounds
        most, spent, more = (f"{level / 1000:.9g}" for level in (limit, granted, charge))
        what, which = "the lifetime limit", "the reports so far"
        if rounds:
            what, which = f"the limit over {rounds} rounds", "those around this one"
        so_far = f"{which} may have cost {spent}, and this one may cost {more}"
        super().__init__(f"{what} is {most}, {so_far}")


class NotDue(DiscretionError):
    """A round in which an owner does not answer, or of one who has not chosen how often she does.

    ``due`` is the next round that is hers, which no round that she misses changes.
    """

    def __init__(self, round: int, every: tuple[int, ...], due: int | None = None) -> None:
        self.round, self.every, self.due = round, every, due
        listed = ", ".join(map(str, every))
        if due is None:
            rule = f"choose first to answer in one of every {listed} rounds: Device.rotate, --every"
        else:
            rule = f"this device answers in one of every {listed}, and next in round {due}"
        super().__init__(f"round {round}: {rule}")


class OpenAnswer(DiscretionError):
    """A question some of whose values are reported openly, under a limit that cannot bound them."""

    def __init__(self, attribute: str) -> None:
        self.attribute = attribute
        rule = "some of its values are reported openly, which no limit bounds"
        allow = f"(allow_open=[{attribute!r}], --allow-open {attribute})"
        super().__init__(f"{attribute}: {rule}; leave it out, or allow it by name {allow}")


class ConsentNeeded(DiscretionError):
    """A report that the owner must agree to first, where nobody can be asked."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        rest = "agree on a terminal, or with --yes; nothing was sealed, charged or sent"
        super().__init__(f"{reason}: {rest}")


class AlreadyAnswered(DiscretionError):
    """Another record or budget for a round whose report is sealed."""

    def __init__(self, round: int) -> None:
        self.round = round
        super().__init__(f"round {round} is sealed with another record or budget; nothing was sent")


class CredentialNeeded(DiscretionError):
    """A device without the credential that its function comes with; nothing was drawn."""

    def __init__(self, attribute: str) -> None:
        self.attribute = attribute
        super().__init__(f"{attribute}: its hash function comes with a token; give the device one")


class StateUnreadable(DiscretionError):
    """A device state that cannot be read: what it spent is unknown, so it counts as spent."""

    def __init__(self, path: str, detail: str) -> None:
        self.path, self.detail = path, detail
        super().__init__(f"{path}: cannot read the device's state ({detail}); it counts as spent")


class StateBusy(DiscretionError):
    """A device state that another process is writing to; nothing was drawn or charged."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path}: the device's state is in use by another process; try again")


class CollectorError(DiscretionError):
    """A collector that a device does not talk to, or that answers what no collector would."""

    def __init__(self, address: str, detail: str) -> None:
        self.address, self.detail = address, detail
        super().__init__(f"{address}: {detail}")


class CollectorUnreachable(CollectorError):
    """A collector that gives no answer, or asks to come later; what was to be sent is kept."""


class TokenNeeded(CollectorError):
    """A collector that wants a token, or another one; what was to be sent is kept."""


class PlanChanged(CollectorError):
    """A collector whose plan is not the one that the owner knows; nothing was sent."""

    def __init__(self, address: str, known: str, offered: str) -> None:
        self.known, self.offered = known, offered
        rule = f"its plan must be {known}, got {offered}"
        super().__init__(address, f"{rule}; nothing was sent (to accept a plan, name its id)")


class TableError(DiscretionError):
    """A file or frame that is not a table of reports."""


class RoundError(DiscretionError):
    """A round that cannot be what is asked of it."""

    def __init__(self, round: int, rule: str) -> None:
        self.round, self.rule = round, rule
        super().__init__(f"round {round} {rule}")


class UnknownRound(RoundError):
    """A round that there is not."""

    def __init__(self, round: int) -> None:
        super().__init__(round, "was never opened")


class MergeMismatch(DiscretionError):
    """Two aggregates that do not count the same thing."""

    def __init__(self, what: str, one: object, other: object) -> None:
        self.what, self.one, self.other = what, one, other
        super().__init__(f"cannot merge aggregates of different {what}: {one} and {other}")


class EngineError(DiscretionError):
    """An engine that there is not."""

    def __init__(self, rule: str, engine: object) -> None:
        self.rule, self.engine = rule, engine
        super().__init__(f"engine {rule}, got {engine!r}")


class EstimateError(DiscretionError):
    """A question that these reports cannot answer."""


class SmoothingWarning(UserWarning):
    """A smoothed density, which smears what lies at the ends of a range and in heaps."""


class EvidenceWarning(UserWarning):
    """The reports speak against an estimate; who shows the estimate shows this too."""


class DependenceWarning(EvidenceWarning):
    """Budget and value look dependent, so pooling over levels may be biased."""


class InteractionWarning(EvidenceWarning):
    """Attributes depend on each other in a way that an estimate has no terms for."""


class CalibrationWarning(EvidenceWarning):
    """Hardly any respondent can stand for people whose share is known."""


class AllocationWarning(EvidenceWarning):
    """Secret levels are not spread as the estimate takes them to be."""


def warn(message: str, category: type[Warning]) -> None:
    """Warn at the line of the caller's own code that called into this package, however deep."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _is_ours(frame.f_back.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level + 1)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in OURS
