"""Problem documents (RFC 9457): one shape for every error, made from its class in one place."""

from dataclasses import dataclass, replace
from http import HTTPStatus

from starlette.responses import JSONResponse

from discretion.collector.errors import (
    AccessDenied,
    BodyRefused,
    Overloaded,
    StoreFull,
    StoreUnavailable,
)
from discretion.collector.outcome import Outcome, Verdict
from discretion.errors import DiscretionError, Refusal, RoundError, UnknownAttribute, UnknownRound

PREFIX = "urn:discretion:problem:"
CONTENT_TYPE = "application/problem+json"
NOTHING_LOST = "nothing that was acknowledged is lost"


@dataclass(frozen=True, slots=True)
class Problem:
    """A kind of problem: its name, its status, what it is in a few words, and when to try again."""

    name: str
    status: int
    title: str
    retry: int | None = None  # seconds

    def response(self, detail: str, **members: object) -> JSONResponse:
        """Return the response."""
        kind = {"type": PREFIX + self.name, "title": self.title, "status": self.status}
        headers = {} if self.retry is None else {"Retry-After": str(self.retry)}
        if self.status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        content = {**kind, "detail": detail, **members}
        return JSONResponse(content, self.status, headers, media_type=CONTENT_TYPE)


REFUSED = Problem("refused", 422, "The report is not what a device of this plan sends.")
TOO_EARLY = Problem("too_early", 425, "The round is not open yet.", 60)
CONFLICT = Problem("conflict", 409, "Other bytes were sent under this id before.")
DELETED = Problem("deleted", 410, "The report was deleted by its owner.")
UNAUTHORISED = Problem("unauthorised", 401, "A token is needed.")
FORBIDDEN = Problem("forbidden", 403, "The token does not have this role.")
OVERLOADED = Problem("overloaded", 429, "More at once than is taken.", 1)
UNAVAILABLE = Problem("unavailable", 503, "The store does not answer just now.", 2)
FULL = Problem("full", 507, "The store has no room.", 30)
NOT_FOUND = Problem("not_found", 404, "There is no such thing.")
UNKNOWN_RECEIPT = Problem("unknown_receipt", 404, "No report has this receipt.")
BAD_REQUEST = Problem("bad_request", 400, "This is not a request of HTTP/1.1.")
HEADER_TOO_LARGE = Problem("header_too_large", 431, "The header is too large.")
NOT_ALLOWED = Problem("method_not_allowed", 405, "The resource has no such method.")
INVALID = Problem("invalid", 422, "The request is not as it must be.")
CANNOT = Problem("cannot_answer", 422, "These reports cannot answer this question.")
ROUND = Problem("round", 409, "The round cannot be what is asked of it.")
FAILED = Problem("failed", 500, "The server failed.")
TOO_LONG = Problem("too_long", 504, "The answer took too long.")
BODIES = {
    "too_large": Problem("too_large", 413, "The body is too large."),
    "too_slow": Problem("too_slow", 408, "The body came too slowly."),
    "unsupported_type": Problem("unsupported_type", 415, "The body is of another kind."),
    "unsupported_encoding": Problem("unsupported_encoding", 415, "The encoding is not known."),
    "not_gzip": Problem("not_gzip", 400, "The body is not gzip."),
    "malformed": Problem("malformed", 400, "The body is not what it says it is."),
}


PROBLEMS = {
    problem.name: problem
    for problem in (
        *(REFUSED, TOO_EARLY, CONFLICT, DELETED, UNAUTHORISED, FORBIDDEN, OVERLOADED, UNAVAILABLE),
        *(FULL, NOT_FOUND, UNKNOWN_RECEIPT, NOT_ALLOWED, INVALID, CANNOT, ROUND, FAILED, TOO_LONG),
        *(BAD_REQUEST, HEADER_TOO_LARGE, *BODIES.values()),
    )
}


@dataclass(frozen=True, slots=True)
class ProblemDetail:
    """A problem with its detail, which another process may report."""

    name: str
    detail: str
    retry: int | None = None

    @property
    def fatal(self) -> bool:
        """Whether the process that reported it is of no more use."""
        return self.name in (FAILED.name, TOO_LONG.name)

    def response(self, detail: str | None = None, **members: object) -> JSONResponse:
        """Return the response, with another detail if there is one."""
        problem = replace(PROBLEMS[self.name], retry=self.retry or PROBLEMS[self.name].retry)
        return problem.response(detail or self.detail, **members)


class ReportedProblem(DiscretionError):
    """A problem that another process reported."""

    def __init__(self, problem: ProblemDetail) -> None:
        self.problem = problem
        super().__init__(problem.detail)


def problem_of(error: DiscretionError) -> ProblemDetail:
    """Return the problem that a deliberate error is."""
    match error:
        case ReportedProblem():
            return error.problem
        case BodyRefused():
            return ProblemDetail(error.name, error.detail)
        case Overloaded():
            return ProblemDetail(OVERLOADED.name, str(error), error.retry)
        case StoreFull():
            return ProblemDetail(FULL.name, f"{NOTHING_LOST}: try again later")
        case StoreUnavailable():
            return ProblemDetail(UNAVAILABLE.name, f"{NOTHING_LOST}: try again")
        case AccessDenied():
            return ProblemDetail(FORBIDDEN.name if error.known else UNAUTHORISED.name, str(error))
        case UnknownAttribute() | UnknownRound():
            return ProblemDetail(NOT_FOUND.name, str(error))
        case RoundError():
            return ProblemDetail(ROUND.name, str(error))
    return ProblemDetail(CANNOT.name, str(error))


def of_verdict(verdict: Verdict) -> JSONResponse:
    """Return the problem of a report that was not taken."""
    if verdict.outcome is Outcome.CONFLICT:
        return CONFLICT.response(verdict.detail)
    if verdict.outcome is Outcome.DELETED:
        return DELETED.response(verdict.detail)
    problem = TOO_EARLY if verdict.reason is Refusal.ROUND_NOT_OPEN else REFUSED
    return problem.response(verdict.detail, reason=str(verdict.reason))
