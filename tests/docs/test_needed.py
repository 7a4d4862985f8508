"""The table of the README that says how many people must answer."""

import re
from pathlib import Path

import pytest

import discretion as ds

README = Path(__file__).parents[2] / "README.md"
ASKED = [
    {"name": "yes", "kind": "categorical", "values": ["yes", "no"]},
    {"name": "way", "kind": "categorical", "values": list("abcdefgh")},
    {"name": "score", "kind": "numeric", "range": [0, 100], "step": 1},
]


def row(level: float) -> list[int]:
    """Return the numbers of people in the row of a level."""
    found = re.search(
        rf"^\| {level:g} \| ([\d,]+ (?:\| [\d,]+ )+)\|$", README.read_text(), re.MULTILINE
    )
    assert found
    return [int(cell.replace(",", "")) for cell in found[1].split("|")]


def test_the_table_of_the_readme_is_what_needed_says() -> None:
    for level in (1, 4):
        plan = ds.Plan.of({"name": "t", "attributes": ASKED, "budget": {"levels": [level]}})
        needed = [
            ds.needed(plan, "yes", halfwidth=0.05),
            ds.needed(plan, "way", halfwidth=0.02),
            ds.needed(plan, "score", halfwidth=2.0, guess=(50, 20)),
            ds.needed(plan, "yes", effect=0.1),
        ]
        assert row(level) == pytest.approx([each.owners for each in needed], rel=0.025)
