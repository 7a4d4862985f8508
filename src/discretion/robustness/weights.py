"""How much of an estimate each level carries.

The more information a level carries, the more its reports count: so an attacker
chooses the highest one. The shares of the weight show how much depends on that.
"""

from typing import NamedTuple

import numpy as np

from discretion.aggregate import Evidence
from discretion.budget.level import level_of
from discretion.errors import EstimateError
from discretion.numbers.mean import centred, decoded, weights_of
from discretion.numbers.number_evidence import Data, NumberEvidence, evidence_of


class Weight(NamedTuple):
    """One level's part in the weighted estimate."""

    level: int  # in thousandths
    reports: int
    share: float  # of the weight


def weights(data: Data | Evidence, attribute: str, cap: float | None = None) -> list[Weight]:
    """Return the reports of each level and their share of the weight, from the smallest level up.

    Of codewords, and of columns of a matrix, the share of the information (its trace). Of numbers,
    of the weight in the mean; reports that cannot be decoded have none.
    """
    evidence = evidence_of(data, attribute)
    if isinstance(evidence, NumberEvidence):
        return _of_number(evidence, cap)
    shares = evidence.pooled(cap).shares.tolist()
    found = [(level_of(own), n) for own, n in evidence.reports_by_level.items()]
    return [
        Weight(
            level,
            sum(n for own, n in found if own == level),
            sum(share for (own, _), share in zip(found, shares, strict=True) if own == level),
        )
        for level in dict.fromkeys(level for level, _ in found)
    ]


def _of_number(evidence: NumberEvidence, cap: float | None) -> list[Weight]:
    if cap is not None:
        raise EstimateError(f"a cap is for labels, and {evidence.attribute!r} is a number")
    parts = decoded(evidence)
    own = weights_of(parts, *centred(evidence))
    levels = np.array([part.level for part in parts])
    n = np.array([part.n for part in parts])
    return [
        Weight(v, int(n[levels == v].sum()), float(own[levels == v].sum() / own.sum()))
        for v in sorted(set(levels.tolist()))
    ]
