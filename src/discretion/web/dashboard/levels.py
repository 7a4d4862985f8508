"""Answers by level: of each attribute two bars, its answers and their weight, parted by level.

The stronger the protection, the lighter the part. Where few owners at a high level have most of the
weight, the estimate is theirs.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from discretion.estimate.look import shortened
from discretion.synthesis.markup import element, text
from discretion.synthesis.words import percent
from discretion.web.dashboard.picture import Axis, length, picture, rectangle
from discretion.web.dashboard.tables import figure, folded, table
from discretion.web.dashboard.words import answers, shown_level

WIDTH, ROW, TOP = 400, 30, 22
LETTER, LONGEST = 7.2, 18
LIGHTEST = 0.2  # the shade of the strongest protection
SWATCH, APART = 11, 92  # pixels, and from one to the next in the legend
Levels = Mapping[str, Any]
Rows = Sequence[Mapping[str, Any]]


def levels_view(levels: Levels) -> str:
    """Return answers by attribute and level: a chart, and the numbers."""
    rows = [row for row in levels["rows"] if _reports(row)]
    if not rows:
        return text("p", "No answers yet.", class_="note")
    names = _groups(levels["groups"])
    numbers = folded("Answers by attribute and level: the numbers", _table(names, rows))
    if levels["secret"]:
        note = "Levels are secret: reports do not tell them, so every answer weighs the same."
        return text("p", note) + _table(names, rows)
    caption = (
        "Upper bar: answers by level. Lower bar: what they weigh in the estimate. The fuller the "
        "colour, the weaker the protection that owners chose."
    )
    return figure(_chart(names, rows), caption) + numbers


def _chart(names: Sequence[str], rows: Rows) -> str:
    labels = [shortened(row["name"], LONGEST) for row in rows]
    left = 10 + LETTER * max(map(len, labels))
    each = max(int((WIDTH - left) // APART), 1)
    top = TOP * (1 + (len(names) - 1) // each)
    axis = Axis(0.0, 1.0, left, WIDTH - 2)
    parts = []
    for i, name in enumerate(names):
        x, y = left + APART * (i % each), 4 + TOP * (i // each)
        parts.append(_part(x, x + SWATCH, y, SWATCH, _shade(i, len(names))))
        parts.append(text("text", name, x=length(x + SWATCH + 5), y=y + 10))
    for place, (label, row) in enumerate(zip(labels, rows, strict=True)):
        y = top + ROW * place
        parts.append(text("text", label, x=length(left - 6), y=y + 17, class_="label"))
        parts += _bars(names, row, axis, y)
    said = "Answers of each attribute by level, and their weight. Numbers: table below."
    return picture(WIDTH, top + ROW * len(rows), said, parts, "levels")


def _bars(names: Sequence[str], row: Mapping[str, Any], axis: Axis, y: float) -> list[str]:
    groups, n = row["groups"], _reports(row)
    kinds = {"of the answers": [group["reports"] / n for group in groups]}
    if groups[0]["share"] is not None:
        kinds["of the weight"] = [group["share"] for group in groups]
    parts = []
    for kind, shares in kinds.items():
        start = 0.0
        for i, share in enumerate(shares):
            if share:
                told = text("title", f"{row['name']}, {names[i]}: {percent(share)} {kind}")
                ends = axis.place(start), axis.place(start + share)
                parts.append(_part(*ends, y, 10, _shade(i, len(names)), told))
            start += share
        y += 12
    return parts


def _table(names: Sequence[str], rows: Rows) -> str:
    cells = [
        [row["name"], f"{_reports(row):,}", *(answers(**_named(group)) for group in row["groups"])]
        for row in rows
    ]
    caption = "Answers by level, and their share of the weight"
    return table(caption, ["attribute", "answers", *names], cells)


def _named(group: Mapping[str, Any]) -> dict[str, Any]:
    return {"count": group["reports"], "share": group["share"]}


def _part(start: float, end: float, y: float, height: float, shade: float, *inside: str) -> str:
    drawn = rectangle(start, end, y, height, "level", *inside)
    return element("g", drawn, fill_opacity=f"{shade:.2f}")


def _shade(place: int, count: int) -> float:
    return LIGHTEST + (1 - LIGHTEST) * (place + 1) / count


def _reports(row: Mapping[str, Any]) -> int:
    return sum(group["reports"] for group in row["groups"])


def _groups(groups: Sequence[Sequence[int]]) -> list[str]:
    """Name groups of levels: each begins where the one before it ends."""
    if all(first == last for first, last in groups):
        return [f"level {shown_level(level)}" for level, _ in groups]
    starts = [groups[0][0], *(last for _, last in groups)]
    ends = zip(starts, groups, strict=False)
    return [f"{shown_level(a)} to {shown_level(b)}" for a, (_, b) in ends]
