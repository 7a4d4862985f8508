"""What owners read before any script runs: who asks for what, and which surveys there are.

The survey document says that to the page too, with what a level brings; the rest is in the page.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

from discretion.plan import Plan
from discretion.render.markup import element, lines, text
from discretion.render.page import filled, served_page
from discretion.web.stops import stops

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


def survey(
    plan: Plan, asker: str, purpose: str, retention: int, round: int | None, *, token: bool
) -> dict[str, Any]:
    """Return it as a document; what protects owners is in the plan."""
    return {
        "plan": plan.id,
        "name": plan.name,
        "asker": asker,
        "purpose": purpose,
        "retention": retention,
        "round": round,
        "token": token,
        "stops": _stops(plan),
    }


@cache
def _stops(plan: Plan) -> Mapping[str, Any]:
    return {name: [asdict(stop) for stop in stops(plan, name)] for name in plan.names}


def listing_page(surveys: Mapping[str, str]) -> str:
    """Return the page for surveys by the names of their paths."""
    header = element("header", text("h1", "Surveys"), text("p", LEAD, class_="lead"))
    items = []
    for path, name in surveys.items():
        link = text("a", name, href=f"{path}/")
        results = text("a", "results", href=f"{path}/dashboard", aria_label=f"Results of {name}")
        items.append(element("li", link, " ", element("span", f"({results})", class_="note")))
    main = element("main", element("ul", *items, class_="surveys"))
    return served_page("Surveys", lines([header, main]))
