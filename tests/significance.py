"""One level of significance for every statistical test, and one test of counts against a law."""

from collections.abc import Mapping
from fractions import Fraction

from scipy import stats

ALPHA = 1e-6
FEWEST = 10  # expected counts below this are pooled: the chi-square law needs them that large


def p_value(seen: Mapping[int, int], law: Mapping[int, Fraction]) -> float:
    """Return the p-value of Pearson's chi-square test that counts follow a law."""
    draws = sum(seen.values())
    if any(y not in law for y in seen):
        return 0.0
    observed, expected, pooled_seen, pooled = [], [], 0, 0.0
    for y in sorted(law, key=law.__getitem__):
        pooled_seen, pooled = pooled_seen + seen.get(y, 0), pooled + draws * float(law[y])
        if pooled >= FEWEST:
            observed.append(pooled_seen)
            expected.append(pooled)
            pooled_seen, pooled = 0, 0.0
    if pooled_seen or pooled:
        observed[-1] += pooled_seen
        expected[-1] += pooled
    return float(stats.chisquare(observed, expected).pvalue)
