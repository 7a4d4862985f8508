"""What owners read before any script runs: who asks for what, and which surveys there are.

The survey document (``web.survey``) says that to the page too; the rest is in the page.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from discretion.plan import Plan
from discretion.plan.wording import AttributeWording, Wording
from discretion.render.markup import Markup, element, lines, text
from discretion.render.page import filled, served_page

LEAD = "Take part, and choose yourself how much your answers may reveal."
NOBODY = "Whoever runs this page did not say"
SCRIPT = '<script type="module" src="static/{}/main.js"></script>'
MODULES, BUNDLE = "owner", "bundle"  # as they are written; and in a few files, which a release has


def owner_page(plan: Plan, survey: Mapping[str, Any]) -> str:
    """Return the page for a plan and its survey document, in the plan's first language."""
    wording = _first(plan)
    facts = {
        "Who asks": wording.asker or survey["asker"] or f"{NOBODY} who they are.",
        "What for": wording.purpose or survey["purpose"] or f"{NOBODY} what for.",
        "How long it is kept": wording.retention or kept(survey["retention"]),
        "Contact": wording.contact,
    }
    title = title_of(plan)
    body = filled(
        "discretion.web",
        "owner.html",
        name=title,
        lead=LEAD,
        asked=_asked(wording, alone(survey["stops"])),
        facts=lines(_fact(term, str(said)) for term, said in facts.items() if said),
        notice=text("p", str(wording.notice), class_="words", dir="auto") if wording.notice else "",
    )
    return served_page(title, body, ["owner/owner"], [SCRIPT.format(_scripts())])


def title_of(plan: Plan) -> str:
    """Return what people call a survey."""
    return str(_first(plan).title or plan.name)


def _first(plan: Plan) -> Wording:
    """Return a plan's wording in its first language."""
    return plan.wording.within(next(iter(plan.wording.languages), ""))


@cache
def _scripts() -> str:
    """Return the folder of the page's script."""
    bundle = files("discretion.web").joinpath("static", BUNDLE, "main.js")
    return BUNDLE if bundle.is_file() else MODULES


def _asked(wording: Wording, names: Sequence[str]) -> Markup:
    """Return what is asked, in the plan's sections."""
    sections = [(str(each.title), each.attributes) for each in wording.sections]
    inside = {name for _, listed in sections for name in listed}
    sections.append(("", tuple(name for name in names if name not in inside)))
    return lines(
        (text("h3", title, dir="auto") if title else "")
        + element("ul", *(_question(wording.of(name), name) for name in listed), class_="asked")
        for title, listed in sections
        if listed
    )


def _question(asked: AttributeWording, name: str) -> Markup:
    """Return a question, or the name of the attribute, with what helps to answer it."""
    helped = text("span", str(asked.help), class_="help", dir="auto") if asked.help else ""
    return element("li", text("strong", str(asked.question or name), dir="auto"), helped)


def _fact(term: str, said: str) -> Markup:
    return lines([text("dt", term), text("dd", said, class_="words", dir="auto")])


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


def listing_page(surveys: Mapping[str, str]) -> str:
    """Return the page for surveys by the names of their paths."""
    header = element("header", text("h1", "Surveys"), text("p", LEAD, class_="lead"))
    items = []
    for path, name in surveys.items():
        link = text("a", name, href=f"{path}/", dir="auto")
        results = text("a", "results", href=f"{path}/dashboard", aria_label=f"Results of {name}")
        items.append(element("li", link, " ", element("span", f"({results})", class_="note")))
    main = element("main", element("ul", *items, class_="surveys"))
    return served_page("Surveys", lines([header, main]))
