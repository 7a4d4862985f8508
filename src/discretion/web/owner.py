"""The owner's page as it is served, and the list of surveys.

The script replaces what is in the page; until then it is what owners read without one: who asks for
what, and why a script is needed. That cannot ask which language its reader likes, and the server
does not look: it has all of them, the plan's first one open and the others folded.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from discretion.plan import Plan
from discretion.plan.wording import AttributeWording, Wording
from discretion.render.markup import Markup, element, escaped, lines, text
from discretion.render.page import served_page

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


OWN = ("en", "de", "fr", "ar")  # the languages of the page itself
TEXTS = "static/owner/texts"


@cache
def catalogue(tag: str, *more: str) -> Mapping[str, str]:
    """Return what the page says in a language; in English where it does not speak that.

    ``more`` are the folders of other pages, which say that and more.
    """
    own = next((own for own in OWN if alike(own, tag)), OWN[0])
    said = dict[str, str]()
    for folder in (TEXTS, *more):
        path = files("discretion.web").joinpath(folder, f"{own}.json")
        said |= json.loads(path.read_text("utf-8"))
    return {**said, "tag": own}


def languages(plan: Plan) -> list[str]:
    """Return the plan's languages, and those of the page that it has not."""
    own = plan.wording.languages
    return [*own, *(tag for tag in OWN if not any(alike(tag, other) for other in own))]


def unscripted(plan: Plan, survey: Mapping[str, Any]) -> Markup:
    """Return the content of the page for a plan and its survey document."""
    first, *others = languages(plan)
    return lines([_within(first, plan, survey), *(_folded(tag, plan, survey) for tag in others)])


def _folded(tag: str, plan: Plan, survey: Mapping[str, Any]) -> Markup:
    say = catalogue(tag)
    name = say["name"] if alike(say["tag"], tag) else tag
    content = [text("summary", name), _within(tag, plan, survey)]
    return element("details", *content, lang=say["tag"], dir=say["direction"])


def _within(tag: str, plan: Plan, survey: Mapping[str, Any]) -> Markup:
    """Return all of it in one language; wording that lacks it is in the plan's first."""
    say, spoken = catalogue(tag), plan.wording.best([tag]) or tag
    wording = plan.wording.within(spoken)
    own = {"dir": "auto"} | ({} if alike(spoken, say["tag"]) else {"lang": spoken})
    days = survey["retention"]
    kept = say["removed"].format(days=days) if days else say["kept"]
    facts = [
        _fact(say["asker"], wording.asker or survey["asker"], say["noAsker"], own),
        _fact(say["purpose"], wording.purpose or survey["purpose"], say["noPurpose"], own),
        _fact(say["retention"], wording.retention, kept, own),
        _fact(say["contact"], wording.contact, "", own),
    ]
    before, after = say["instead"].split("{plan}")
    link = text("a", say["plan"], href="v1/plan")
    why = [escaped(say["needs"]), " ", text("strong", say["nothing"]), " "]
    return element(
        "section",
        text("h2", say["title"]),
        *_asked(wording, alone(survey["stops"]), say["further"], own),
        element("dl", *facts, class_="facts card"),
        text("p", str(wording.notice), class_="words", **own) if wording.notice else "",
        element("p", *why, escaped(before), link, escaped(after)),
        element("p", text("a", say["seeResults"], href="results")) if survey["results"] else "",
    )


def _asked(
    wording: Wording, names: Sequence[str], further: str, own: Mapping[str, str]
) -> Iterable[Markup]:
    """Yield what is asked, in the plan's sections."""
    listed = [name for each in wording.sections for name in each.attributes]
    for each in wording.sections:
        yield text("h3", str(each.title), **own)
        yield _list(wording, each.attributes, own)
    rest = [name for name in names if name not in listed]
    if listed and rest:
        yield text("h3", further)
    if rest:
        yield _list(wording, rest, own)


def _list(wording: Wording, names: Iterable[str], own: Mapping[str, str]) -> Markup:
    return element(
        "ul", *(_question(wording.of(name), name, own) for name in names), class_="asked"
    )


def _question(asked: AttributeWording, name: str, own: Mapping[str, str]) -> Markup:
    """Return a question, or the name of the attribute, with what helps to answer it."""
    helped = text("span", str(asked.help), class_="help", **own) if asked.help else ""
    return element("li", text("strong", str(asked.question or name), **own), helped)


def _fact(term: str, said: object, unsaid: str, own: Mapping[str, str]) -> Markup:
    """Return what is said, or else what the page has to say."""
    if not said and not unsaid:
        return Markup()
    value = text("dd", str(said), class_="words", **own) if said else text("dd", unsaid)
    return lines([text("dt", term), value])


def alone(names: Iterable[str]) -> list[str]:
    """Return the attributes among names, which may be bundles of them as well."""
    known = set(names)
    return [name for name in names if not ("+" in name and known.issuperset(name.split("+")))]


def alike(one: str, other: str) -> bool:
    """Whether two tags have the same language, wherever it is spoken."""
    return one.split("-")[0] == other.split("-")[0]
