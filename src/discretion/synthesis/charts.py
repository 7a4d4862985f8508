"""The pictures of the page as inline SVG, in the page's own colours, so that both modes follow."""

from collections.abc import Iterator, Sequence

from discretion.estimate.look import shortened
from discretion.synthesis.agreement import Agreement
from discretion.synthesis.dependence import Dependence
from discretion.synthesis.headline import Figure
from discretion.synthesis.layout import Place, places, rows, width, widths
from discretion.synthesis.markup import element, text
from discretion.synthesis.spending import Spending
from discretion.synthesis.unlearnt import Dropped
from discretion.synthesis.words import nats, number, percent

LETTER, LONGEST = 7.2, 24  # pixels of a letter; letters of a name
OVAL, ROW = 220, 26  # the oval's width at least, and the height of a name beside it
WRITTEN, WIDE, NARROW = 12, 34, 18  # attributes up to which cells have numbers; cells with, without
FULL = 2.0  # the ratio at which a cell has its full colour
BARS = (330, 110)  # the histogram


def graph(dependence: Dependence, dropped: Sequence[Dropped]) -> str:
    """Draw who depends on whom; a dashed line is not in the model's tables."""
    names = {name: shortened(name, LONGEST) for name in dependence.attributes}
    beside = LETTER * max(map(len, names.values())) + 16
    high = max(ROW * rows(len(names)), 150)
    oval = width(high, OVAL)
    size = (oval + 2 * beside, high + 16)
    middle = (size[0] / 2, size[1] / 2)
    where = {
        name: Place(middle[0] + oval / 2 * p.x, middle[1] + high / 2 * p.y)
        for name, p in places(dependence).items()
    }
    left_out = {(each.one, each.other) for each in dropped}
    strength = {pair.names: pair.strength for pair in dependence.edges}
    parts = []
    for (one, other), wide in widths(dependence).items():
        a, b = where[one], where[other]
        ends = {"x1": _n(a.x), "y1": _n(a.y), "x2": _n(b.x), "y2": _n(b.y)}
        kind = "edge dropped" if (one, other) in left_out else "edge"
        told = text("title", f"{one} and {other}: {nats(strength[one, other])}")
        parts.append(element("line", told, **ends, stroke_width=_n(wide), class_=kind))
    linked = {name for names in strength for name in names}
    for name, place in where.items():
        kind = "node" if name in linked else "node alone"
        side = "start" if place.x < middle[0] else "end"
        step = -10 if place.x < middle[0] else 10
        parts.append(element("circle", cx=_n(place.x), cy=_n(place.y), r=5.5, class_=kind))
        at = {"x": _n(place.x + step), "y": _n(place.y + 4)}
        parts.append(text("text", names[name], **at, class_=f"name {side} {kind}"))
    said = f"{len(dependence.edges)} of {len(dependence.pairs)} pairs depend. Numbers: table below."
    return _picture(*size, said, parts)


def ratios(names: Sequence[str], pairs: Sequence[Agreement]) -> str:
    """Draw how far the model is from unbiased estimates of each pair, in units of their noise."""
    cell = WIDE if len(names) <= WRITTEN else NARROW
    left = LETTER * min(LONGEST, max(map(len, names)) + 4) + 8
    size = cell * (len(names) - 1)
    parts: list[str] = []
    for row, name in enumerate(names):
        if row:
            label = shortened(f"{row + 1} {name}", LONGEST)
            y = _n(18 + cell * (row - 1) + cell / 2 + 4)
            parts.append(text("text", label, x=_n(left - 6), y=y, class_="label"))
        if row < len(names) - 1:
            x = _n(left + cell * row + cell / 2)
            parts.append(text("text", str(row + 1), x=x, y=12, class_="tick"))
    for pair in pairs:
        column, row = sorted(names.index(name) for name in pair.attributes)
        parts += _cell(pair, left + cell * column, 18 + cell * (row - 1), cell)
    first = shortened(names[0], LONGEST)
    parts.append(text("text", f"column 1 is {first}", x=_n(left), y=size + 34, class_="foot"))
    missed = sum(pair.misses for pair in pairs)
    said = f"Ratios of {len(pairs)} pairs, {missed} of which miss. Numbers: table below."
    return _picture(left + size + 4, size + 42, said, parts)


def _cell(pair: Agreement, x: float, y: float, size: int) -> Iterator[str]:
    told = text("title", f"{' and '.join(pair.attributes)}: {pair.ratio:.2f} times the noise")
    yield element(
        "rect",
        told,
        x=_n(x + 1),
        y=_n(y + 1),
        width=size - 2,
        height=size - 2,
        rx=2,
        class_="cell missed" if pair.misses else "cell",
        fill_opacity=f"{1.0 if pair.misses else max(0.12, min(pair.ratio / FULL, 1.0)):.2f}",
    )
    if size == WIDE or pair.misses:
        label = f"{pair.ratio:.1f}" if size == WIDE else "!"
        kind = "inside miss" if pair.misses else "inside"
        yield text("text", label, x=_n(x + size / 2), y=_n(y + size / 2 + 4), class_=kind)


def interval(figure: Figure) -> str:
    """Draw where the model's number lies in the interval of the unbiased estimate."""
    reach = max(figure.high - figure.low, 1e-12)
    place = min(max((figure.model - figure.low) / reach, -0.45), 1.45)
    x = _n(40 + 80 * place)
    parts = [
        element("rect", x=0, y=8, width=160, height=2, class_="track"),
        element("rect", x=40, y=5, width=80, height=8, rx=2, class_="bar"),
        element("line", x1=x, x2=x, y1=1, y2=17, class_="mark"),
    ]
    said = "in the interval" if figure.holds else "outside of the interval"
    return _picture(160, 18, f"The model's number is {said}.", parts, class_="small")


def totals(spending: Spending) -> str:
    """Draw how many owners spent how much in all."""
    across, height = BARS
    top, parts = max(spending.shares), []
    step = across / len(spending.shares)
    for i, share in enumerate(spending.shares):
        tall = height * share / top
        low, high = spending.edges[i], spending.edges[i + 1]
        told = text("title", f"{number(low)} to {number(high)}: {percent(share)} of the owners")
        at = {"x": _n(i * step + 1), "y": _n(height - tall + 4), "width": _n(step - 2)}
        parts.append(element("rect", told, **at, height=_n(tall), class_="bar"))
    line = height + 4
    parts.append(element("line", x1=0, x2=across, y1=line, y2=line, class_="axis"))
    ends = {"start": (0, spending.edges[0]), "end": (across, spending.edges[-1])}
    for anchor, (x, value) in ends.items():
        label = text("text", number(value), x=x, y=height + 18, text_anchor=anchor)
        parts.append(label)
    return _picture(across, height + 24, "Histogram of the owners' total epsilons.", parts)


def bar(share: float, kind: str = "bar") -> str:
    """Draw a share as a bar, for a cell of a table."""
    parts = [
        element("rect", x=0, y=4, width=120, height=10, rx=2, class_="track"),
        element("rect", x=0, y=4, width=_n(120 * min(share, 1.0)), height=10, rx=2, class_=kind),
    ]
    return _picture(120, 18, percent(share), parts, class_="small")


def _n(length: float) -> str:
    return f"{length:.1f}"


def _picture(
    width: float, height: float, said: str, parts: Sequence[str], **attributes: object
) -> str:
    box = f"0 0 {_n(width)} {_n(height)}"
    given = {"width": _n(1.3 * width), "role": "img", "aria_label": said, **attributes}
    return element("svg", *parts, viewBox=box, **given)
