"""The panel of screening: groups of reports that honest devices would hardly send."""

from collections.abc import Sequence

from discretion.estimate.documents.checks import Group, Screening, WithAndWithout
from discretion.estimate.legend import Legend
from discretion.render.formats import measured, p_value, percent, with_unit
from discretion.render.markup import Markup, lines, text
from discretion.render.page import card, folded, tabulated
from discretion.render.tables import Table
from discretion.web.dashboard.documents import Screenings
from discretion.web.dashboard.words import level_name

EXPLAINED = (
    "Reports of a level are suspicious if they do not look like what honest devices send. Nothing "
    "is dropped: estimates are shown with and without them. A level may also differ because the "
    "people who choose it differ. False reports that follow the law of another value are not "
    "detected."
)


def screening_view(document: Screenings, attribute: str, legend: Legend) -> Markup:
    """Return what was tested, and in full what is suspicious."""
    if not document["reports"]:
        return text("p", "There is nothing to be tested yet.", class_="note")
    tried = [each for each in document["screenings"] if attribute in ("", each["name"])]
    found = [each["found"] for each in tried if each["found"] is not None]
    suspicious = [each for each in found if each["suspicious_share"] > 0]
    parts = [text("p", EXPLAINED, class_="note"), *(_card(each, legend) for each in suspicious)]
    if found and not suspicious:
        parts.append(text("p", "No group of reports looks suspicious."))
    if found:
        parts.append(folded("Screening of each attribute: the numbers", _summary(found)))
    untested = [each for each in tried if each["found"] is None]
    said = [f"{each['name']}: not tested: {each['reason']}." for each in untested]
    return lines([*parts, *(text("p", line, class_="note") for line in said)])


def _card(screening: Screening, legend: Legend) -> Markup:
    name = screening["attribute"]
    said = f"{percent(screening['suspicious_share'])} of the answers are in suspicious groups."
    notes = [text("p", screening["note"], class_="note")] if screening["note"] else []
    groups = [_group(each) for each in screening["groups"] if each["suspicious"]]
    heads = ("level", "answers", "p, adjusted")
    return card(
        "screening",
        legend.title(name),
        text("p", said, class_="warning"),
        *notes,
        tabulated(Table(heads, groups, f"{name}: suspicious groups")),
        folded(f"Estimates of {name} with and without these", _both(screening, legend)),
    )


def _group(group: Group) -> tuple[str, ...]:
    level = " ".join(filter(None, [level_name(group["level"]), group["part"]]))
    return level, f"{group['n']:,}", p_value(group["adjusted"] or 0.0)


def _both(screening: Screening, legend: Legend) -> Markup:
    name = screening["attribute"]
    rows = [
        (
            legend.label(name, each["what"]),
            _estimate(each, each["value"], each["stderr"], legend.unit(name)),
            _estimate(each, each["without"], each["without_stderr"], legend.unit(name)),
        )
        for each in screening["estimates"]
    ]
    heads = ("estimate", "with all reports", "without suspicious ones")
    caption = f"{name}: estimate ± standard error"
    return tabulated(Table(heads, rows, caption))


def _estimate(row: WithAndWithout, value: float | None, stderr: float | None, unit: str) -> str:
    if value is None:
        return "nothing left"
    write = with_unit(measured(stderr), unit) if row["what"] == "mean" else percent
    return write(value) if stderr is None else f"{write(value)} ± {write(stderr)}"


def _summary(found: Sequence[Screening]) -> Markup:
    rows = [
        (
            each["attribute"],
            str(len(each["groups"])),
            str(sum(group["suspicious"] for group in each["groups"])),
            percent(each["suspicious_share"]),
        )
        for each in found
    ]
    heads = ("attribute", "groups", "suspicious", "answers in these")
    return tabulated(Table(heads, rows, "Groups of reports by attribute"))
