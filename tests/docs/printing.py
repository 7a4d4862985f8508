"""Whether a page still shows what its examples print, on whichever processor they run."""

import re

NUMBER = re.compile(r"-?\b\d[\d,]*(?:\.\d+)?\b")
COUNTED = 100  # smaller whole numbers are counts and names, and do not depend on rounding
NEAR = 0.02  # squares of standard errors of tables differ by as much


def prints(shown: str, printed: str) -> bool:
    """Whether both texts agree but for rounding: one unit in the last place, or two per cent.

    Processors sum in different orders, and the standard errors of a table are those near its
    maximum; where exactly depends on that. Golden answers hold the numbers themselves more closely.
    """
    if _words(shown) != _words(printed):
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed), strict=True)
    return all(one == other or _near(one, other) for one, other in pairs)


def _words(text: str) -> list[list[str]]:
    """Return the words of each line, whatever the numbers between them and their widths."""
    return [NUMBER.sub("#", line).split() for line in text.splitlines()]


def _near(one: str, other: str) -> bool:
    a, b = (float(text.replace(",", "")) for text in (one, other))
    places = min(len(text.partition(".")[2]) for text in (one, other))
    rounded = "." in one + other or abs(a) >= COUNTED
    return rounded and abs(a - b) <= max(1.01 * 10.0**-places, NEAR * abs(a))
