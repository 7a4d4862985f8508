"""The panel of downloads: what the page shows as tables, and what it is made of as files."""

from urllib.parse import urlencode

from discretion.render.markup import Markup, element, text
from discretion.web.dashboard.choice import Choice


def downloads_view(choice: Choice) -> Markup:
    """Return links to everything that can be taken along."""
    round = urlencode({"round": choice.round})
    texts = {"candidates": "\n".join(choice.candidates)} if choice.candidates else {}
    estimates = urlencode({"round": choice.round, **texts})
    parquet = urlencode({"round": choice.round, "kind": "parquet"})
    offered = [
        (f"dashboard/estimates.csv?{estimates}", "Estimates (CSV)", "all labels, means, quantiles"),
        (f"v1/aggregates?{round}", "Counts (JSON)", "what one-way estimates are made of"),
        (f"v1/export?{round}", "Reports (Parquet)", "as devices sent them"),
        (f"v1/rows?{round}", "Synthetic rows (CSV)", "drawn from a model; may take a minute"),
        (f"v1/rows?{parquet}", "Synthetic rows (Parquet)", "the same as columns"),
        *_tables(choice),
    ]
    items = [
        element(
            "li", text("a", name, href=href, download=""), text("span", f": {what}", class_="note")
        )
        for href, name, what in offered
    ]
    return element("ul", *items)


def _tables(choice: Choice) -> list[tuple[str, str, str]]:
    if choice.pair is None:
        return []
    asked = urlencode([("round", choice.round), *(("attributes", each) for each in choice.pair)])
    return [(f"v1/joints?{asked}", "Joint table (JSON)", " and ".join(choice.pair))]
