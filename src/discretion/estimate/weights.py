"""How much of an estimate each level carries.

The more a level tells, the more its reports count: so whoever wants to count much chooses the
highest one. The shares of the weight show how much hangs on that.
"""

from typing import NamedTuple

import numpy as np

from discretion.aggregate import Aggregate
from discretion.estimate.bits import CodedLevels, spectra
from discretion.estimate.evidence import Evidence
from discretion.estimate.linear import capped, weights_of
from discretion.estimate.noise import Vector
from discretion.table import Reports


class Weight(NamedTuple):
    """One level's part in the weighted estimate."""

    level: int  # in thousandths
    reports: int
    share: float  # of the weight


def weights(data: Reports | Aggregate, attribute: str, cap: float | None = None) -> list[Weight]:
    """Return the reports of each level and their share of the weight, from the smallest level up.

    Of words of bits, the share of the information (its trace).
    """
    evidence = Evidence.of(data, attribute)
    if evidence.bits and cap is None:
        shares, tallies = capped(_traces(evidence.coded_levels), cap), evidence.bits.items()
        return [Weight(v, t.n, float(s)) for (v, t), s in zip(tallies, shares, strict=True)]
    shares = capped(weights_of(evidence.sets), cap)
    found = zip(evidence.tallies.items(), shares, strict=True)
    return [Weight(level, tally.n, float(share)) for (level, tally), share in found]


def _traces(levels: CodedLevels) -> Vector:
    """Return the trace of each level's information."""
    own = spectra(levels[0][0].coding)
    each = ([float(s.weights(law) @ s.values) for s in own] for law, _ in levels)
    rows = zip(each, levels, strict=True)
    return np.array([tally.reports @ np.array(traces) for traces, (_, tally) in rows])
