"""The panel of a pair: the joint table of any two attributes, and how far lies move it."""

from collections.abc import Mapping
from typing import Any

from discretion.synthesis.markup import text
from discretion.synthesis.words import counted, percent
from discretion.web.dashboard.heat import Heat
from discretion.web.dashboard.tables import card, figure, folded, scrolled, table
from discretion.web.dashboard.words import between, liars, points

WRITTEN = "In per cent, ± half of each 95 % interval; the fuller, the more frequent."
SHADED = "The fuller, the more frequent, among the most frequent values; the table has the numbers."
MOST_ROWS = 1000  # of the table on the page; the download has all


def pair_view(document: Mapping[str, Any]) -> str:
    """Return the table of two attributes as a map, and its numbers."""
    title = " and ".join(document["attributes"])
    heat = Heat.of(document)
    together = counted(document["together"], "report")
    note = f"{together} of {document['reports']:,} tell both; method {document['method']}."
    content = [
        text("p", note, class_="note"),
        figure(scrolled(heat.draw(), f"Map of {title}"), WRITTEN if heat.written else SHADED),
        _lies(document),
        folded(f"The numbers for {title}", _numbers(title, document)),
    ]
    return card("pair", title, *content)


def _lies(document: Mapping[str, Any]) -> str:
    """Say what lies do to cells, or to each attribute where that of cells is not known."""
    cells = ", ".join(document["attributes"])
    own = [each for each in document["margins"] if each["attribute"] == cells]
    if not own:
        return text("p", "How far lies move its cells is not known.", class_="note")
    return text("p", liars(own, points), class_="note")


def _numbers(title: str, document: Mapping[str, Any]) -> str:
    rows = []
    for cell in document["cells"][:MOST_ROWS]:
        down, across, value, _, low, high = cell.values()
        rows.append([str(down), str(across), percent(value), between(low, high, percent)])
    heads = [*document["attributes"], "frequency", "95 % interval"]
    caption = f"{title}: frequencies of pairs"
    if len(rows) < len(document["cells"]):
        caption += f", the first {len(rows):,} of {len(document['cells']):,}; the download has all"
    return table(caption, heads, rows)
