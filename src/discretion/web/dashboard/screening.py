"""The panel of screening: groups of reports that honest devices would hardly send."""

from collections.abc import Mapping
from typing import Any

from discretion.synthesis.markup import element, text
from discretion.synthesis.words import chance, percent
from discretion.web.dashboard.tables import card, folded, table
from discretion.web.dashboard.words import measure, shown_level

EXPLAINED = (
    "Reports of a level are suspicious if they do not look like what honest devices send. Nothing "
    "is dropped: estimates are shown with and without them. A level may also differ since those "
    "who choose it differ; and lies that follow the law of a false value are not found."
)
Screening = Mapping[str, Any]


def screening_view(document: Mapping[str, Any], attribute: str) -> str:
    """Return what was tested, and in full what is suspicious."""
    tried = [e for e in document["screenings"] if attribute in ("", e["name"])]
    found = [each["found"] for each in tried if each["found"] is not None]
    doubtful = [each for each in found if each["suspicious_share"] > 0]
    untested = [each for each in tried if each["found"] is None]
    if not document["reports"]:
        return text("p", "There is nothing to be tested yet.", class_="note")
    parts = [text("p", EXPLAINED, class_="note"), *map(_card, doubtful)]
    if found and not doubtful:
        parts.append(text("p", "No group of reports looks suspicious."))
    if found:
        parts.append(folded("Screening of each attribute: the numbers", _summary(found)))
    lines = [f"{each['name']}: not tested: {each['reason']}." for each in untested]
    parts += [text("p", line, class_="note") for line in lines]
    return "".join(parts)


def _card(screening: Screening) -> str:
    name = screening["attribute"]
    said = f"{percent(screening['suspicious_share'])} of the answers are in suspicious groups."
    notes = [text("p", screening["note"], class_="note")] if screening["note"] else []
    groups = [_group(each) for each in screening["groups"] if each["suspicious"]]
    heads = ["level", "answers", "p, adjusted"]
    return card(
        "screening",
        name,
        text("p", said, class_="warning"),
        *notes,
        table(f"{name}: suspicious groups", heads, groups),
        folded(f"Estimates of {name} with and without these", _both(screening)),
    )


def _group(group: Screening) -> list[str]:
    level = " ".join(filter(None, [shown_level(group["level"]), group["part"]]))
    return [level, f"{group['n']:,}", chance(group["adjusted"] or 0.0)]


def _both(screening: Screening) -> str:
    rows = [
        [each["what"], *(_estimate(each, key) for key in ("", "without"))]
        for each in screening["estimates"]
    ]
    caption = f"{screening['attribute']}: estimate ± standard error"
    return table(caption, ["", "with all reports", "without suspicious ones"], rows)


def _estimate(row: Screening, key: str) -> str:
    value, error = (row[key or "value"], row[f"{key}_stderr" if key else "stderr"])
    if value is None:
        return "nothing left"
    if row["what"] == "mean":
        write = measure(error)
        return write(value) if error is None else f"{write(value)} ± {write(error)}"
    return percent(value) if error is None else f"{percent(value)} ± {percent(error)}"


def _summary(found: list[Screening]) -> str:
    rows = [
        [
            each["attribute"],
            str(len(each["groups"])),
            str(sum(group["suspicious"] for group in each["groups"])),
            percent(each["suspicious_share"]),
        ]
        for each in found
    ]
    heads = ["attribute", "groups", "suspicious", "answers in these"]
    whole = table("Groups of reports by attribute", heads, rows)
    return element("div", whole)
