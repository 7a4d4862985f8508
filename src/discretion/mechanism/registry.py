"""The mechanisms that a plan may name. What is registered here joins the conformance suite."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from discretion.mechanism.choice import grr
from discretion.mechanism.law import Law, Mechanism
from discretion.mechanism.subset import subset
from discretion.mechanism.unary import oue, sue

MECHANISMS: Mapping[str, Mechanism] = MappingProxyType(
    {"grr": grr, "sue": sue, "oue": oue, "subset": subset}
)

SECRET = ("oue",)  # their reports do not state the level; a subset's size, say, would tell it


@cache
def law(mechanism: str, size: int, level: int) -> Law:
    """Return the law of a registered mechanism for a domain and a level."""
    return MECHANISMS[mechanism](size, level)
