"""No true record is an input of what analysts run: they import nothing that has one.

``quality`` is the declared exception: whoever simulates may give it the truth to compare with.
"""

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_type_hints

import pytest

import discretion
from discretion.synthesis.dependence import dependence
from discretion.synthesis.publish import publish
from discretion.table import Reports
from tests.plans import bundled_commuters, commuters, ranged_commuters, secret_commuters

SOURCE = Path(discretion.__file__).parent
ANALYSTS = ("aggregate", "estimate", "numbers", "joints", "robustness", "synthesis")
OWNERS = ("discretion.crowd", "discretion.device")
TRUTHS = {"truth"}  # parameters that hold true records, by name
EXCEPTION = "quality"
AUTHORS = {("discretion.plan.plan", "discretion.design.proposal")}  # a plan is made from records


def modules(folder: str) -> list[Path]:
    return sorted((SOURCE / folder).rglob("*.py"))


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Return every module that a file imports, at its top or within a function."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{name.name}" for name in names)
            case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(value=str(name))]):
                yield name


def is_owners(module: str) -> bool:
    return any(module == own or module.startswith(f"{own}.") for own in OWNERS)


def named(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


def reached(start: str) -> set[str]:
    """Return all modules that importing one of them brings along, packages included."""
    files = {named(path): path for path in SOURCE.rglob("*.py")}
    found, waiting = set(), [start]
    while waiting:
        if (module := waiting.pop()) in found or module not in files:
            continue
        found.add(module)
        if module != "discretion":  # the package loads names when they are used
            waiting += [own for own in imported(files[module]) if (module, own) not in AUTHORS]
        waiting.append(module.rpartition(".")[0])
    return found


@pytest.mark.parametrize("folder", ANALYSTS)
def test_nothing_of_the_owners_is_imported(folder: str) -> None:
    paths = modules(folder)
    assert paths
    found = {(p.name, module) for p in paths for module in imported(p) if is_owners(module)}
    assert not found


def test_what_publishes_cannot_even_reach_the_owners() -> None:
    seen = reached("discretion.synthesis.publish")
    assert {"discretion.synthesis.fit", "discretion.kernel.belief"} <= seen
    assert not {module for module in seen if is_owners(module)}
    assert any(
        is_owners(module) for module in reached("discretion.cli.simulate")
    )  # the walk sees them


def test_the_walk_sees_imports_where_there_are_some() -> None:
    assert any(is_owners(module) for module in imported(SOURCE / "design/guess.py"))
    below = {module for folder in ANALYSTS for path in modules(folder) for module in imported(path)}
    assert "discretion.table" in below


@pytest.mark.parametrize("function", [publish, dependence])
def test_reports_are_all_that_they_take(function: object) -> None:
    assert callable(function)
    hints, (first, *others) = get_type_hints(function), inspect.signature(function).parameters
    assert hints[first] == Reports
    assert set(others) <= {"rows", "attributes", "rate", "bins", "seed"}  # settings, not data


def test_of_publication_only_quality_takes_the_truth() -> None:
    takers = set()
    for path in modules("synthesis"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                if TRUTHS & {each.arg for each in arguments}:
                    takers.add((path.stem, node.name))
    assert ("publish", EXCEPTION) in takers
    assert {module for module, _ in takers} <= {"publish", EXCEPTION, "utility"}
    assert {name for module, name in takers if module == "publish"} == {EXCEPTION}


@pytest.mark.parametrize(
    "plan", [commuters(), secret_commuters(), bundled_commuters(), ranged_commuters()]
)
def test_a_table_of_reports_has_columns_of_reports_only(plan: discretion.Plan) -> None:
    owners = {"mode": ["car"], "age": [30], "income": [500], "home": ["town"], "temperature": [0.2]}
    frame = {name: value for name, value in owners.items() if name in plan.attributes}
    reports = discretion.simulate(plan, frame, seed=1)
    allowed = {f"{name}.{part}" for name in plan.names for part in ("level", "range", "y")}
    assert set(reports.data.column_names) <= {"id", "round", *allowed}
    apart = {"plan", "simulated", "refused", "changed", "frames", "engine"}
    assert set(vars(reports)) == {"data", *apart}
