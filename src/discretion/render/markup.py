"""Elements of a page: names, attributes and children as text that browsers and XML readers take."""

from collections.abc import Iterable
from html import escape

VOID = frozenset({"input", "wbr"})  # elements without an end


class Markup(str):
    """Text that is markup already; any other text is escaped before it becomes part of a page."""

    __slots__ = ()


def element(name: str, *children: str, **attributes: object) -> Markup:
    """Return an element around children that are markup already; ``class_`` is the class."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
    )
    end = "" if name in VOID else f"{''.join(children)}</{name}>"
    return Markup(f"<{name}{written}>{end}")


def text(name: str, content: str, **attributes: object) -> Markup:
    """Return an element around plain text."""
    return element(name, escaped(content), **attributes)


def escaped(content: str) -> Markup:
    """Return plain text as markup; a per cent sign stays with its number."""
    return Markup(escape(content.replace(" %", "\N{NO-BREAK SPACE}%")))


def lines(parts: Iterable[str]) -> Markup:
    """Return parts that are markup already, each on a line of its own."""
    return Markup("\n".join(parts))
