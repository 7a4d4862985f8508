"""Devices that are programs: the one in JavaScript passes, and planted bugs are found."""

import os
import shutil
import sys
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from discretion.auditing import Audit, Part, audit
from discretion.auditing.program import Program
from discretion.auditing.reports import uneven_budget
from discretion.errors import DiscretionError
from discretion.plan import Plan
from tests import plans
from tests.unit.auditing.test_record import ALL, A, B, kinds

HERE = Path(__file__).parent
JAVASCRIPT = Path(__file__).parents[3] / "clients" / "js" / "bin" / "reports.js"
PLANS = {
    **ALL,
    "hashed": plans.hashed_commuters,
    "assigned": plans.assigned_commuters,
    "texts": plans.texts,
}
SMALL = Plan.of({"name": "two", "attributes": [A, B], "budget": {"levels": [0.5, 1, 2, 4]}})
LOW = Plan.of({"name": "low", "attributes": [A, B], "budget": {"levels": [0.5, 4]}})


@pytest.fixture(scope="module")
def node() -> str:
    """Skip where there is no Node, but not where all is tested."""
    found = shutil.which("node")
    if found is None:
        assert not os.environ.get("CI"), "node must be there"
        pytest.skip("node is not there")
    return found


QUICK = ("secret", "sampled", "bundled numbers", "assigned", "texts")  # between them, all ways


@pytest.mark.parametrize("kind", kinds(PLANS, *QUICK))
def test_the_device_in_javascript_passes(node: str, kind: str) -> None:
    found = audit(PLANS[kind](), 100, [node, str(JAVASCRIPT)])
    assert found.passes, found
    parts = {finding.part for finding in found.findings}
    assert parts == {Part.SAMPLES, Part.RECORD, Part.ROUNDS}


@pytest.mark.slow
def test_what_the_device_in_javascript_reveals_is_measured(node: str) -> None:
    found = audit(SMALL, 10_000, [node, str(JAVASCRIPT)])
    assert found.passes, found
    assert [finding.claim for finding in found.findings] == [4, 2, 4, 2, 6, 6, 12]
    assert all(finding.loss > finding.claim / 2 for finding in found.findings[:2])


def test_the_device_in_javascript_says_what_is_wrong(node: str, tmp_path: Path) -> None:
    broken = tmp_path / "reports.mjs"
    text = JAVASCRIPT.read_text().replace("../src/", f"{JAVASCRIPT.parents[1]}/src/")
    broken.write_text(text.replace("encoded(first)", "encoded(first + ' ')"))
    with pytest.raises(DiscretionError, match=r"exit status 1: .*not_canonical"):
        audit(SMALL, 100, [node, str(broken)])


def peculiar(bug: str, plan: Plan = SMALL, samples: int = 100) -> Audit:
    return audit(plan, samples, [sys.executable, str(HERE / "peculiar.py"), bug])


def test_a_sound_program_passes_and_is_started_once_for_each_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[Popen[bytes]] = []

    def start(*arguments: Any, **options: Any) -> Popen[bytes]:
        started.append(Popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr("discretion.auditing.program.Popen", start)
    assert peculiar("none").passes
    assert [process.returncode for process in started] == [0, 0, 0]


def test_a_process_is_ended_if_nobody_reads_on() -> None:
    program = Program.of([sys.executable, str(HERE / "peculiar.py"), "endless"])
    record = {"a": "no", "b": "x"}
    sent = program.send(SMALL, uneven_budget(SMALL), [[record], [record]], 100)
    assert len(next(sent)) == 100
    sent.close()  # without an end of the process this would wait for it forever


def test_an_id_that_reveals_a_value_is_found() -> None:
    found = peculiar("id", samples=300)
    broken = [finding.subject for finding in found.failures if finding.part is Part.RECORD]
    assert broken == ["reports that differ in b alone"]


def test_a_device_that_forgets_what_it_said_is_found() -> None:
    (found,) = peculiar("forgetful").failures
    assert (found.part, found.subject) == (Part.ROUNDS, "the same record in two rounds")
    assert found.how.startswith("the answer was drawn anew; ")


def test_a_level_that_is_not_the_stated_one_is_found() -> None:
    found = peculiar("bold", LOW, 500)
    assert {finding.part for finding in found.failures} >= {Part.SAMPLES, Part.RECORD}
    assert "device" in found.title


def test_what_is_no_device_is_refused() -> None:
    refused = {
        "few": r"must write 200 reports, a line each, got 198",
        "many": r"must write 200 reports, a line each, got 202",
        "dead": r"must write 200 reports, a line each, got 100",
        "plan": r"line 1 is no report of the plan: .*plan must be",
        "loud": r"exit status 1: the device is out of order",
        "torn": r"exit status 1: the device broke down",
    }
    for bug, message in refused.items():
        with pytest.raises(DiscretionError, match=message):
            peculiar(bug)


def test_what_is_no_command_is_refused() -> None:
    for command in ("", "node 'reports.js"):
        with pytest.raises(DiscretionError, match="must be a command"):
            audit(SMALL, device=command)
    with pytest.raises(DiscretionError, match="no-such-command: cannot be started: No such file"):
        audit(SMALL, device="no-such-command")
    with pytest.raises(DiscretionError, match="must have a plan"):
        audit(device="node")
