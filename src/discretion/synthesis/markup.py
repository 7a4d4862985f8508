"""Elements of a page: names, attributes and children to text that browsers and XML readers take."""

from html import escape


def element(name: str, *children: str, **attributes: object) -> str:
    """Return an element around children that are markup already; ``class_`` is the class."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(children)}</{name}>"


def text(name: str, content: str, **attributes: object) -> str:
    """Return an element around plain text; a per cent sign stays with its number."""
    return element(name, escape(content.replace(" %", "\N{NO-BREAK SPACE}%")), **attributes)
