"""Pictures of pairs: the joint table of two attributes as a map, and which of all depend."""

from collections.abc import Sequence
from typing import NamedTuple

from discretion.render.bars import MOST_BARS
from discretion.render.formats import counted, interval, p_value, percent
from discretion.render.heat import PLAIN, WRITTEN, Cell, HeatMap
from discretion.render.markup import Markup, text
from discretion.render.page import card, figure, folded, scrolled, tabulated
from discretion.render.tables import Table
from discretion.synthesis.dependence import Dependence, Pair
from discretion.web.dashboard import documents
from discretion.web.dashboard.words import BELOW

LINES = "A line joins two attributes that depend; the wider, the stronger. Grey: none found."
MOST_COLUMNS = 10  # up to which cells have their numbers


class Share(NamedTuple):
    """Two labels, and how frequent they are together."""

    down: str
    across: str
    value: float
    low: float | None
    high: float | None

    def __str__(self) -> str:
        ends = interval(self.low, self.high, percent)
        return f"{self.down}, {self.across}: {percent(self.value)} ({ends})"


def heat_map(names: Sequence[str], shares: Sequence[Share]) -> HeatMap:
    """Return the map; of long lists of values it has only the most frequent ones."""
    rows = _most([(share.down, share.value) for share in shares])
    columns = _most([(share.across, share.value) for share in shares])
    top = max([0.0, *(share.value for share in shares)]) or 1.0
    written = len(columns) <= MOST_COLUMNS
    at, across = ({label: i for i, label in enumerate(own)} for own in (rows, columns))
    cells = [
        Cell(
            at[share.down],
            across[share.across],
            share.value / top,
            str(share),
            _lines(share) if written else (),
        )
        for share in shares
        if share.down in at and share.across in across
    ]
    one, other = names
    return HeatMap(rows, columns, cells, (one, other), WRITTEN if written else PLAIN)


def _lines(share: Share) -> tuple[str, ...]:
    value = f"{100 * share.value:.1f}"
    if share.low is None or share.high is None:
        return (value,)
    return value, f"±{50 * (share.high - share.low):.1f}"


def _most(values: Sequence[tuple[str, float]]) -> list[str]:
    """Return the labels with most people, as many as a map has room for, in their order."""
    totals: dict[str, float] = {}
    for label, value in values:
        totals[label] = totals.get(label, 0.0) + value
    kept = set(sorted(totals, key=lambda label: -totals[label])[:MOST_BARS])
    return [label for label in totals if label in kept]


def graph_view(document: documents.Dependence) -> Markup:
    """Return the graph, and the numbers of every pair."""
    pairs = tuple(Pair(**pair) for pair in document["pairs"])
    found = Dependence(tuple(document["attributes"]), pairs, document["rate"])
    depend = f"{len(found.edges)} of {counted(len(pairs), 'pair')} depend"
    expected = f"at most {percent(found.rate)} of these are expected to be no dependence at all"
    picture = scrolled(found.drawing().draw(f"{depend}. {BELOW}"), "Graph of dependence")
    numbers = folded("Dependence of all pairs: the numbers", _tests(found))
    said = text("p", f"{depend}; {expected}.")
    return card("graph", "Dependence", said, figure(picture, LINES), numbers)


def _tests(found: Dependence) -> Markup:
    rows = [
        (
            " and ".join(pair.names),
            "yes" if pair.adjusted <= found.rate else "not found",
            f"{pair.strength:.4f}",
            p_value(pair.adjusted),
            f"{pair.n:,}",
        )
        for pair in sorted(found.pairs, key=lambda pair: (pair.adjusted, -pair.strength))
    ]
    heads = ("pair", "depends", "strength (nats)", "adjusted p", "reports with both")
    return tabulated(Table(heads, rows, "Dependence of pairs"))
