"""The notebook runs from top to bottom, and shows what it is kept with."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.docs.notebook import TOUR, outputs, read, run
from tests.docs.printing import prints

DOCS = TOUR.parent
DRAWN = re.compile(r'"(id|y)":"[^"]*"')  # what a real device draws anew
LINK = re.compile(r"\]\(([^)#]+)")


def cells(kind: str) -> list[dict[str, Any]]:
    return [cell for cell in read()["cells"] if cell["cell_type"] == kind]


def test_it_shows_what_it_is_kept_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To write it anew: python -m tests.docs.notebook."""
    monkeypatch.chdir(tmp_path)
    pictures, printed = 0, ""
    for cell, own in zip(cells("code"), outputs(read()), strict=True):
        kept = cell["outputs"]
        assert [each["output_type"] for each in kept] == [each["output_type"] for each in own]
        for old, new in zip(kept, own, strict=True):
            if "text" in old:
                shown, found = (DRAWN.sub("", "".join(each["text"])) for each in (old, new))
                assert prints(shown, found), f"shows\n{shown}but prints\n{found}"
                printed += "".join(new["text"])
                continue
            assert old["data"].get("text/html") == new["data"].get("text/html")
            assert old["data"]["text/plain"] == new["data"]["text/plain"]
            pictures += "image/png" in old["data"] and "image/png" in new["data"]
    assert pictures == 4
    assert "budgets and values look dependent" in printed
    assert '"answers":{"travel":{"level":3500' in printed


def test_the_pooled_estimate_is_far_off_and_the_stratified_one_is_not() -> None:
    """The story of the last cells: what their text says of the charts."""
    namespace: dict[str, Any] = {"__name__": "tour"}
    for cell in cells("code"):
        source = "".join(cell["source"])
        if "plot" not in source or "fair" in source:
            run(source, namespace, TOUR.name)
        elif "def truth" in source:
            run(source.rpartition("\n\n")[0], namespace, TOUR.name)
    truth = namespace["truth"]("travel")
    off = {name: abs(namespace[name].value - truth) for name in ("pooled", "fair")}
    assert off["pooled"].max() > 0.3
    assert (off["fair"] < 4 * namespace["fair"].stderr).all()


def test_it_is_small_and_every_cell_was_run_in_order() -> None:
    assert [cell["execution_count"] for cell in cells("code")] == list(range(1, 13))
    assert TOUR.stat().st_size < 400_000


def test_its_links_lead_to_pages() -> None:
    text = "".join("".join(cell["source"]) for cell in cells("markdown"))
    links = LINK.findall(text)
    assert len(links) >= 3
    assert [link for link in links if not (DOCS / link).exists()] == []
