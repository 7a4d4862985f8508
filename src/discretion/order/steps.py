"""Ranges to choose from: a domain in parts with round ends, and the error of any run of parts.

A page has all that a range needs, so that it answers at once while somebody drags the ends.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, log10

import numpy as np

from discretion.estimate.documents.numbers import Steps
from discretion.estimate.noise import Matrix, Vector
from discretion.order.evidence import OrderEvidence
from discretion.order.result import Ends
from discretion.order.tree import Cuts
from discretion.schema import Attribute, Numeric

MOST = 64  # parts, but for two at the ends


@dataclass(frozen=True, eq=False)
class StepwiseRanges:
    """The shares of the runs of neighbouring parts: of those from ``i`` up to before ``j``."""

    first: list[Ends]  # the least value of each part
    last: list[Ends]  # the largest one
    below: Vector  # (parts + 1,): the share below each cut
    deviations: Matrix  # (redraws, parts + 1): how far those of crowds drawn anew are off

    def document(self) -> Steps:
        """Return it for machines: standard errors of the run from a cut to each later one."""
        errors = [
            np.sqrt(((self.deviations[:, i + 1 :] - own[:, None]) ** 2).mean(axis=0))
            for i, own in enumerate(self.deviations.T[:-1])
        ]
        return Steps(
            first=[str(end) for end in self.first],
            last=[str(end) for end in self.last],
            below=self.below.round(6).tolist(),
            stderr=[each.round(6).tolist() for each in errors],
        )


def steps(evidence: OrderEvidence) -> StepwiseRanges:
    """Return the runs of about ``MOST`` parts; of a number they end at round ones."""
    domain = evidence.attribute
    cuts = _cuts(domain)
    first, last = ([_value(domain, int(code)) for code in at] for at in (cuts[:-1], cuts[1:] - 1))
    return StepwiseRanges(first, last, evidence.below(cuts), evidence.deviations(cuts))


def _cuts(domain: Attribute) -> Cuts:
    number = domain.number
    if number is None or number.calendar or number.size <= MOST:
        inner = range(0, domain.size, -(-domain.size // MOST))
        return np.array([*inner, domain.size], np.int64)
    width = _width(number)
    places = range(
        floor(number.low * number.unit / width) + 1, ceil(number.high * number.unit / width)
    )
    found = (ceil((place * width / number.unit - number.low) / number.stride) for place in places)
    return np.unique([0, *found, number.size])


def _width(number: Numeric) -> Fraction:
    """Return the least of 1, 2, 5 times a power of ten that makes few parts enough."""
    least = (number.high - number.low) * number.unit / MOST
    power = Fraction(10) ** floor(log10(least))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= least)


def _value(domain: Attribute, code: int) -> Ends:
    number = domain.number
    if number is None:
        return domain.labels[code]
    return float((number.low + code * number.stride) * number.unit)
