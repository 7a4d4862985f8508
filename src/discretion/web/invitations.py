"""Cards with invitations, to print and cut out: a link each, also as a QR code."""

from collections.abc import Iterable
from io import BytesIO

import segno

from discretion.plan import Plan
from discretion.render.markup import Markup, element, escaped, lines, text
from discretion.render.page import standalone_page
from discretion.web.owner import catalogue, languages, title_of

QUIET = 4  # modules around a QR code, as its standard asks


def link(address: str, code: str) -> str:
    """Return the link of an invitation; what is behind # is not sent when a page is fetched."""
    return f"{address}#token={code}"


def cards_page(plan: Plan, links: Iterable[str]) -> str:
    """Return a page with a card for each link, in the plan's first language."""
    tag = languages(plan)[0]
    say, asker = catalogue(tag), str(plan.wording.within(tag).asker or "")
    head = [
        text("h2", title_of(plan), dir="auto"),
        text("p", asker, dir="auto") if asker else "",
        text("p", say["invited"]),
    ]
    cards = [_card(number, own, head) for number, own in enumerate(links, 1)]
    title = text("h1", title_of(plan), dir="auto", class_="unseen")
    main = element("main", title, lines(cards), class_="invitations")
    language = {"language": say["tag"], "direction": say["direction"]}
    return standalone_page(title_of(plan), main, **language)


def _card(number: int, link: str, head: Iterable[str]) -> Markup:
    page, code = link.split("#")
    shown = [escaped(page), element("wbr"), escaped(f"#{code}")]
    words = element("div", *head, element("p", *shown, class_="link", dir="ltr"))
    return element("article", _code(link), words, text("p", f"{number:,}", class_="number"))


def _code(link: str) -> Markup:
    """Return a QR code, black on white whatever colours the page has."""
    drawn = BytesIO()
    segno.make(link, error="m", micro=False).save(
        drawn, kind="svg", xmldecl=False, svgns=True, nl=False, border=QUIET, light="#fff",
        omitsize=True,
    )  # fmt: skip
    return Markup(drawn.getvalue().decode())
