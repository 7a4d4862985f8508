"""How much of an estimate each level carries.

The more information a level carries, the more its reports count: so an attacker
chooses the highest one. The shares of the weight show how much depends on that.
"""

from typing import NamedTuple

from discretion.aggregate import Data, Evidence


class Weight(NamedTuple):
    """One level's part in the weighted estimate."""

    level: int  # in thousandths
    reports: int
    share: float  # of the weight


def weights(data: Data, attribute: str, cap: float | None = None) -> list[Weight]:
    """Return the reports of each level and their share of the weight, from the smallest level up.

    Of codewords, and of columns of a matrix, the share of the information (its trace).
    """
    evidence = Evidence.of(data, attribute)
    shares = evidence.pooled(cap).shares
    found = zip(evidence.reports_by_level.items(), shares.tolist(), strict=True)
    return [Weight(level, reports, share) for (level, reports), share in found]
