"""Every error is one shape, and every deliberate one has its problem."""

import json

from discretion import errors
from discretion.collector import errors as own
from discretion.collector.outcome import ACCEPTED, CONFLICT, DELETED, Outcome, refused, tally
from discretion.collector.problems import (
    BODIES,
    CONTENT_TYPE,
    PREFIX,
    PROBLEMS,
    ProblemDetail,
    ReportedProblem,
    of_verdict,
    problem_of,
)
from discretion.errors import DiscretionError, Refusal
from tests.cases import for_each

CASES: list[tuple[DiscretionError, str, int]] = [
    (own.Overloaded("much"), "overloaded", 429),
    (own.StoreFull("x.db"), "full", 507),
    (own.StoreUnavailable("x.db", "locked"), "unavailable", 503),
    (own.AccessDenied("analyse", known=True), "forbidden", 403),
    (own.AccessDenied("analyse", known=False), "unauthorised", 401),
    (errors.UnknownRound(3), "not_found", 404),
    (errors.RoundError(3, "is closed"), "round", 409),
    (errors.UnknownAttribute("shoes", ("mode",)), "not_found", 404),
    (errors.EstimateError("there are no reports"), "cannot_answer", 422),
    (errors.KindError("age", "grr", "a number", "frequencies()"), "cannot_answer", 422),
    (ReportedProblem(ProblemDetail("too_long", "it took longer")), "too_long", 504),
    *((own.BodyRefused(name, "so"), name, problem.status) for name, problem in BODIES.items()),
]


@for_each("error, name, status", CASES)
def test_a_deliberate_error_is_its_problem(error: DiscretionError, name: str, status: int) -> None:
    response = problem_of(error).response()
    document = json.loads(bytes(response.body))
    assert response.headers["content-type"] == CONTENT_TYPE
    assert (document["type"], document["status"]) == (PREFIX + name, status)
    assert response.status_code == status
    assert document["title"]
    assert document["detail"]
    assert ("retry-after" in response.headers) == (PROBLEMS[name].retry is not None)
    assert ("www-authenticate" in response.headers) == (status == 401)


def test_what_is_to_be_tried_again_says_when() -> None:
    later = {name for name, problem in PROBLEMS.items() if problem.retry is not None}
    assert later == {"too_early", "overloaded", "unavailable", "full"}
    response = problem_of(own.Overloaded("much", retry=17)).response()
    assert response.headers["retry-after"] == "17"


def test_only_what_ends_a_process_is_fatal() -> None:
    assert {name for name in PROBLEMS if ProblemDetail(name, "").fatal} == {"failed", "too_long"}


@for_each("reason", list(Refusal))
def test_every_refusal_has_its_answer(reason: Refusal) -> None:
    response = of_verdict(refused(reason, "why"))
    document = json.loads(bytes(response.body))
    early = reason is Refusal.ROUND_NOT_OPEN
    assert response.status_code == (425 if early else 422)
    assert ("retry-after" in response.headers) == early
    assert (document["reason"], document["detail"]) == (str(reason), "why")


def test_a_conflict_and_a_deleted_report_have_theirs() -> None:
    assert of_verdict(CONFLICT).status_code == 409
    assert of_verdict(DELETED).status_code == 410


def test_a_tally_counts_what_is_deleted_as_refused() -> None:
    verdicts = [ACCEPTED, CONFLICT, DELETED, ACCEPTED, refused(Refusal.NOT_JSON, "a")]
    assert tally(verdicts) == {
        (Outcome.ACCEPTED, ""): 2,
        (Outcome.CONFLICT, ""): 1,
        (Outcome.REFUSED, "deleted"): 1,
        (Outcome.REFUSED, "not_json"): 1,
    }
    assert tally([]) == {}
