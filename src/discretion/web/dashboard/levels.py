"""Answers by level: of each attribute two bars, its answers and their weight, parted by level.

The stronger the protection, the lighter the part. Where few owners at a high level have most of the
weight, the estimate is theirs.
"""

from collections.abc import Iterator, Sequence

from discretion.render.formats import percent
from discretion.render.labels import Label
from discretion.render.markup import Markup, element, text
from discretion.render.page import figure, folded, tabulated
from discretion.render.svg import Axis, picture, rectangle, words
from discretion.render.tables import Table
from discretion.web.dashboard.documents import LevelRow, Levels
from discretion.web.dashboard.words import BELOW, answers, level_name

WIDTH, ROW, TOP = 400, 30, 22
LONGEST = 18  # letters of a name
LIGHTEST = 0.2  # the shade of the strongest protection
SWATCH, APART = 11, 92  # pixels, and from one to the next in the legend


def levels_view(levels: Levels) -> Markup:
    """Return answers by attribute and level: a chart, and the numbers."""
    rows = [row for row in levels["rows"] if _reports(row)]
    if not rows:
        return text("p", "No answers yet.", class_="note")
    names = _groups(levels["groups"])
    numbers = _table(names, rows)
    if levels["secret"]:
        note = "Levels are secret: reports do not state them, so every answer weighs the same."
        return Markup(text("p", note) + numbers)
    caption = (
        "Upper bar: answers by level. Lower bar: what they weigh in the estimate. The fuller the "
        "colour, the weaker the protection that owners chose."
    )
    more = folded("Answers by attribute and level: the numbers", numbers)
    return element("div", figure(_chart(names, rows), caption), more)


def _chart(names: Sequence[str], rows: Sequence[LevelRow]) -> Markup:
    labels = [Label.of(row["name"], LONGEST) for row in rows]
    left = 10 + max(label.width for label in labels)
    each = max(int((WIDTH - left) // APART), 1)
    top = TOP * (1 + (len(names) - 1) // each)
    axis = Axis(0.0, 1.0, left, WIDTH - 2)
    parts = []
    for i, name in enumerate(names):
        x, y = left + APART * (i % each), 4 + TOP * (i // each)
        parts.append(_part(x, x + SWATCH, y, SWATCH, _shade(i, len(names))))
        parts.append(words(name, x + SWATCH + 5, y + 10, "swatch"))
    for index, (label, row) in enumerate(zip(labels, rows, strict=True)):
        y = top + ROW * index
        parts.append(label.draw(left - 6, y + 17, "label"))
        parts += _bars(names, row, axis, y)
    said = f"Answers of each attribute by level, and their weight. {BELOW}"
    return picture(WIDTH, top + ROW * len(rows), said, parts, "levels")


def _bars(names: Sequence[str], row: LevelRow, axis: Axis, y: float) -> Iterator[Markup]:
    groups, n = row["groups"], _reports(row)
    kinds = {"of the answers": [group["reports"] / n for group in groups]}
    if groups[0]["share"] is not None:
        kinds["of the weight"] = [group["share"] or 0.0 for group in groups]
    for line, (kind, shares) in enumerate(kinds.items()):
        start = 0.0
        for i, share in enumerate(shares):
            if share:
                title = text("title", f"{row['name']}, {names[i]}: {percent(share)} {kind}")
                ends = axis.pixel(start), axis.pixel(start + share)
                yield _part(*ends, y + 12 * line, 10, _shade(i, len(names)), title)
            start += share


def _table(names: Sequence[str], rows: Sequence[LevelRow]) -> Markup:
    cells = [
        (
            row["name"],
            f"{_reports(row):,}",
            *(answers(group["reports"], group["share"]) for group in row["groups"]),
        )
        for row in rows
    ]
    caption = "Answers by level, and their share of the weight"
    return tabulated(Table(("attribute", "answers", *names), cells, caption))


def _part(start: float, end: float, y: float, height: float, shade: float, *inside: str) -> Markup:
    drawn = rectangle(start, end, y, height, "level", *inside)
    return element("g", drawn, fill_opacity=f"{shade:.2f}")


def _shade(index: int, count: int) -> float:
    return LIGHTEST + (1 - LIGHTEST) * (index + 1) / count


def _reports(row: LevelRow) -> int:
    return sum(group["reports"] for group in row["groups"])


def _groups(groups: Sequence[Sequence[int]]) -> list[str]:
    """Name groups of levels: each begins where the one before it ends."""
    if all(first == last for first, last in groups):
        return [f"level {level_name(level)}" for level, _ in groups]
    starts = [groups[0][0], *(last for _, last in groups)]
    ends = zip(starts, groups, strict=False)
    return [f"{level_name(a)} to {level_name(b)}" for a, (_, b) in ends]
