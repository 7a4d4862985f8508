"""The panel of dependence: which attributes depend on each other, as a graph and as a table."""

from discretion.render.formats import counted, p_value, percent
from discretion.render.markup import Markup, text
from discretion.render.page import card, figure, folded, scrolled, tabulated
from discretion.render.tables import Table
from discretion.synthesis.dependence import Dependence, Pair
from discretion.web.dashboard import documents
from discretion.web.dashboard.words import BELOW

CAPTION = "A line joins two attributes that depend; the wider, the stronger. Grey: none found."
TITLE = "Dependence"


def graph_view(document: documents.Dependence) -> Markup:
    """Return the graph, and the numbers of every pair."""
    pairs = tuple(Pair(**pair) for pair in document["pairs"])
    found = Dependence(tuple(document["attributes"]), pairs, document["rate"])
    depend = f"{len(found.edges)} of {counted(len(pairs), 'pair')} depend"
    expected = f"at most {percent(found.rate)} of these are expected to be no dependence at all"
    picture = scrolled(found.drawing().draw(f"{depend}. {BELOW}"), "Graph of dependence")
    numbers = folded("Dependence of all pairs: the numbers", _numbers(found))
    said = text("p", f"{depend}; {expected}.")
    return card("graph", TITLE, said, figure(picture, CAPTION), numbers)


def _numbers(found: Dependence) -> Markup:
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
