"""The page for operators names every setting, path, problem, reason and metric that there is."""

import re

import pytest
from prometheus_client.parser import text_string_to_metric_families

from discretion import Plan
from discretion.collector import connections
from discretion.collector.admission import BODY_SECONDS
from discretion.collector.app import survey_app
from discretion.collector.bodies import MOST_REPORTS
from discretion.collector.lifespan import AT_ONCE, EACH, HELD, SHORT_AT_ONCE
from discretion.collector.metrics import Metrics
from discretion.collector.outcome import Outcome
from discretion.collector.problems import PROBLEMS
from discretion.collector.refusals import EXPLAINED
from discretion.collector.settings import SETTINGS
from discretion.collector.worker_pool import WAITING
from discretion.errors import Refusal
from tests.docs.settings import PAGE, page, parts, table

ROW = re.compile(r"^\| (?P<first>[^|]+) \|(?P<rest>.*)\|$", re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")
LEAST_WORDS = 3  # of an explanation


def section(heading: str) -> str:
    """Return the text under a heading, up to the next one."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", text, re.DOTALL | re.M)
    assert found is not None, f"{PAGE.name} has no section {heading!r}"
    return found[1]


def rows(heading: str) -> dict[str, list[str]]:
    """Return the cells of a section's table by the code in the first of them."""
    found: dict[str, list[str]] = {}
    for row in ROW.finditer(section(heading)):
        if name := CODE.match(row["first"]):
            assert name[1] not in found, f"{name[1]} stands twice under {heading!r}"
            found[name[1]] = [cell.strip() for cell in row["rest"].split("|")]
    return found


def test_the_settings_are_those_of_the_command() -> None:
    """To write them anew: python -m tests.docs.settings."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_table_has_a_row_a_setting() -> None:
    _, settings, _ = parts(PAGE.read_text(encoding="utf-8"))
    assert settings == table()
    assert all(f"| `{s.option}` | `{s.variable}` |" in settings for s in SETTINGS)


def test_a_setting_that_cannot_be_changed_is_documented_with_its_value() -> None:
    shown = " ".join(section("Settings").split())
    assert f"{MOST_REPORTS:,} reports in a request, {BODY_SECONDS:.0f} seconds for a body" in shown
    assert f"{HELD >> 20} MiB and {AT_ONCE:,} uploads under way, {EACH} of one address" in shown
    assert f"{SHORT_AT_ONCE} deletions, sign-ins and other short bodies under way" in shown
    assert f"{EXPLAINED} refusals of a request that are explained" in shown
    assert (
        f"{connections.HEADER_BYTES >> 10} KiB and {connections.HEADER_FIELDS} fields of a header"
        in shown
    )
    assert f"{connections.HEADER_SECONDS:.0f} seconds until a header is complete" in shown
    assert f"{connections.CONNECTIONS:,} connections" in shown
    assert f"{WAITING} questions waiting for each worker" in shown


def test_a_page_without_the_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="must have the lines"):
        parts("no settings here")


def test_every_path_and_method_stands_in_the_table() -> None:
    pets = {"name": "pet", "kind": "categorical", "values": ["cat", "dog"]}
    plan = Plan.of({"name": "pets", "attributes": [pets], "budget": {"levels": [1]}})
    described = survey_app(plan, Metrics()).openapi()["paths"]
    there = {
        f"{method.upper()} {path}" for path, methods in described.items() for method in methods
    }
    assert rows("Endpoints").keys() == there


def test_every_problem_stands_there_with_its_status_and_when_to_come_again() -> None:
    shown = {name: cells[:2] for name, cells in rows("Problems").items()}
    assert shown == {
        name: [str(problem.status), "" if problem.retry is None else f"{problem.retry} s"]
        for name, problem in PROBLEMS.items()
    }


def test_every_reason_is_explained() -> None:
    shown = rows("Why reports are refused")
    assert shown.keys() == set(map(str, Refusal))


@pytest.mark.parametrize("heading", ["Endpoints", "Problems", "Why reports are refused", "Metrics"])
def test_nothing_is_named_without_a_word_about_it(heading: str) -> None:
    short = {n: c[-1] for n, c in rows(heading).items() if len(c[-1].split()) < LEAST_WORDS}
    assert short == {}


def test_every_outcome_is_explained() -> None:
    assert {str(outcome) for outcome in Outcome} <= rows("Counters").keys()


def test_every_metric_stands_there() -> None:
    """Those that only tell when a counter was made are left out."""
    families = text_string_to_metric_families(Metrics().text().decode())
    names = {f.name + "_total" * (f.type == "counter") for f in families}
    assert {name for name in names if not name.endswith("_created")} == rows("Metrics").keys()
