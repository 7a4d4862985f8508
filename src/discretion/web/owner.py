"""The owner's page as it is served, and the list of surveys.

The script replaces what is in the page; until then it is what owners read without a script.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from discretion.plan import Plan
from discretion.render.markup import element, lines, text
from discretion.render.page import served_page
from discretion.web.unscripted import catalogue, languages, unscripted

SCRIPT = '<script type="module" src="static/{}/main.js"></script>'
MODULES, BUNDLE = "owner", "bundle"  # as they are written; and in a few files, which a release has


def owner_page(plan: Plan, survey: Mapping[str, object]) -> str:
    """Return the page for a plan and its survey document, in the plan's first language."""
    say, title = catalogue(languages(plan)[0]), title_of(plan)
    header = element("header", text("h1", title, dir="auto"), text("p", say["lead"], class_="lead"))
    body = lines([header, element("main", unscripted(plan, survey))])
    script = SCRIPT.format(_scripts())
    own = {"language": say["tag"], "direction": say["direction"]}
    return served_page(title, body, ["owner/owner"], [script], **own)


def title_of(plan: Plan) -> str:
    """Return what people call a survey."""
    first = next(iter(plan.wording.languages), "")
    return str(plan.wording.within(first).title or plan.name)


@cache
def _scripts() -> str:
    """Return the folder of the page's script."""
    bundle = files("discretion.web").joinpath("static", BUNDLE, "main.js")
    return BUNDLE if bundle.is_file() else MODULES


def listing_page(surveys: Mapping[str, str], published: bool = False) -> str:
    """Return the page for surveys by the names of their paths; ``published``: results are."""
    header = element(
        "header", text("h1", "Surveys"), text("p", catalogue("en")["lead"], class_="lead")
    )
    items = []
    for path, name in surveys.items():
        link = text("a", name, href=f"{path}/", dir="auto")
        word = "results" if published else "dashboard"
        label = f"{word.capitalize()} of {name}"
        shown = text("a", word, href=f"{path}/{word}", aria_label=label)
        items.append(element("li", link, " ", element("span", f"({shown})", class_="note")))
    main = element("main", element("ul", *items, class_="surveys"))
    return served_page("Surveys", lines([header, main]))
