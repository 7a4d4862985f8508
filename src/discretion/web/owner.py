"""The owner's page: its shell, and what it says where no script runs. The rest is in the page."""

from collections.abc import Iterable, Mapping
from typing import Any

from discretion.render.markup import element, lines, text
from discretion.render.page import filled, served_page

LEAD = "Take part, and choose yourself how much your answers may reveal."
SCRIPT = '<script type="module" src="static/owner/main.js"></script>'


def owner_page(survey: Mapping[str, Any]) -> str:
    """Return the page for a survey document."""
    facts = {
        "Who asks": survey["asker"] or "Whoever runs this page did not say who they are.",
        "What for": survey["purpose"] or "Whoever runs this page did not say what for.",
        "How long it is kept": kept(survey["retention"]),
    }
    body = filled(
        "discretion.web",
        "owner.html",
        name=survey["name"],
        lead=LEAD,
        asked=element("ul", *(text("li", name) for name in alone(survey["stops"]))),
        facts=lines(text("dt", term) + text("dd", said) for term, said in facts.items()),
    )
    return served_page(survey["name"], body, ["owner/owner"], [SCRIPT])


def kept(days: int) -> str:
    """Say how long reports are kept."""
    if not days:
        return "Reports are kept until the people who sent them delete them."
    unit = "day" if days == 1 else "days"
    return f"Reports are removed {days:,} {unit} after their round is closed; the counts stay."


def alone(names: Iterable[str]) -> list[str]:
    """Return the attributes among names, which may be bundles of them as well."""
    known = set(names)
    return [name for name in names if not ("+" in name and known.issuperset(name.split("+")))]
