"""The owner's page: its shell, and what it says where no script runs. The rest is in the page."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from discretion.plan import Plan
from discretion.plan.wording import AttributeWording, Wording
from discretion.render.markup import Markup, element, lines, text
from discretion.render.page import filled, served_page

LEAD = "Take part, and choose yourself how much your answers may reveal."
SCRIPT = '<script type="module" src="static/{}/main.js"></script>'
MODULES, BUNDLE = "owner", "bundle"  # as they are written; and in a few files, which a release has


def owner_page(plan: Plan, survey: Mapping[str, Any]) -> str:
    """Return the page for a plan and its survey document, in the plan's first language."""
    wording = plan.wording.within(next(iter(plan.wording.languages), ""))
    facts = {
        "Who asks": wording.asker
        or survey["asker"]
        or "Whoever runs this page did not say who they are.",
        "What for": wording.purpose
        or survey["purpose"]
        or "Whoever runs this page did not say what for.",
        "How long it is kept": wording.retention or kept(survey["retention"]),
        "Contact": wording.contact,
    }
    title = wording.title or survey["name"]
    body = filled(
        "discretion.web",
        "owner.html",
        name=title,
        lead=LEAD,
        asked=_asked(wording, alone(survey["stops"])),
        facts=lines(_fact(term, str(said)) for term, said in facts.items() if said),
        notice=text("p", str(wording.notice), class_="words", dir="auto") if wording.notice else "",
    )
    return served_page(str(title), body, ["owner/owner"], [SCRIPT.format(_scripts())])


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
        + element("ul", *(_question(wording.of(name), name) for name in listed))
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
