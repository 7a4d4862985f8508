"""What a collector answers, and how it describes itself: documents that clients rely on.

``python -m tests.golden.answers`` writes both files anew. A difference is a change of the HTTP
interface: the changelog must name it.
"""

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from discretion.collector.app import survey_app
from discretion.collector.metrics import Metrics
from discretion.collector.outcome import Incoming
from discretion.collector.problems import problem_of
from discretion.collector.questions import answer
from discretion.collector.store import Store, open_store
from discretion.errors import DiscretionError
from discretion.plan import Plan
from tests.builders import bundled_survey, secret_survey
from tests.collector.crowds import crowd, everything
from tests.plans import HOME, INCOME, MODE, RANGES, author

HERE = Path(__file__).parent
ANSWERS, DESCRIPTION = HERE / "answers.json", HERE / "openapi.json"
OWNERS, SEED = 150, 5
Asked = tuple[str, dict[str, Any]]


def coded() -> Plan:
    """Words of bits in cohorts, and a number in parts of its range."""
    mechanism = {"rappor": {"hashes": 2, "bits": 14, "cohorts": 3}}
    asked = [{**MODE, "mechanism": mechanism}, HOME, {**INCOME, "ranges": RANGES}]
    return Plan.of(author(attributes=asked))


PLANS: Mapping[str, Callable[[], Plan]] = {
    "bundled": bundled_survey,
    "secret": secret_survey,
    "coded": coded,
}


def questions(plan: Plan) -> Iterator[Asked]:
    """Yield what the routes and the dashboard ask of a plan."""
    for name in plan.names:
        of = {"attribute": name, "round": 0}
        for method in ("auto", "mle", "stratified"):
            yield "frequencies", {**of, "method": method, "target": "population", "cap": None}
        capped = {"method": "weighted", "target": "owners", "cap": 0.5}
        yield "frequencies", {**of, **capped}
        for method in ("auto", "unweighted"):
            yield "mean", {**of, "method": method, "target": "population"}
        yield "quantiles", {**of, "at": [0.25, 0.5], "margins": False}
        yield "screening", of
    one, other, *_ = plan.attributes
    for method in ("auto", "tensor"):
        yield "joint", {"attributes": [one, other], "round": 0, "method": method}
    for question in ("overview", "curves", "screenings", "dependence"):
        yield question, {"round": 0}


def documents() -> dict[str, Any]:
    """Return the answer to each question, or the problem where there is none."""
    found = {}
    for key, make in PLANS.items():
        with tempfile.TemporaryDirectory() as folder:
            store = open_store(f"sqlite:///{folder}/reports.db", make())
            with closing(store):
                sent = crowd(store.plan, OWNERS, SEED).to_reports()
                store.put([Incoming(r.round, bytes.fromhex(r.id), r.to_bytes()) for r in sent])
                for question, values in questions(store.plan):
                    named = json.dumps({"plan": key, "question": question, **values})
                    found[named] = _answered(store, question, values)
    return found


def description() -> Any:
    """Return the OpenAPI description of a collector."""
    return survey_app(everything(), Metrics()).openapi()


def _answered(store: Store, question: str, values: dict[str, Any]) -> Any:
    try:
        return answer(store, question, values)
    except DiscretionError as error:
        problem = problem_of(error)
        return {"problem": problem.name, "detail": problem.detail}


if __name__ == "__main__":
    lines = [f"{json.dumps(asked)}: {json.dumps(found)}" for asked, found in documents().items()]
    ANSWERS.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    DESCRIPTION.write_text(json.dumps(description(), indent=1) + "\n", "utf-8")
