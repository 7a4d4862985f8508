"""The exact distribution of a device's reports: it is run on all random choices there are."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from unittest import mock

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.plan import Plan
from discretion.randomness import Source
from tests.contract.enumeration import distribution

WASTE = Fraction(1, 10**6)  # of the ratio, as in the conformance suite
Reports = dict[bytes, Fraction]


def reports_of(plan: Plan, record: Mapping[str, object], budget: Budget) -> Reports:
    """Return the chance of every report that a device may make of a record."""
    return distribution(partial(_report, plan, record, budget))


def _report(plan: Plan, record: Mapping[str, object], budget: Budget, source: Source) -> bytes:
    with (
        State() as state,
        mock.patch("discretion.device.device.system", return_value=source),
        mock.patch("secrets.token_bytes", return_value=bytes(32)),
    ):
        return Device(plan, state).report(record, budget).to_bytes()


def worst(one: Reports, other: Reports) -> Fraction:
    """Return the largest ratio between the chances of a report; both can give all of them."""
    assert one.keys() == other.keys()
    return max(one[data] / other[data] for data in one)
