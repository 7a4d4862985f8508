"""The owner's page: its shell, and what it says where no script runs. The rest is in the page."""

from collections.abc import Iterable, Mapping
from importlib.resources import files
from string import Template
from typing import Any

from discretion.synthesis.markup import element, text


def owner_page(told: Mapping[str, Any]) -> str:
    """Return the page for what owners are told."""
    template = Template(files("discretion.web").joinpath("owner.html").read_text("utf-8"))
    facts = {
        "Who asks": told["asker"] or "Whoever runs this page did not say who they are.",
        "What for": told["purpose"] or "Whoever runs this page did not say what for.",
        "How long it is kept": kept(told["retention"]),
    }
    return template.substitute(
        title=text("title", told["name"]),
        name=text("h1", told["name"]),
        asked=element("ul", *(text("li", name) for name in alone(told["stops"]))),
        facts="\n".join(text("dt", term) + text("dd", said) for term, said in facts.items()),
    )


def kept(days: int) -> str:
    """Say how long reports are kept."""
    if not days:
        return "Reports are kept until the people who sent them delete them."
    unit = "day" if days == 1 else "days"
    return f"Reports are removed {days:,} {unit} after their round is closed; the counts stay."


def alone(names: Iterable[str]) -> list[str]:
    """Return the attributes among names, which may be bundles of them as well."""
    known = set(names)
    return [name for name in names if not ("+" in name and known.issuperset(name.split("+")))]
