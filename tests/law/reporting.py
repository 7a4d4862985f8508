"""The exact distribution of a device's reports: it is run on all random choices there are."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar
from unittest import mock

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.plan import Plan
from discretion.randomness import Source
from tests.contract.enumeration import distribution

WASTE = Fraction(1, 10**6)  # of the ratio, as in the conformance suite
Reports = dict[bytes, Fraction]
T = TypeVar("T")


def reports_of(plan: Plan, record: Mapping[str, object], budget: Budget) -> Reports:
    """Return the chance of every report that a device may make of a record."""
    with (
        mock.patch("discretion.device.device.system") as system,
        mock.patch("secrets.token_bytes", return_value=bytes(32)),
    ):

        def report(source: Source) -> bytes:
            system.return_value = source
            with State() as state:
                return Device(plan, state).report(record, budget).to_bytes()

        return distribution(report)


def worst(one: Mapping[T, Fraction], other: Mapping[T, Fraction]) -> Fraction:
    """Return the largest ratio between the chances of an outcome; both can give all of them."""
    assert one.keys() == other.keys()
    more, less = 0, 1
    for outcome, probability in one.items():
        its = other[outcome]
        above = probability.numerator * its.denominator
        below = probability.denominator * its.numerator
        if above * less > more * below:
            more, less = above, below
    return Fraction(more, less)
