"""Heat maps for the page: the more frequent a pair of values, the fuller its cell's colour.

Shades are opacities of the page's own colour, so both modes follow, and are held back there so far
that the ink on them can be read. Two maps that are compared have one scale.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from discretion.cli.demo.pair import Pair
from discretion.cli.demo.words import percent
from discretion.synthesis.markup import element, text

LEFT, TOP, GAP = 48, 48, 2  # what stands before and above the cells, and between them
WIDE, HIGH = 55, 44  # a cell
LINE = 12  # from one line of text to the next


def truth_map(pair: Pair) -> str:
    """Draw how frequent each pair of values is in truth."""
    shades, labels = [], []
    for code, (x, y) in enumerate(_corners(pair)):
        share = pair.truth[code]
        told = f"{pair.labels[code]}: truth {percent(share)} %"
        shades.append(_shade(x, y, share / _top(pair), told))
        labels.append(_written(f"{100 * share:.1f}", x, y + HIGH / 2 + 4, "cell"))
    return _picture(pair, "How frequent each pair is in truth, in per cent", shades, labels)


def estimate_map(pair: Pair) -> str:
    """Draw what is estimated with disclosed levels, with half the width of each interval."""
    shades, labels = [], []
    for code, (x, y) in enumerate(_corners(pair)):
        value, low, high, holds = pair.reading("disclosed", code)
        told = f"{percent(value)} % ({percent(low)} to {percent(high)})"
        told = f"{pair.labels[code]}: {told}; truth {percent(pair.truth[code])} %"
        shades.append(_shade(x, y, max(value, 0.0) / _top(pair), told))
        first = y + (19 if holds else 14)
        labels.append(_written(f"{100 * value:.1f}", x, first, "cell"))
        labels.append(_written(f"±{50 * (high - low):.1f}", x, first + LINE + 1, "reach"))
        if not holds:
            labels.append(_written("miss", x, first + 2 * LINE, "reach miss"))
    return _picture(pair, "How frequent each pair is as estimated, in per cent", shades, labels)


def _top(pair: Pair) -> float:
    """Return the frequency of a full colour: the largest of truth and estimate."""
    return float(max(pair.truth.max(), pair.estimates["disclosed"].value.max()))


def _corners(pair: Pair) -> Iterator[tuple[int, int]]:
    down, across = (range(size) for size in pair.shape)
    for row, column in product(down, across):
        yield LEFT + WIDE * column, TOP + HIGH * row


def _shade(x: int, y: int, fullness: float, told: str) -> str:
    size = {"width": WIDE - GAP, "height": HIGH - GAP, "rx": 3}
    return element("rect", text("title", told), x=x, y=y, **size, fill_opacity=f"{fullness:.3f}")


def _written(words: str, x: int, y: float, kind: str) -> str:
    return text("text", words, x=x + (WIDE - GAP) / 2, y=y, class_=kind)


def _sides(pair: Pair) -> Iterator[str]:
    """Yield the names of both attributes and of their values, broken where they have a space."""
    down, across = pair.sides
    yield text("text", pair.names[0], x=LEFT - 8, y=TOP - 6, class_="side start")
    middle = LEFT + (WIDE * len(across) - GAP) / 2
    yield text("text", pair.names[1], x=middle, y=12, class_="side")
    for row, label in enumerate(down):
        yield text("text", label, x=LEFT - 8, y=TOP + HIGH * row + HIGH / 2 + 3, class_="label")
    for column, label in enumerate(across):
        words = label.split(" ")
        for i, word in enumerate(words):
            y = TOP - 6 - LINE * (len(words) - 1 - i)
            yield _written(word, LEFT + WIDE * column, y, "tick")


def _picture(pair: Pair, what: str, shades: Sequence[str], labels: Sequence[str]) -> str:
    rows, columns = pair.shape
    return element(
        "svg",
        *_sides(pair),
        element("g", *shades, class_="shades"),
        *labels,
        viewBox=f"0 0 {LEFT + WIDE * columns} {TOP + HIGH * rows}",
        role="img",
        aria_label=f"{pair.attribute}. {what}. The numbers are in the table below.",
    )
