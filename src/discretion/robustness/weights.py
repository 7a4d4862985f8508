"""How much of an estimate each level carries.

The more a level tells, the more its reports count: so whoever wants to count much chooses the
highest one. The shares of the weight show how much hangs on that.
"""

from typing import NamedTuple

import numpy as np

from discretion.estimate.bits import CodedLevels, spectra
from discretion.estimate.columns import MatrixLevels, channel
from discretion.estimate.evidence import Data, Evidence
from discretion.estimate.linear import capped, weights_of
from discretion.estimate.noise import Vector


class Weight(NamedTuple):
    """One level's part in the weighted estimate."""

    level: int  # in thousandths
    reports: int
    share: float  # of the weight


def weights(data: Data, attribute: str, cap: float | None = None) -> list[Weight]:
    """Return the reports of each level and their share of the weight, from the smallest level up.

    Of words of bits, and of columns of a matrix, the share of the information (its trace).
    """
    evidence = Evidence.of(data, attribute)
    if evidence.tallies or cap is not None:
        each = weights_of(evidence.sets)
    elif evidence.bits:
        each = _traces(evidence.coded_levels)
    else:
        each = _of_columns(evidence.matrix_levels)
    found = zip(evidence.reports_by_level.items(), capped(each, cap), strict=True)
    return [Weight(level, reports, float(share)) for (level, reports), share in found]


def _of_columns(levels: MatrixLevels) -> Vector:
    """Return the trace of each level's information about contrasts."""
    each = [tally.n * (np.trace(channel(law).information) - law.size) for law, tally in levels]
    return np.array(each)


def _traces(levels: CodedLevels) -> Vector:
    """Return the trace of each level's information."""
    own = spectra(levels[0][0].coding)
    each = ([float(s.weights(law) @ s.values) for s in own] for law, _ in levels)
    rows = zip(each, levels, strict=True)
    return np.array([tally.reports @ np.array(traces) for traces, (_, tally) in rows])
