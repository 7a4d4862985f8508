"""The page of a collector with several surveys: each by its name, with a link."""

from collections.abc import Mapping

from discretion.render.markup import Markup, element, lines, text
from discretion.render.page import served_page
from discretion.web.owner import LEAD


def listing_page(surveys: Mapping[str, str]) -> str:
    """Return the page for surveys by the names of their paths."""
    header = element("header", text("h1", "Surveys"), text("p", LEAD, class_="lead"))
    items = (_item(path, name) for path, name in surveys.items())
    main = element("main", element("ul", *items, class_="surveys"))
    return served_page("Surveys", lines([header, main]))


def _item(path: str, name: str) -> Markup:
    link = text("a", name, href=f"{path}/")
    results = text("a", "results", href=f"{path}/dashboard", aria_label=f"Results of {name}")
    return element("li", link, " ", element("span", f"({results})", class_="note"))
