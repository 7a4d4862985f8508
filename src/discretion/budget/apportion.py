"""Shares of an allowance, brought to the menu by largest remainder.

This is the specification; ``discretion.crowd.allocation`` does the same for many owners at once
and a test holds the two together.
"""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction

from discretion.budget.policy import Policy


def apportion(policy: Policy, weights: Sequence[Fraction], counts: Sequence[int]) -> list[int]:
    """Give everyone the least level and a weighted share of the rest, on the menu.

    Each target is rounded down to the menu; then, from the largest remainder to the smallest (ties:
    the first), one step up is given where what is left of the allowance pays for it.

    Some shares are those of several attributes (``counts``) that are one answer: all
    of them get the level that is returned, a step up is paid for all, and together they stay at or
    below the largest level there is.
    """
    shared, menus = sum(counts), [policy.menu_of(count) for count in counts]
    each = [w / count for w, count in zip(weights, counts, strict=True)]
    if (allowance := policy.allowance(shared)) is None:
        targets = [policy.menu[-1] * w / max(each) for w in each]
        return [m[max(bisect_right(m, t) - 1, 0)] for m, t in zip(menus, targets, strict=True)]
    floor = policy.floor(shared)
    rest, total = allowance - shared * floor, sum(weights)
    targets = [
        min(floor + rest * w / total, Fraction(m[-1])) for m, w in zip(menus, each, strict=True)
    ]
    indices = [bisect_right(m, t) - 1 for m, t in zip(menus, targets, strict=True)]
    remainders = [t - m[i] for m, t, i in zip(menus, targets, indices, strict=True)]
    left = allowance - sum(c * m[i] for c, m, i in zip(counts, menus, indices, strict=True))
    for j in sorted(range(len(weights)), key=lambda j: -remainders[j]):
        menu, i = menus[j], indices[j]
        step = counts[j] * (menu[min(i + 1, len(menu) - 1)] - menu[i])
        if remainders[j] > 0 and step <= left:
            indices[j], left = i + 1, left - step
    return [m[i] for m, i in zip(menus, indices, strict=True)]
