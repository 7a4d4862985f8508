"""The page about all rounds: which there are, what became of all reports, and how answers went."""

from functools import partial

from discretion.estimate.legend import Legend
from discretion.render.formats import counted
from discretion.render.markup import Markup, element, text
from discretion.render.page import section
from discretion.web.dashboard.choice import Collected
from discretion.web.dashboard.documents import Found, Trends
from discretion.web.dashboard.frame import Frame
from discretion.web.dashboard.help import mark
from discretion.web.dashboard.reports import counters_view
from discretion.web.dashboard.rounds import rounds_view
from discretion.web.dashboard.tables import table_links
from discretion.web.dashboard.trends import trends_view
from discretion.web.dashboard.words import shown

SCOPE = "This page covers all rounds together."


def collection_page(
    frame: Frame, collected: Collected, trends: Found[Trends] | None, *, operator: bool
) -> str:
    """Return the page; ``operator``: may open and close rounds.

    ``trends`` are there where there is more than one round.
    """
    note = element("p", text("span", f"{SCOPE} "), mark("conflict", named=True), class_="note")
    rounds = rounds_view(collected, operator=operator) + table_links("", {"rounds": "Rounds"})
    reports = counters_view(collected) + table_links("", {"outcomes": "Reports"})
    parts = [
        section("rounds", "Rounds", _live("rounds", rounds)),
        section("reports", "Reports", note, _live("reports", reports)),
    ]
    if trends is not None:
        view = partial(trends_view, attribute="", legend=Legend.of(frame.plan))
        parts.append(section("trends", "Over rounds", _live("trends", shown(trends, view))))
    pending = trends is not None and trends.pending
    status = f"All rounds: {counted(collected.kept, 'report')} kept"
    return frame.page("all rounds", status, "", parts, pending=pending)


def _live(name: str, content: str) -> Markup:
    return element("div", content, id=f"live-{name}", class_="live")
