"""``Any`` is written at the edges alone: what is inside has types.

Some uses mean what they say: a document in JSON is ``dict[str, Any]`` or ``Mapping[str, Any]``,
arguments are passed on (``*args``, ``**named``), an array is of any dtype, and a family of reports
that is known at run time alone has counts of some type. All others are in the modules below, each
of which meets something without types, or of any.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import discretion

SOURCE = Path(discretion.__file__).parent
ARRAYS = "arrays of NumPy or JAX, which have no type in common"
ANSWER = "an answer with several parts, as its JSON has it"
DRIVER = "rows and values of a database"
DYNAMIC = "what is found by its name"
FASTAPI = "types are values: annotations and models are made from shapes"
FORMS = "cells of a workbook"
GENERIC = "it folds, or keeps, whatever it is given"
JSON = "a document as JSON has it"
NUMBA = "its types are those of compiled code"
OWN = "what a caller passes, which is checked here"
UNTYPED = "a library that ships no types"
WORKER = "what another process returns, as JSON would"
EDGES = {
    "__init__.py": DYNAMIC,
    "cli/main.py": DYNAMIC,
    "collector/analysis.py": "data of one round or two, and frames of any result",
    "collector/metrics.py": UNTYPED,
    "collector/models.py": FASTAPI,
    "collector/result_cache.py": WORKER,
    "collector/routes/analysts.py": FASTAPI,
    "collector/routes/__init__.py": FASTAPI,
    "collector/routes/statistics.py": FASTAPI,
    "collector/settings.py": DYNAMIC,
    "collector/store/database.py": DRIVER,
    "collector/worker_pool.py": WORKER,
    "comparisons/adjust.py": OWN,
    "crowd/shapes.py": "a sampler by each shape, for laws of that shape",
    "crowd/stages.py": "a sampler by each shape, for laws of that shape",
    "device/ledger.py": DRIVER,
    "device/state.py": DRIVER,
    "engine/accelerator.py": ARRAYS,
    "engine/arrays.py": ARRAYS,
    "engine/cluster.py": "Dask: tasks are pickled, their types with them",
    "engine/engine.py": GENERIC,
    "engine/packed.py": ARRAYS,
    "engine/threads.py": UNTYPED,
    "estimate/documents/__init__.py": JSON,
    "forms/cells.py": FORMS,
    "forms/ranges.py": "numbers, dates or times of day, by one measure each",
    "forms/workbook.py": FORMS,
    "kernel/__init__.py": NUMBA,
    "kernel/count.py": NUMBA,
    "kernel/distinct.py": NUMBA,
    "kernel/hash.py": NUMBA,
    "kernel/read.py": NUMBA,
    "plan/document.py": JSON,
    "schema/entries.py": ANSWER,
    "schema/item_set.py": ANSWER,
    "schema/key_map.py": ANSWER,
    "statistics/option.py": DYNAMIC,
    "statistics/statistic.py": DYNAMIC,
    "synthesis/file.py": JSON,
    "synthesis/rows.py": UNTYPED,
    "synthesis/utility.py": UNTYPED,
    "table/frame.py": "a frame of the library that a caller names",
    "table/labelled.py": UNTYPED,
    "table/labelled_writer.py": UNTYPED,
    "table/reader.py": JSON,
    "table/shard.py": UNTYPED,
    "web/results/cards.py": "a card by each kind, for documents of that kind",
    "web/dashboard/tables.py": "a writer by each question, for answers to that question",
}
DOCUMENTS = {"dict", "Mapping"}
OF_ANY = {"ndarray", "NDArray", "dtype", "floating", "ReportFamily", "LinearFamily", "LabelFamily"}


def uses(tree: ast.AST) -> Iterator[int]:
    """Yield the lines in which ``Any`` has to be explained."""
    meant: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(
                value=ast.Name(id=name),
                slice=ast.Tuple(elts=[ast.Name(id="str"), ast.Name(id="Any") as value]),
            ) if name in DOCUMENTS:
                meant.add(value)
            case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner) if (
                name in OF_ANY
            ):
                meant |= {*ast.walk(inner)}
            case ast.arguments(vararg=args, kwarg=named):
                meant |= {arg.annotation for arg in (args, named) if arg and arg.annotation}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "Any" and node not in meant:
            yield node.lineno


def test_any_is_written_at_the_edges_alone() -> None:
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        if lines := [*uses(ast.parse(path.read_text(encoding="utf-8")))]:
            found[path.relative_to(SOURCE).as_posix()] = lines
    stray = {module: lines for module, lines in found.items() if module not in EDGES}
    assert not stray, "give these a type, or say in EDGES what has none"
    assert not EDGES.keys() - found.keys(), "they are no edges any more"


def test_types_with_any_inside_are_found() -> None:
    found = uses(ast.parse("x: Any\ny: list[Any]\nz: dict[str, Any]\ndef f(**k: Any) -> Any: ..."))
    assert sorted(found) == [1, 2, 4]
