"""The page of a collector with several surveys: each by its name, with a link."""

from collections.abc import Mapping
from importlib.resources import files
from string import Template

from discretion.synthesis.markup import element, text


def listing_page(surveys: Mapping[str, str]) -> str:
    """Return the page for surveys by the names of their paths."""
    template = Template(files("discretion.web").joinpath("listing.html").read_text("utf-8"))
    items = (_item(path, name) for path, name in surveys.items())
    return template.substitute(surveys=element("ul", *items, class_="surveys"))


def _item(path: str, name: str) -> str:
    link = text("a", name, href=f"{path}/")
    results = text("a", "results", href=f"{path}/dashboard", aria_label=f"Results of {name}")
    return element("li", link, " ", element("span", f"({results})", class_="note"))
