"""The panel of dependence: which attributes depend on each other, as a graph and as a table."""

from collections.abc import Mapping
from typing import Any

from discretion.synthesis.charts import graph
from discretion.synthesis.dependence import Dependence, Pair
from discretion.synthesis.markup import text
from discretion.synthesis.words import chance, counted, percent
from discretion.web.dashboard.tables import card, figure, folded, scrolled, table

CAPTION = "A line joins two attributes that depend; the wider, the stronger. Grey: none found."
TITLE = "Dependence"


def graph_view(document: Mapping[str, Any]) -> str:
    """Return the graph, and the numbers of every pair."""
    pairs = tuple(Pair(**pair) for pair in document["pairs"])
    found = Dependence(tuple(document["attributes"]), pairs, document["rate"])
    share, depend = percent(found.rate), f"{len(found.edges)} of {counted(len(pairs), 'pair')}"
    said = f"{depend} depend; at most {share} of these are expected to be no dependence at all."
    picture = scrolled(graph(found, ()), "Graph of dependence")
    numbers = folded("Dependence of all pairs: the numbers", _numbers(found))
    return card("graph", TITLE, text("p", said), figure(picture, CAPTION), numbers)


def _numbers(found: Dependence) -> str:
    rows = [
        [
            " and ".join(pair.names),
            "yes" if pair.adjusted <= found.rate else "not found",
            f"{pair.strength:.4f}",
            chance(pair.adjusted),
            f"{pair.n:,}",
        ]
        for pair in sorted(found.pairs, key=lambda pair: (pair.adjusted, -pair.strength))
    ]
    heads = ["pair", "depends", "strength (nats)", "adjusted p", "reports with both"]
    return table("Dependence of pairs", heads, rows)
