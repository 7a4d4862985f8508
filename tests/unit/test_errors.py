"""Errors that a program can act on, wherever they were raised."""

import pickle
from collections.abc import Iterator

from discretion.collector.errors import AccessDenied, StoreFull
from discretion.errors import (
    BudgetSpent,
    DiscretionError,
    EstimateError,
    MissingPackage,
    PlanChanged,
    PlanError,
    Refusal,
    ReportRefused,
)
from tests.cases import for_each

ERRORS = [
    PlanError("plan.yaml", "budget", "must be positive", -1),
    ReportRefused(Refusal.NOT_JSON, "no brace"),
    BudgetSpent(1000, 500, 1200),
    PlanChanged("https://example.org", "a" * 64, "b" * 64),
    StoreFull("sqlite:///reports.db"),
    AccessDenied("analyst", known=False),
    MissingPackage("plot()", "matplotlib", "plot", "matplotlib"),
    EstimateError("nobody shared 'x' in these reports"),
]


def kinds(of: type[DiscretionError] = DiscretionError) -> Iterator[type[DiscretionError]]:
    """Yield all classes of errors that there are."""
    yield of
    for kind in of.__subclasses__():
        yield from kinds(kind)


@for_each("kind", list(kinds()))
def test_every_kind_of_error_can_be_sent(kind: type[DiscretionError]) -> None:
    error = kind.__new__(kind, "what is wrong")
    vars(error).update(what="anything")
    found = pickle.loads(pickle.dumps(error))
    assert (type(found), str(found), vars(found)) == (kind, "what is wrong", {"what": "anything"})


@for_each("error", ERRORS)
def test_an_error_of_a_worker_is_the_same_here(error: DiscretionError) -> None:
    found = pickle.loads(pickle.dumps(error))
    assert type(found) is type(error)
    assert str(found) == str(error)
    assert vars(found) == vars(error)
