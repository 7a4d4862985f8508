"""Pages: one template and one style sheet, with light and dark, for screens of every width.

A page that stands alone has its style in it, fetches nothing and runs no script. A page that a
server sends links its style, as its policy forbids any other.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template

from discretion.errors import DiscretionError
from discretion.render.markup import Markup, element, escaped, lines, text
from discretion.render.tables import Table
from discretion.render.theme import colours

SECTION = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>', re.DOTALL)
LONG = 3  # sections from which on a page has a list of them
OPEN = 12  # rows up to which a table is shown at once
ICON = '<link rel="icon" href="{}static/icon.svg" type="image/svg+xml" />'
SHEET = '<link rel="stylesheet" href="{}static/{}.css" />'


@cache
def style() -> str:
    """Return the style sheet of all pages, colours included."""
    return colours() + files("discretion.render").joinpath("page.css").read_text("utf-8")


def standalone_page(title: str, body: str, language: str = "en", direction: str = "ltr") -> str:
    """Return a page that needs nothing else; a long one has a list of its sections."""
    head = [text("title", title), element("style", f"\n{style()}")]
    found = SECTION.findall(body)
    if len(found) >= LONG:
        items = [element("li", element("a", said, href=f"#{name}")) for name, said in found]
        entries = text("p", "Contents", class_="note"), element("ul", *items)
        aside = element("nav", *entries, aria_label="Contents", class_="aside")
        body = element("div", aside, element("div", body), class_="sided alone")
    return _page(head, body, language, direction)


def served_page(
    title: str,
    body: str,
    sheets: Sequence[str] = (),
    more: Sequence[str] = (),
    root: str = "",
    language: str = "en",
    direction: str = "ltr",
) -> str:
    """Return a page of a server; ``root`` leads from its address to that of the first page."""
    linked = [SHEET.format(root, name) for name in ("page", *sheets)]
    referrer = '<meta name="referrer" content="no-referrer" />'
    head = [text("title", title), referrer, ICON.format(root), *linked, *more]
    return _page(head, body, language, direction)


def write_page(path: Path, page: str) -> None:
    """Write a page, or say why that is not possible."""
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise DiscretionError(f"{path}: must be a file that can be written ({error})") from None


def section(name: str, title: str, *content: str) -> Markup:
    """Return a section under its heading."""
    head = text("h2", title, id=name)
    return element("section", head, *content, aria_labelledby=name)


def paragraphs(said: Iterable[str], **attributes: object) -> Markup:
    """Return each text as a paragraph."""
    return lines(text("p", each, **attributes) for each in said)


def fact(name: str, value: str, more: str, kind: str = "", **attributes: object) -> Markup:
    """Return a card with one figure, for a list of class ``cards``."""
    figure = text("strong", value, **attributes)
    content = element("dd", figure, text("div", more, class_="note"))
    return element("div", text("dt", name), content, class_=f"card {kind}".rstrip())


def card(section: str, title: str, *content: str, way: str = "") -> Markup:
    """Return an article with its title; ``section`` makes its id unique on the page.

    ``way`` is a link that stands beside the title.
    """
    name = identity(section, title)
    head = text("h3", title, id=name)
    if way:
        head = element("div", head, way, class_="bar")
    return element("article", head, *content, class_="card", aria_labelledby=name)


def figure(picture: str, caption: str) -> Markup:
    """Return a picture under its caption, if it has one."""
    return element("figure", text("figcaption", caption) if caption else "", picture)


def scrolled(content: str, label: str) -> Markup:
    """Return something wide in a box that scrolls by itself, also by keyboard."""
    place = {"role": "region", "aria_label": label, "tabindex": 0, "id": identity("wide", label)}
    return element("div", content, **place, class_="wide")


def tabulated(table: Table) -> Markup:
    """Return a table that scrolls by itself."""
    return scrolled(table.html(), f"Table: {table.caption}")


def folded(title: str, *content: str) -> Markup:
    """Return something that is shown when it is asked for."""
    return element("details", text("summary", title), *content, id=identity("more", title))


def table_card(table: Table, *, fold: bool = True, titled: bool = True) -> Markup:
    """Return a table as a card of its own; a long one is folded.

    ``titled=False``: the heading above the card says what it is.
    """
    title = table.caption
    content = scrolled(replace(table, caption="").html(), f"Table: {title}")
    if fold and len(table.rows) > OPEN:
        return element("div", folded(f"{title} ({len(table.rows)})", content), class_="card")
    head = [text("h3", title)] if titled else []
    return element("div", *head, content, class_="card")


def identity(kind: str, title: str) -> str:
    """Return an id that stays the same from one page to the next, whatever the title has in it."""
    return f"{kind}-{hashlib.sha256(title.encode()).hexdigest()[:12]}"


def filled(package: str, file: str, **parts: object) -> str:
    """Return the text of a file of a package with its parts filled in; plain text is escaped."""
    template = Template(files(package).joinpath(file).read_text("utf-8"))
    made = {
        key: each if isinstance(each, Markup) else escaped(str(each)) for key, each in parts.items()
    }
    return template.substitute(made)


def _page(head: Iterable[str], body: str, language: str = "en", direction: str = "ltr") -> str:
    own = {"language": language, "direction": direction}
    return filled("discretion.render", "page.html", head=lines(head), body=Markup(body), **own)
