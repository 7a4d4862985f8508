"""A version of the public results as it is published, in JSON and on the page."""

from collections.abc import Sequence
from typing import TypedDict

from discretion.web.dashboard.documents import TriedLabels, TriedNumber, TriedOther


class Renewed(TypedDict):
    """The version in which an estimate was renewed last: it may be older than the others."""

    key: str
    answers: int
    version: int
    day: str


class Labels(TriedLabels, Renewed):
    """How frequent the values of an attribute are."""


class Number(TriedNumber, Renewed):
    """The mean of a number, and its density."""


class Other(TriedOther, Renewed):
    """Any other statistic of an attribute."""


Estimate = Labels | Number | Other


class Version(TypedDict):
    """All that is published about a round."""

    plan: str
    round: int
    version: int
    day: str
    reports: int
    least: int
    estimates: Sequence[Estimate]
