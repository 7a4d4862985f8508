"""The panels of reports: of a round, how many there are and when they came; and of all rounds."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from discretion.render.formats import counted
from discretion.render.markup import Markup, element, lines, text
from discretion.render.page import fact, figure, folded, tabulated
from discretion.render.tables import Table
from discretion.render.trend import Column, trend_chart
from discretion.web.dashboard.choice import Collected
from discretion.web.dashboard.words import BELOW

MEANINGS = {
    "kept": "accepted, and not deleted since",
    "accepted": "valid, and new",
    "duplicate": "the same bytes again: retries",
    "conflict": "other bytes under a known id",
    "deleted": "taken back by their owners",
    "refused": "not what a device of this plan sends",
}
PLURALS = {"duplicate": "duplicates", "conflict": "conflicts"}
UNCOUNTED = "…"
MOST = 60  # bars: of more days, as many together as leave the bars wide enough


class Span(NamedTuple):
    """Some days one after the other, and the reports that came in them."""

    first: date
    last: date
    reports: int

    def __str__(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"


def reports_view(collected: Collected, round: int, kept: int | None, beside: str = "") -> Markup:
    """Return the counts and the days of a round; ``kept`` may not be counted yet.

    ``beside`` stands to the right of the days.
    """
    accepted = sum(collected.days.values())
    count = UNCOUNTED if kept is None else f"{kept:,}"
    facts = [
        fact("kept", count, "in all that this page shows", data_count="kept"),
        fact("accepted", f"{accepted:,}", "valid, and new; deleted ones included"),
        fact("round", f"{round}", collected.rounds.get(round, "")),
    ]
    parts = [element("dl", *facts, class_="cards")]
    if found := spans(collected.days):
        caption = f"Reports of round {round} by the day on which they came, deleted ones included"
        rows = [(str(span), f"{span.reports:,}") for span in found]
        numbers = tabulated(Table(("day", "reports"), rows, caption))
        folded_ = folded("Reports by day: the numbers", numbers)
        title = text("h3", "By day")
        days = element("div", title, figure(days_chart(found), caption), folded_)
        parts.append(element("div", days, beside, class_="beside"))
    else:
        none = f"No report of round {round} has come since days are counted."
        parts += [text("p", none, class_="note"), Markup(beside)]
    return lines(parts)


def counters_view(collected: Collected) -> Markup:
    """Return what became of all reports that were sent, in whatever round."""
    refused = sum(collected.refused.values())
    counts = {"kept": collected.kept, **collected.outcomes, "refused": refused}
    facts = (
        fact(PLURALS.get(name, name), f"{counts[name]:,}", meaning, data_count=name)
        for name, meaning in MEANINGS.items()
    )
    parts = [element("dl", *facts, class_="cards")]
    if collected.refused:
        order = sorted(collected.refused.items(), key=lambda each: -each[1])
        reasons = [(reason.replace("_", " "), f"{count:,}") for reason, count in order]
        table = Table(("reason", "reports"), reasons, "Refused reports by reason")
        parts.append(tabulated(table))
    return lines(parts)


def status(round: int, kept: int | None) -> str:
    """Say in a few words how many reports a page is about."""
    return f"Round {round}" + ("" if kept is None else f": {counted(kept, 'report')} kept")


def spans(days: Mapping[date, int]) -> list[Span]:
    """Return all days from the first to the last, those without reports included."""
    if not days:
        return []
    first, last = min(days), max(days)
    each = -(-((last - first).days + 1) // MOST)
    found = []
    while first <= last:
        stop = min(first + timedelta(days=each - 1), last)
        reports = sum(n for day, n in days.items() if first <= day <= stop)
        found.append(Span(first, stop, reports))
        first = stop + timedelta(days=1)
    return found


def days_chart(found: Sequence[Span]) -> Markup:
    """Draw how many reports came when."""
    columns = [Column(s.reports, f"{s}: {counted(s.reports, 'report')}") for s in found]
    first, last = str(found[0].first), str(found[-1].last)
    label = f"Reports from {first} to {last}. {BELOW}"
    return trend_chart(columns, (first, last), label, lambda n: f"{n:,.0f}", whole=True)
