"""The card of any statistic that is not drawn in its own way: its rows, under their heads."""

from discretion.render.formats import number
from discretion.render.markup import Markup
from discretion.render.page import card, tabulated
from discretion.render.tables import Table
from discretion.web.dashboard.documents import TriedOther
from discretion.web.dashboard.found import said, warned

UNKNOWN = "unknown"


def other_card(tried: TriedOther) -> Markup:
    """Return the card of a statistic of one attribute."""
    title, found = f"{tried['name']}: {tried['statistic']}", tried["found"]
    notes = warned(tried["warnings"])
    if found is None:
        return card("other", title, notes, said(tried["reason"]))
    rows = [tuple(map(_cell, row)) for row in found["rows"]]
    return card("other", title, notes, tabulated(Table(found["heads"], rows, title)))


def _cell(value: str | float | None) -> str:
    if value is None:
        return UNKNOWN
    return number(value) if isinstance(value, float) else str(value)
