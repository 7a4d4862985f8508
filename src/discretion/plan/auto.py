"""``mechanism: auto``: the least variance of all mechanisms whose report is not too long.

Subset selection is the best of all where codes are equally frequent (Ye and Barg 2018,
arXiv:1702.00610), so it is taken wherever its report fits, a bit for each code. Of the others that
fit, the one is best whose variance there has the smallest geometric mean over the menu: it is the
same whatever the unit, and no level outweighs the rest.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import log

from discretion.mechanism.registry import MECHANISMS, law
from discretion.plan.field import Field

AUTO, BYTES = "auto", "bytes"
BEST = "subset"
MOST_BYTES = 512  # of a report, unless the author says otherwise: a bit for each of 4,096 codes
ANY = 1000  # a level: the length of a report is the same at each
MOST_LEVELS = 64  # that are looked at, of a menu that has more


def wished_bytes(field: Field | None) -> int | None:
    """Return how long a report may be where a mechanism is left open; None: one is named."""
    if field is None or field.value == AUTO:
        return MOST_BYTES
    if not isinstance(field.value, Mapping) or AUTO not in field.value:
        return None
    return field.mapping((AUTO,))[AUTO].mapping((BYTES,))[BYTES].whole(1, MOST_BYTES)


def distinct(names: Iterable[str] = MECHANISMS) -> list[str]:
    """Return one name for each law, the last that it has."""
    return list({MECHANISMS[name]: name for name in names}.values())


def fitting(size: int, most: int, names: Iterable[str] = MECHANISMS) -> dict[str, int]:
    """Return the mechanisms whose reports have at most so many bytes, and how many they have."""
    widths = {name: law(name, size, ANY).n_bytes for name in distinct(names)}
    return {name: width for name, width in widths.items() if width <= most}


def least_variance(names: Iterable[str], size: int, menu: Sequence[int]) -> str:
    """Return the best of some mechanisms."""
    return min(names, key=lambda name: mean_variance(name, size, menu))


def mean_variance(mechanism: str, size: int, menu: Sequence[int]) -> float:
    """Return the logarithm of the variance of a code at even frequencies, averaged over levels."""
    levels = some(menu)
    return sum(log(_variance(mechanism, size, level)) for level in levels) / len(levels)


def some(menu: Sequence[int]) -> Sequence[int]:
    """Return the levels of a menu, or a few of very many, from the first to the last."""
    last, count = len(menu) - 1, min(len(menu), MOST_LEVELS)
    return [menu[last * i // max(count - 1, 1)] for i in range(count)]


def _variance(mechanism: str, size: int, level: int) -> float:
    constant, linear = law(mechanism, size, level).inclusion.noise
    return float(constant + linear / size)
