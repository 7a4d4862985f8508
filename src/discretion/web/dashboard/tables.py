"""Tables and cards: every chart has its numbers beside it, folded until somebody wants them."""

import hashlib
from collections.abc import Sequence

from discretion.synthesis.markup import element, text


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of plain text; the first cell of a row is its name."""
    head = element("tr", *(text("th", name, scope="col") for name in heads))
    body = [
        element("tr", text("th", row[0], scope="row"), *(text("td", cell) for cell in row[1:]))
        for row in rows
    ]
    whole = element(
        "table", text("caption", caption), element("thead", head), element("tbody", *body)
    )
    return scrolled(whole, f"Table: {caption}")


def scrolled(content: str, label: str) -> str:
    """Return something wide in a box that scrolls by itself, also by keyboard."""
    place = {"role": "region", "aria_label": label, "tabindex": 0, "id": identity("wide", label)}
    return element("div", content, **place, class_="wide")


def folded(title: str, *content: str) -> str:
    """Return something that is shown when it is asked for."""
    return element("details", text("summary", title), *content, id=identity("more", title))


def figure(picture: str, caption: str) -> str:
    """Return a picture under its caption."""
    return element("figure", text("figcaption", caption), picture)


def card(section: str, title: str, *content: str) -> str:
    """Return an article with its title, in a section that has one of this title."""
    name = identity(section, title)
    head = text("h3", title, id=name)
    return element("article", head, *content, class_="card", aria_labelledby=name)


def identity(kind: str, title: str) -> str:
    """Return an id that stays the same from one page to the next, whatever the title has in it."""
    return f"{kind}-{hashlib.sha256(title.encode()).hexdigest()[:12]}"
