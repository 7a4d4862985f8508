"""A device under a variant of local privacy: what it sends, and what it promises first."""

from typing import Any

import pytest

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.device.promise import total_cost
from discretion.errors import Refusal, ReportRefused
from discretion.plan import Plan
from discretion.report import Answer, Report, read
from tests.plans import HOME, MODE, author

PROMISES: list[tuple[Any, list[str]]] = [
    (
        {"idldp": {"shares": {"bike": 0.5}}},
        [
            (
                "mode, level 2, idldp: two values are told apart by at most the smaller of their "
                "parts of the level, of which bike has 0.5."
            ),
            "  The odds between the two values that are told apart best grow at most 3.8 times.",
            "  The ledger charges 1.313 for it.",
        ],
    ),
    (
        {"uldp": {"sensitive": ["bike", "walk"]}},
        [
            (
                "mode, level 2, uldp: a report of bike, walk tells any two values apart by at most "
                "the level; other reports are open, and true."
            ),
            "  Reports that are not open shift the odds between two values at most 7.4 times.",
            "  The ledger charges 2 for it.",
        ],
    ),
    (
        {"metric": {"scale": 2}},
        [
            (
                "mode, level 2, metric: two values are told apart by at most the level times their "
                "distance, which is 2 from car to walk."
            ),
            "  The odds between the two values that are told apart best grow at most 54.6 times.",
            "  The ledger charges 4 for it.",
        ],
    ),
]


def plan_of(mechanism: Any) -> Plan:
    return Plan.of(
        author(attributes=[{**MODE, "mechanism": mechanism}, HOME], budget={"levels": [1, 2]})
    )


@pytest.mark.parametrize("mechanism, said", PROMISES, ids=str)
def test_the_promise_names_the_variant_and_its_bound(mechanism: Any, said: list[str]) -> None:
    plan = plan_of(mechanism)
    with State() as state:
        promised = Device(plan, state).promise(Budget.of(plan, {"mode": 2, "home": 1})).splitlines()
    assert (
        promised[0]
        == "The contract is attribute, except for mode: a variant, with the bound below."
    )
    assert promised[1:4] == said
    apart = ", apart from open answers to mode, which have no bound" if "uldp" in mechanism else ""
    assert promised[-4].endswith(f" times{apart}.")


@pytest.mark.parametrize("mechanism, _", PROMISES, ids=str)
def test_a_report_has_one_byte_and_is_read_again(mechanism: Any, _: object) -> None:
    plan = plan_of(mechanism)
    with State() as state:
        device = Device(plan, state)
        budget = Budget.of(plan, {"mode": 2, "home": 1})
        report = device.report({"mode": "bike", "home": "town"}, budget)
        assert len(report.answers["mode"].y) == 1
        assert report.answers["mode"].y[0] < 5
        assert read(plan, report.to_bytes()) == report
        assert device.spent == total_cost(plan, budget) == state.granted()


def test_a_column_that_is_not_there_is_refused() -> None:
    plan = plan_of("metric")
    forged = Report(plan.id, 0, "00" * 16, {"mode": Answer(2000, b"\x05", None)})
    with pytest.raises(ReportRefused) as refused:
        read(plan, forged.to_bytes())
    assert refused.value.reason is Refusal.IMPOSSIBLE_OUTPUT


def test_a_sensitive_value_is_never_reported_openly() -> None:
    plan = plan_of({"uldp": {"sensitive": ["bike", "walk"]}})
    sent = set()
    for _ in range(60):
        with State() as state:
            report = Device(plan, state).report({"mode": "bike"}, Budget.of(plan, {"mode": 1}))
            sent.add(report.answers["mode"].y[0])
    assert sent == {3, 4}
