"""The panels of pairs: the joint table of any two attributes, and which of all depend."""

from collections.abc import Sequence
from typing import NamedTuple

from discretion.estimate.legend import Legend
from discretion.render.bars import MOST_BARS
from discretion.render.formats import counted, interval, p_value, percent, points
from discretion.render.heat import PLAIN, WRITTEN, Cell, HeatMap
from discretion.render.markup import Markup, text
from discretion.render.page import card, figure, folded, scrolled, tabulated
from discretion.render.tables import Table
from discretion.synthesis.dependence import Dependence, Pair
from discretion.web.dashboard import documents
from discretion.web.dashboard.documents import Joint
from discretion.web.dashboard.words import BELOW, manipulation

NUMBERS = "In per cent, ± half of each 95 % interval; the fuller, the more frequent."
SHADES = "The fuller, the more frequent, among the most frequent values; the table has the numbers."
LINES = "A line joins two attributes that depend; the wider, the stronger. Grey: none found."
MOST_COLUMNS = 10  # up to which cells have their numbers
MOST_ROWS = 1000  # of the table on the page; the download has all


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


def pair_view(document: Joint, legend: Legend) -> Markup:
    """Return the table of two attributes as a map, and its numbers."""
    title, shares = " and ".join(document["attributes"]), shares_of(document, legend)
    together = counted(document["together"], "report")
    note = f"{together} of {document['reports']:,} answer both; method {document['method']}."
    heat = heat_map(document["attributes"], shares)
    most = max(shares, key=lambda share: share.value, default="none")
    label = f"How frequent pairs of {title} are. Most frequent: {most}. {BELOW}"
    picture = scrolled(heat.draw(label), f"Map of {title}")
    return card(
        "pair",
        " and ".join(map(legend.title, document["attributes"])),
        text("p", note, class_="note"),
        figure(picture, NUMBERS if heat.size == WRITTEN else SHADES),
        _manipulation(document),
        folded(f"The numbers for {title}", _numbers(title, document["attributes"], shares)),
    )


def shares_of(document: Joint, legend: Legend) -> list[Share]:
    """Read the cells: two labels, then value, standard error, low and high."""
    found = []
    for cell in document["cells"]:
        labels = zip(document["attributes"], cell.values(), strict=False)
        down, across = (legend.label(name, str(code)) for name, code in labels)
        numbers = (cell[end] for end in ("value", "low", "high"))
        value, low, high = (None if isinstance(each, str) else each for each in numbers)
        found.append(Share(down, across, value or 0.0, low, high))
    return found


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


def _manipulation(document: Joint) -> Markup:
    """Say how far false reports move cells, where that is known."""
    cells = ", ".join(document["attributes"])
    own = [each for each in document["margins"] if each["attribute"] == cells]
    unknown = "How far false reports move its cells is not known."
    return text("p", manipulation(own, points) if own else unknown, class_="note")


def _numbers(title: str, names: Sequence[str], shares: Sequence[Share]) -> Markup:
    rows = [
        (share.down, share.across, percent(share.value), interval(share.low, share.high, percent))
        for share in shares[:MOST_ROWS]
    ]
    caption = f"{title}: frequencies of pairs"
    if len(rows) < len(shares):
        caption += f", the first {len(rows):,} of {len(shares):,}; the download has all"
    heads = (*names, "frequency", "95 % interval")
    return tabulated(Table(heads, rows, caption, left=frozenset({0, 1})))


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
