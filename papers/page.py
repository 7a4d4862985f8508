"""The page of a study: a template whose slots take words, tables and figures.

A template is Markdown with names in braces. ``{bars}`` is what was checked; the others are the
study's exhibits. A section that names an exhibit which was not measured is left out.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from papers.exhibit import Table, save
from papers.study import Check, Findings, Study

SLOT = re.compile(r"\{([a-z0-9-]+)\}")
SECTION = re.compile(r"^(?=## )", re.MULTILINE)


def write(study: Study, found: Findings, place: Path) -> Path:
    """Write the page of a study and its figures into a folder."""
    place.mkdir(parents=True, exist_ok=True)
    slots = {"bars": bars(list(study.checks(found)))}
    for name, exhibit in study.exhibits(found):
        if isinstance(exhibit, Figure):
            slots[name] = f"{study.name}-{name}.svg"
            save(exhibit, place / slots[name])
        else:
            slots[name] = str(exhibit)
    path = place / f"{study.name}.md"
    template = Path(__file__).with_name(study.name) / "page.md"
    path.write_text(filled(template.read_text(encoding="utf-8"), slots), encoding="utf-8")
    return path


def filled(template: str, slots: Mapping[str, str]) -> str:
    """Return those sections of a template for which there is everything, with it."""
    sections = (each for each in SECTION.split(template) if slots.keys() >= {*SLOT.findall(each)})
    return SLOT.sub(lambda slot: slots[slot[1]], "".join(sections))


def bars(found: Sequence[Check]) -> str:
    """Return how many bars are met, which are not, and a table for each rule."""
    rules = dict.fromkeys(one.rule for one in found)
    tables = (_rule(rule, [one for one in found if one.rule == rule]) for rule in rules)
    return "\n\n".join([summary(found), *map(str, tables)])


def summary(found: Sequence[Check]) -> str:
    """Say how many bars are met, and name those that are not."""
    missed = [one for one in found if not one.met]
    lines = [", ".join(filter(None, (one.rule, one.about, one.at))) + f": {one}" for one in missed]
    met = f"{len(found) - len(missed)} of {len(found)} bars are met."
    return "\n".join([f"{met}\n" if missed else met, *(f"- {line}" for line in lines)])


def _rule(rule: str, found: Iterable[Check]) -> Table:
    cells = {(one.about, one.at): one for one in found}
    abouts, columns = (list(dict.fromkeys(key[i] for key in cells)) for i in (0, 1))
    rows = [(about, *(cells.get((about, at), "") for at in columns)) for about in abouts]
    return Table(("", *columns), rows, rule)
