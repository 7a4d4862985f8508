"""Run the notebook and keep what it shows: python -m tests.docs.notebook.

Pictures are kept at the size of a page; texts and tables as they are.
"""

import ast
import base64
import contextlib
import io
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TOUR = Path(__file__).parents[2] / "docs" / "tour.ipynb"
DOTS = 80  # per inch


def read() -> dict[str, Any]:
    """Return the notebook as it is kept."""
    document: dict[str, Any] = json.loads(TOUR.read_text(encoding="utf-8"))
    return document


def run(source: str, namespace: dict[str, Any], name: str) -> object:
    """Run a cell as a notebook does; return the value of a last expression."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), name, "eval"), namespace)


def outputs(document: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Run all cells of code, in a folder of their own, and yield what each shows."""
    namespace: dict[str, Any] = {"__name__": "tour"}
    cells = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, start=1):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            value = run("".join(cell["source"]), namespace, f"{TOUR.name}, code cell {number}")
        yield [*_said(said.getvalue()), *_shown(value, number)]


def _said(text: str) -> Iterator[dict[str, Any]]:
    if text:
        lines = text.splitlines(keepends=True)
        yield {"name": "stdout", "output_type": "stream", "text": lines}


def _shown(value: Any, number: int) -> Iterator[dict[str, Any]]:
    """Yield the value of a cell as a notebook keeps it."""
    if value is None:
        return
    figure = getattr(value, "figure", value)
    data: dict[str, Any] = {}
    if hasattr(value, "_repr_png_"):
        with io.BytesIO() as file:
            figure.savefig(file, format="png", dpi=DOTS)
            data["image/png"] = base64.b64encode(file.getvalue()).decode()
        data["text/plain"] = [figure.alt]
    else:
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(keepends=True)
        data["text/plain"] = repr(value).splitlines(keepends=True)
    kind = {"output_type": "execute_result", "execution_count": number}
    yield {"data": data, "metadata": {}, **kind}


def main() -> None:
    """Write the notebook anew, with its outputs."""
    document, back = read(), Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        found = list(outputs(document))
        os.chdir(back)
    cells = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    for number, (cell, own) in enumerate(zip(cells, found, strict=True), start=1):
        cell |= {"outputs": own, "execution_count": number}
    TOUR.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
