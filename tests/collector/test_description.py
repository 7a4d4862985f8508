"""The server does what its description says, whatever is asked of it."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from discretion.collector.tokens import Role
from discretion.statistics.registry import LONGEST_CANDIDATE, MOST_CANDIDATES, STATISTICS
from tests.collector.crowds import crowd, everything, reports_of, send_all, token_of
from tests.collector.serving import Server

EXAMPLES = {
    "GET /health": 3,
    "GET /metrics": 3,
    "GET /v1/rows": 6,
    "GET /v1/joints": 12,
    **{f"GET /v1/{path}": 12 for path in ("histograms", "maxima", "minima", "variances")},
    **{f"GET /v1/{path}": 6 for path in ("binned", "cdf", "comparisons", "fits", "ranges")},
}
ORDINARY = 24
PATIENCE = 600  # seconds: two cores, and others at work
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
OPERATIONS = (
    *("GET /health", "GET /metrics", "GET /v1/acts", "GET /v1/aggregates", "GET /v1/counters"),
    *("GET /v1/export", "GET /v1/invitation", "GET /v1/plan", "GET /v1/results", "GET /v1/rounds"),
    *("GET /v1/focus", "GET /v1/rows", "GET /v1/survey"),
    *(f"GET /v1/{statistic.path}" for statistic in STATISTICS.values()),
    *("POST /v1/deletions", "POST /v1/reports", "POST /v1/rounds"),
    "POST /v1/rounds/{round}/close",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Some reports are there, so that there is something to tell."""
    plan = everything()
    with Server(tmp_path_factory.mktemp("described"), plan) as running:
        send_all(running, reports_of(crowd(plan, 400, 3)))
        yield running


@pytest.fixture(scope="module")
def described(server: Server) -> Any:
    return schemathesis.openapi.from_url(f"{server.url}/openapi.json")


def operations(described: Any) -> dict[str, Any]:
    return {found.ok().label: found.ok() for found in described.get_all_operations()}


def test_all_operations_are_described(described: Any) -> None:
    assert sorted(operations(described)) == sorted(OPERATIONS)


def test_a_query_that_no_header_has_room_for_is_refused_as_described(described: Any) -> None:
    operation = operations(described)["GET /v1/frequencies"]
    candidates = ["a" * LONGEST_CANDIDATE] * MOST_CANDIDATES
    case = operation.Case(query={"attribute": "pet", "candidates": candidates})
    assert case.call_and_validate(checks=CHECKS).status_code == 431


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("label", OPERATIONS)
def test_answers_are_as_described(
    server: Server, described: Any, label: str, mode: GenerationMode
) -> None:
    operation = operations(described)[label]
    if mode is GenerationMode.NEGATIVE and not (operation.query or operation.body):
        return  # there is nothing to be wrong
    names = (*server.plan.names, "nobody's")
    examples = EXAMPLES.get(label, ORDINARY) // (1 if mode is GenerationMode.POSITIVE else 2)

    @seed(7)
    @settings(
        max_examples=max(examples, 1),
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=mode), st.randoms(use_true_random=False))
    def answers(case: Any, rng: random.Random) -> None:
        if mode is GenerationMode.POSITIVE and case.query:
            if "attribute" in case.query:
                case.query["attribute"] = rng.choice(names)
            if "attributes" in case.query:
                case.query["attributes"] = rng.sample(names, rng.choice((1, 2, 2, 3)))
            if rng.random() < 0.8:
                case.query.pop("round", None)
            if rng.random() < 0.8:
                case.query.pop("count", None)
        case.call_and_validate(checks=CHECKS, timeout=PATIENCE)

    answers()


def test_it_is_well_afterwards(server: Server) -> None:
    assert server.get("/health").status == 200
    assert "Traceback" not in server.stderr


PHASES, EXAMPLES_EACH = "examples,coverage,fuzzing,stateful", 500
CONFIG = Path(__file__).with_name("schemathesis.toml")


@pytest.mark.slow
@pytest.mark.parametrize("with_token", [True, False], ids=["token", "no token"])
def test_all_checks_and_phases_find_nothing(tmp_path: Path, with_token: bool) -> None:
    plan, number = everything(), random.SystemRandom().randrange(1 << 32)
    with Server(tmp_path, plan, open="upload", patience=60) as own:
        send_all(own, reports_of(crowd(plan, 200, 3)))
        secret = token_of(own, "fuzz", *Role)
        header = ["--header", f"Authorization: Bearer {secret}"] if with_token else []
        program = [
            str(Path(sys.executable).with_name("schemathesis")),
            "--config-file",
            str(CONFIG),
        ]
        asked = ["run", f"{own.url}/openapi.json", "--checks", "all", "--phases", PHASES]
        more = ["--max-examples", str(EXAMPLES_EACH), "--mode", "all", "--seed", str(number)]
        loose = ["--suppress-health-check", "all", "--continue-on-failure", "--no-color"]
        done = subprocess.run(
            [*program, *asked, *more, *loose, *header], cwd=tmp_path, text=True, capture_output=True
        )
        print(done.stdout[done.stdout.find("SUMMARY") :])
        assert done.returncode == 0, done.stdout
        assert own.get("/v1/counters", secret).status == 200
        assert "Traceback" not in own.stderr
