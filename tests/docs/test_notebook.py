"""The notebook runs from top to bottom, shows its results, and is kept without them."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
TOUR = DOCS / "tour.ipynb"
LINK = re.compile(r"\]\(([^)#]+)")


def cells(kind: str) -> list[dict[str, Any]]:
    document = json.loads(TOUR.read_text(encoding="utf-8"))
    return [cell for cell in document["cells"] if cell["cell_type"] == kind]


def run(source: str, namespace: dict[str, Any], name: str) -> object:
    """Run a cell as a notebook does; return the value of a last expression."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), name, "eval"), namespace)


def test_it_runs_in_order_and_what_it_ends_a_cell_with_shows_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "tour"}
    pictures = 0
    for number, cell in enumerate(cells("code")):
        result = run("".join(cell["source"]), namespace, f"{TOUR.name}, code cell {number}")
        if picture := getattr(result, "_repr_png_", None):
            pictures += picture()[0].startswith(b"\x89PNG")
    assert pictures == 4
    printed = capsys.readouterr().out
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


def test_it_is_kept_without_outputs() -> None:
    assert all(c["outputs"] == [] and c["execution_count"] is None for c in cells("code"))
    assert TOUR.stat().st_size < 20_000


def test_its_links_lead_to_pages() -> None:
    text = "".join("".join(cell["source"]) for cell in cells("markdown"))
    links = LINK.findall(text)
    assert len(links) >= 3
    assert [link for link in links if not (DOCS / link).exists()] == []
