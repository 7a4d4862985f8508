"""Names and labels that cannot be read, or told apart, are refused in new plans only."""

import json
from pathlib import Path
from typing import Any

import pytest

from discretion.device import State, UploadClient
from discretion.errors import PlanError
from discretion.plan import Plan
from discretion.plan.legibility import visible
from tests.cases import for_each
from tests.scripted import collecting

ALIKE = [
    ("caf\u00e9", "cafe\u0301"),  # composed and decomposed
    ("yes", "\uff59\uff45\uff53"),  # full width
    ("file", "\ufb01le"),  # a ligature
    ("2", "\u00b2"),
    ("yes", "yes\ufe0f"),  # a variation selector
    ("yes", "y\u034fes"),  # a grapheme joiner
    ("yes", "yes\u3164"),
    ("yes", "yes "),
    ("a b", "a  b"),
]
BLANK = [
    "\u3164",
    "\u115f",
    "\u1160",
    "\uffa0",
    "\u2800",
    "\u034f",
    "\ufe0f",
    "\u17b4",
    "\u3164 \u2800",
]
DIFFERENT = [("Yes", "yes"), ("yes", "y\u0435s"), ("a", "\u00e4"), ("ss", "\u00df")]


def plan_with(*labels: str, name: str = "q", title: str = "t") -> dict[str, Any]:
    asked = {"name": name, "kind": "categorical", "values": list(labels)}
    return {"name": title, "attributes": [asked], "budget": {"levels": [1]}}


def canonical(*labels: str) -> bytes:
    """Return the canonical bytes of a plan with any labels, as earlier versions wrote them."""
    document = json.loads(Plan.of(plan_with("first", "second")).to_bytes())
    document["attributes"][0] |= {"values": list(labels), "fallback": labels[-1]}
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


@for_each("one, other", ALIKE)
def test_labels_that_look_alike_are_refused(one: str, other: str) -> None:
    with pytest.raises(PlanError, match=r"attributes\[0\].values: must not look like"):
        Plan.of(plan_with("maybe", one, other))


@for_each("blank", BLANK)
def test_what_is_blank_is_refused(blank: str) -> None:
    with pytest.raises(PlanError, match=r"attributes\[0\].values: must not be blank"):
        Plan.of(plan_with("yes", blank))
    with pytest.raises(PlanError, match="attributes: must not be blank"):
        Plan.of(plan_with("yes", "no", name=blank))
    with pytest.raises(PlanError, match="name: must not be blank"):
        Plan.of(plan_with("yes", "no", title=blank))


@pytest.mark.parametrize("one, other", DIFFERENT)
def test_labels_that_differ_in_capitals_or_letters_are_two(one: str, other: str) -> None:
    assert Plan.of(plan_with(one, other)).questions["q"].attribute.labels == (one, other)


@pytest.mark.parametrize("name", ["\uff51", "q\ufe0f", "p\uff0bq"])
def test_names_of_attributes_and_bundles_that_look_alike_are_refused(name: str) -> None:
    asked = [
        {"name": each, "kind": "categorical", "values": ["x", "y"]} for each in ("p", "q", name)
    ]
    author = {"name": "t", "attributes": asked, "bundles": [["p", "q"]], "budget": {"levels": [1]}}
    with pytest.raises(PlanError, match="attributes: must not look like"):
        Plan.of(author)


def test_an_authors_file_is_refused_and_canonical_bytes_stay_readable(tmp_path: Path) -> None:
    old = canonical("yes", "yes\u3164", "\u2800")
    plan = Plan.from_bytes(old)
    assert plan.to_bytes() == old
    (tmp_path / "plan.json").write_bytes(old)
    assert Plan.load(tmp_path / "plan.json") == plan
    (tmp_path / "author.json").write_text(json.dumps(plan_with("yes", "yes\u3164")), "utf-8")
    with pytest.raises(PlanError, match=r"author.json: attributes\[0\].values: must not look"):
        Plan.load(tmp_path / "author.json")


def test_a_device_refuses_such_a_plan_at_the_first_contact_only() -> None:
    old = Plan.from_bytes(canonical("yes", "\u3164"))
    with collecting(old) as collector, State() as state:
        for accept in (None, old.id):
            with pytest.raises(PlanError, match="must not be blank"):
                UploadClient(collector.url, state, accept=accept).plan()
            assert state.pinned(collector.url) is None
        state.pin(collector.url, old.id, old.to_bytes())
        assert UploadClient(collector.url, state).plan() == old


def test_what_is_visible_is_normalised_once_and_for_all() -> None:
    assert visible("\uff21\u3000 b\u200d") == "A b"
    assert visible("e\u034f\u0301") == "\u00e9"
