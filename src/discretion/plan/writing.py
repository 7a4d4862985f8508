"""Writing the YAML of a plan as authors do: fields on one line, comments, lists that break."""

import textwrap
from collections.abc import Iterable
from decimal import Decimal

from discretion.extras import needed

WIDTH = 98


def flow(value: object) -> str:
    """Return a value as YAML in one line, text in quotes where it would be read as another."""
    with needed("a plan in YAML"):
        import yaml

    line = yaml.safe_dump(
        [_plain(value)], default_flow_style=True, allow_unicode=True, width=1 << 20, sort_keys=False
    )
    return line.strip()[1:-1]


def _plain(value: object) -> object:
    """Return a value with decimals as YAML knows them."""
    match value:
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
    return value


def lines_of(field: str, items: Iterable[str]) -> list[str]:
    """Return a field with a list, over as many lines as it needs."""
    lines, room = [f"{field}: ["], WIDTH - 6
    for item in items:
        if len(lines[-1]) + len(item) > room:
            lines.append("  ")
        lines[-1] += f"{item}, "
    return [line.rstrip() for line in [*lines[:-1], lines[-1][:-2] + "]"]]


def comment(paragraphs: str, indent: str = "") -> str:
    """Return text as comments, with an empty one between paragraphs."""
    lines = []
    for paragraph in paragraphs.split("\n\n"):
        words = " ".join(paragraph.split())
        lines += ["", *textwrap.wrap(words, WIDTH - len(indent), break_long_words=False)]
    return "\n".join(f"{indent}# {line}".rstrip() for line in lines[1:])
