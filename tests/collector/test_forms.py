"""Forms of three makers are imported and served: the owner's page loads, and an answer arrives."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from discretion.budget import Budget
from discretion.cli.main import main
from discretion.device import Device, Outcome, State, UploadClient
from discretion.plan import Plan
from tests.collector.serving import FIRST, Server
from tests.workbooks import FORMS, workbook

RECORDS: dict[str, dict[str, object]] = {
    "kobo": {"people": 3, "tenure": "rented", "rent": 812.5, "transport": "bus"},
    "odk": {
        "consent": "yes",
        "born": "1981-03-05",
        "work": "employed",
        "shift": "07:30",
        "region": "north",
        "satisfied": 7,
        "visit": "2026-02-01",
    },
    "household": {
        "HL4": "2",
        "HL6": 41,
        "ED4": "1",
        "ED5": "2",
        "ED6": 11,
        "WS1": "31",
        "WS4": 25,
        "AN8": 12.3,
    },
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the three, whose plans are those that the command wrote."""
    folder = tmp_path_factory.mktemp("forms")
    plans = {name: commanded(workbook(folder / f"{name}.xlsx", FORMS[name])) for name in FORMS}
    with Server(folder, plans.pop("kobo"), beside=plans) as running:
        yield running


def commanded(form: Path) -> Plan:
    """Return the plan that ``discretion plan import`` writes."""
    plan = form.with_suffix(".yaml")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["discretion", "plan", "import", str(form), "-o", str(plan)])
        with pytest.raises(SystemExit) as end:
            main()
    assert end.value.code == 3  # rows are left out
    return Plan.load(plan)


@pytest.mark.parametrize("name", FORMS)
def test_an_imported_form_is_served_and_answered(name: str, server: Server, tmp_path: Path) -> None:
    site = server.under(FIRST if name == "kobo" else name)
    page = site.get("/")
    assert (page.status, b"<main" in page.body) == (200, True)
    assert site.get("/v1/plan").body == site.plan.to_bytes()
    survey = site.get("/v1/survey").json()
    assert {*survey["stops"]} >= {*site.plan.attributes}
    with State(tmp_path / "owner.sqlite") as state:
        client = UploadClient(site.url, state)
        device = Device(client.plan(), state)
        device.report(RECORDS[name], Budget.even(site.plan))
        ((_, body),) = device.outbox()
        assert {*json.loads(body)["answers"]} == {*RECORDS[name]}
        (delivery,) = client.deliver()
    assert delivery.outcome is Outcome.ACCEPTED
