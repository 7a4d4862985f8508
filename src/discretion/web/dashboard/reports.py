"""The panel of reports: how many were kept, refused and why, and when they came."""

from collections.abc import Mapping

from discretion.synthesis.markup import element, text
from discretion.synthesis.words import counted
from discretion.web.dashboard.choice import Collected
from discretion.web.dashboard.days import days_chart, spans
from discretion.web.dashboard.tables import figure, folded, table

MEANINGS = {
    "kept": "accepted, and not deleted since",
    "accepted": "valid, and new",
    "duplicate": "the same bytes again: retries",
    "conflict": "other bytes under a known id",
    "deleted": "taken back by their owners",
    "refused": "not what a device of this plan sends",
}


def reports_view(collected: Collected, round: int) -> str:
    """Return the counters of the survey, and the days of one round."""
    refused = sum(collected.refused.values())
    counts = {"kept": collected.kept, **collected.outcomes, "refused": refused}
    parts = [element("dl", *(_count(name, counts[name]) for name in MEANINGS), class_="cards")]
    if collected.refused:
        parts.append(_reasons(collected.refused))
    found = spans(collected.days)
    if not found:
        parts.append(
            text("p", f"No report of round {round} has come since days are counted.", class_="note")
        )
        return "".join(parts)
    caption = f"Reports of round {round} by the day on which they came, deleted ones included"
    rows = [[str(span), f"{span.reports:,}"] for span in found]
    parts.append(figure(days_chart(found), caption))
    parts.append(folded("Reports by day: the numbers", table(caption, ["day", "reports"], rows)))
    return "".join(parts)


def status(collected: Collected) -> str:
    """Say in a few words how many reports there are."""
    return f"{counted(collected.kept, 'report')} kept"


def _count(name: str, count: int) -> str:
    plural = f"{name}s" if name in ("duplicate", "conflict") else name
    number = text("strong", f"{count:,}", data_count=name)
    meaning = text("div", MEANINGS[name], class_="note")
    return element("div", text("dt", plural), element("dd", number, meaning), class_="card")


def _reasons(refused: Mapping[str, int]) -> str:
    order = sorted(refused.items(), key=lambda each: -each[1])
    rows = [[reason.replace("_", " "), f"{count:,}"] for reason, count in order]
    return table("Refused reports by reason", ["reason", "reports"], rows)
